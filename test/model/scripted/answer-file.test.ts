import { writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import type { CompletionReply, SymbolReply } from "../../../src/model/requests.js";
import { answerScript, readAnswers } from "../../../src/model/scripted/answer-file.js";
import { ANSWER_JOURNAL } from "../../../src/suites/codereviewqa/answer/answer.js";
import { GENERATION_JOURNAL } from "../../../src/suites/codereviewqa/answer/generation.js";
import { choice, makeAnswer, UNAVAILABLE } from "../../fixtures/answer.js";
import { useFreshFolder } from "../../fixtures/fresh-folder.js";
import { FAILED, makeGeneration, text } from "../../fixtures/generation.js";
import { makeRequest } from "../../fixtures/request.js";
import { A, B, C, D, logprob } from "../../fixtures/symbols.js";
import { REQUEST } from "../contract/completion.js";

const folder = useFreshFolder();
const PLACE = { task: "CL", difficulty: "easy", example_id: "abc", permutation: "2013" };

const scriptIn = async (path: string) => answerScript((await readAnswers(path)).toString("utf8"), path);

/** What a file of these lines replies to a request. */
async function reply(lines: readonly (object | string)[], request = makeRequest("2013")): Promise<SymbolReply> {
  const path = folder.path("answers.jsonl");
  await writeFile(path, lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line))).join("\n"));
  return (await scriptIn(path)).answer(request);
}

/** What a file of these lines writes for the example `abc` of the task ACR. */
async function write(lines: readonly object[], stop: readonly string[] = []): Promise<CompletionReply> {
  const path = folder.path("answers.jsonl");
  await writeFile(path, lines.map((line) => JSON.stringify(line)).join("\n"));
  const key = { task: "ACR", exampleId: "abc", reference: "" };
  return (await scriptIn(path)).complete({ ...REQUEST, stop, key });
}

describe("the answers of a file", () => {
  it("names the chosen symbol of a line", async () => {
    expect(await reply([{ ...PLACE, chosen_symbol: "C" }])).toMatchObject({ status: "named", symbol: C });
  });

  it("gives the log probabilities of a line; absent ones are unknown without a bound", async () => {
    const found = await reply([{ ...PLACE, logprobs: { A: -0.5, B: -2, C: null } }]);
    expect(found.status === "scored" && found.scores).toEqual(
      new Map<unknown, unknown>([
        [A, { status: "known", logprob: -0.5 }],
        [B, { status: "known", logprob: -2 }],
        [C, { status: "unknown", upperBound: null }],
        [D, { status: "unknown", upperBound: null }],
      ]),
    );
  });

  it("prefers the log probabilities to the symbol", async () => {
    const found = await reply([{ ...PLACE, chosen_symbol: "C", logprobs: { A: -1, B: -2, C: -3, D: -4 } }]);
    expect(found.status).toBe("scored");
  });

  it("keeps a probability of one apart from an unknown one: log probability 0 is a value", async () => {
    const found = await reply([{ ...PLACE, logprobs: { A: 0, B: -40, C: -40, D: -40 } }]);
    expect(found.status === "scored" && found.scores.get(A)).toEqual({ status: "known", logprob: 0 });
  });

  it("takes a line without difficulty, or with null, for a task that has one form", async () => {
    const request = makeRequest("012", { task: "CTR", difficulty: null });
    const ctr = { task: "CTR", example_id: "abc", permutation: "012", chosen_symbol: "B" };
    expect(await reply([ctr], request)).toMatchObject({ symbol: B });
    expect(await reply([{ ...ctr, difficulty: null }], request)).toMatchObject({ symbol: B });
  });

  it.each([{ task: "SI" }, { difficulty: "hard" }, { exampleId: "abd" }, { permutation: "2031" }])(
    "refuses what it has no line for: %o",
    async (key) => {
      const found = await reply([{ ...PLACE, chosen_symbol: "C" }], makeRequest("2013", key));
      expect(found).toMatchObject({ status: "failed", failure: "refused" });
    },
  );

  it("refuses where the line names no symbol, or one the question does not have", async () => {
    expect(await reply([PLACE])).toMatchObject({ status: "failed", failure: "refused" });
    expect(await reply([{ ...PLACE, chosen_symbol: null }])).toMatchObject({ status: "failed", failure: "refused" });
    const request = makeRequest("201");
    expect(await reply([{ ...PLACE, permutation: "201", chosen_symbol: "D" }], request)).toMatchObject({
      status: "failed",
    });
  });

  it("lets the last line for an order win", async () => {
    const lines = [
      { ...PLACE, chosen_symbol: "C" },
      { ...PLACE, chosen_symbol: "D" },
    ];
    expect(await reply(lines)).toMatchObject({ symbol: D });
  });

  it("replays each time that an order was asked, and the first where it tells of no other", async () => {
    const lines = [
      { ...PLACE, chosen_symbol: "C", repeat: 0 },
      { ...PLACE, chosen_symbol: "D", repeat: 1 },
    ];
    const request = makeRequest("2013");
    expect(await reply(lines)).toMatchObject({ symbol: C });
    expect(await reply(lines, { ...request, repeat: 0 })).toMatchObject({ symbol: C });
    expect(await reply(lines, { ...request, repeat: 1 })).toMatchObject({ symbol: D });
    expect(await reply(lines, { ...request, repeat: 2 })).toMatchObject({ symbol: C });
  });

  it("skips blank lines and lines of another kind", async () => {
    expect(await reply(["", { kind: "note" }, "  ", { ...PLACE, chosen_symbol: "C" }, ""])).toMatchObject({
      symbol: C,
    });
  });

  it("replays the journal of a run that named symbols", async () => {
    const answer = makeAnswer({ outcome: choice("012", C) });
    const request = makeRequest("012", { task: "CTR", difficulty: null, exampleId: answer.exampleId });
    expect(await reply([ANSWER_JOURNAL.encode(answer)], request)).toMatchObject({ status: "named", symbol: C });
  });

  it("replays the journal of a run that has log probabilities", async () => {
    const logprobs = [A, B, C].map((symbol, i) => ({ symbol, logprob: logprob(-1 - i) }));
    const answer = makeAnswer({ outcome: choice("012", A, 1), logprobs });
    const request = makeRequest("012", { task: "CTR", difficulty: null, exampleId: answer.exampleId });
    const found = await reply([ANSWER_JOURNAL.encode(answer)], request);
    expect(found.status === "scored" && found.scores.get(B)).toEqual({ status: "known", logprob: -2 });
  });

  it("writes the completion of an example's line", async () => {
    const line = { task: "ACR", example_id: "abc", completion: "a = 1\nb = 2\n" };
    expect(await write([line, { ...line, task: "other", completion: "x" }])).toMatchObject({
      status: "completed",
      text: "a = 1\nb = 2\n",
      end: "end_of_text",
    });
  });

  it("writes no more than goes before a stop text", async () => {
    const line = { task: "ACR", example_id: "abc", completion: "a = 1\n[/Python]\nmore" };
    expect(await write([line], ["[/Python]"])).toMatchObject({ text: "a = 1\n", end: "stop" });
  });

  it("keeps completions and answers of the same example apart", async () => {
    const lines = [
      { ...PLACE, chosen_symbol: "C" },
      { task: "CL", example_id: "abc", completion: "x" },
    ];
    expect(await reply(lines)).toMatchObject({ symbol: C });
    expect(await write(lines)).toMatchObject({ status: "failed", failure: "refused" });
  });

  it("refuses to write what the file does not hold, or for no example", async () => {
    expect(await write([{ task: "ACR", example_id: "other", completion: "x" }])).toMatchObject({
      status: "failed",
      failure: "refused",
      detail: "the answer file has no completion for this example",
    });
    const script = await scriptIn(folder.path("answers.jsonl"));
    const { key: _, ...request } = REQUEST;
    expect(script.complete(request)).toMatchObject({ status: "failed", failure: "refused" });
  });

  it("replays the generations of a run, each as it ended, beside its answers", async () => {
    const generation = (outcome: Parameters<typeof makeGeneration>[0]) =>
      JSON.parse(GENERATION_JOURNAL.encode(makeGeneration({ exampleId: "abc", ...outcome }))) as object;
    const cutOff = generation({ outcome: text("a = 1\nb", "length") });
    expect(await write([{ ...PLACE, chosen_symbol: "C" }, cutOff], ["[/Python]"])).toMatchObject({
      status: "completed",
      text: "a = 1\nb",
      end: "length",
      tokens: 7,
    });
    expect(await write([generation({ outcome: text("a = 1\n", "stop") })])).toMatchObject({ end: "stop", tokens: 7 });
    // The last line counts, whatever it is; a failure is refused again.
    const failed = generation({ outcome: FAILED });
    expect(await write([failed, cutOff])).toMatchObject({ status: "completed" });
    expect(await write([cutOff, failed])).toMatchObject({ status: "failed", failure: "refused" });
  });

  it("ends a generation of a run at a stop text that was none then", async () => {
    const generation = makeGeneration({ exampleId: "abc", outcome: text("a = 1\n[/Python]\nb", "length") });
    const line = JSON.parse(GENERATION_JOURNAL.encode(generation)) as object;
    expect(await write([line], ["[/Python]"])).toMatchObject({ text: "a = 1\n", end: "stop", tokens: null });
  });

  it("refuses a failed answer of a journal again: a failure is no letter", async () => {
    const answer = makeAnswer({ outcome: UNAVAILABLE });
    const request = makeRequest("012", { task: "CTR", difficulty: null, exampleId: answer.exampleId });
    expect(await reply([ANSWER_JOURNAL.encode(answer)], request)).toMatchObject({
      status: "failed",
      failure: "refused",
    });
  });

  it("quotes a line it refuses as it is: the console makes visible what a terminal would obey", async () => {
    const error: unknown = await reply(["\u001b[31mred"]).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ message: expect.stringContaining("\u001b[31mred") });
  });

  it.each([
    ["is not JSON", "{"],
    ["lacks its permutation", JSON.stringify({ ...PLACE, permutation: undefined })],
    ["has a completion without its example", JSON.stringify({ task: "ACR", completion: "x" })],
    ["has a completion that is no text", JSON.stringify({ task: "ACR", example_id: "abc", completion: null })],
    [
      "has a generation without its text",
      JSON.stringify({ kind: "generation", task: "ACR", example_id: "abc", status: "generated" }),
    ],
    ["has a text for a log probability", JSON.stringify({ ...PLACE, logprobs: { A: "-1" } })],
    ["has a probability above one", JSON.stringify({ ...PLACE, logprobs: { A: 0.5 } })],
  ])("refuses a file, naming the line, when it %s", async (_, line) => {
    await expect(reply([{ ...PLACE, chosen_symbol: "C" }, line])).rejects.toMatchObject({
      code: "bad_input",
      message: expect.stringContaining("answers.jsonl:2:"),
    });
  });
});
