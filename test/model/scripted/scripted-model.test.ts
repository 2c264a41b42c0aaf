import { writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { countBy } from "../../../src/base/grouping.js";
import type { Model } from "../../../src/model/model.js";
import type { SymbolRequest } from "../../../src/model/requests.js";
import { openScripted } from "../../../src/model/scripted/scripted-model.js";
import { orderName, permutationsOf } from "../../../src/question/permutations.js";
import { scoreQuestion } from "../../../src/suites/codereviewqa/metric/question-score.js";
import { answersUnder, choice } from "../../fixtures/answer.js";
import { collect } from "../../fixtures/collect.js";
import { useFreshFolder } from "../../fixtures/fresh-folder.js";
import { OPEN_OPTIONS } from "../../fixtures/open-options.js";
import { makeRequest } from "../../fixtures/request.js";
import { REQUEST } from "../contract/completion.js";

const folder = useFreshFolder();
const ORDERS = permutationsOf(4).map(orderName);
const NEVER = new AbortController().signal;

function open(name: string, seed = 0): Promise<Model> {
  return openScripted({ ...OPEN_OPTIONS, label: name, name, seed, settings: {} });
}

/** The symbol named for each request, or the status where none is. */
async function ask(model: Model, group: readonly SymbolRequest[]): Promise<string[]> {
  const replies = await collect(model.scoreSymbols!(group, NEVER));
  expect(replies.map(({ index }) => index)).toEqual(group.map((_, index) => index));
  return replies.map(({ reply }) => (reply.status === "named" ? reply.symbol : reply.status));
}

describe("scripted:always-…", () => {
  it("names its letter whatever the order", async () => {
    const model = await open("always-C");
    expect(
      new Set(
        await ask(
          model,
          ORDERS.map((name) => makeRequest(name)),
        ),
      ),
    ).toEqual(new Set(["C"]));
  });

  it("refuses where the question has no such letter, instead of taking another", async () => {
    expect(await ask(await open("always-D"), [makeRequest("012"), makeRequest("0123")])).toEqual(["failed", "D"]);
  });
});

describe("scripted:oracle", () => {
  it("names the letter at which option 0 stands", async () => {
    const group = ["0123", "2013", "1203", "3210"].map((name) => makeRequest(name));
    expect(await ask(await open("oracle"), group)).toEqual(["A", "B", "C", "D"]);
  });
});

describe("scripted:uniform", () => {
  const GROUP = ["x", "y"].flatMap((exampleId) => ORDERS.map((name) => makeRequest(name, { exampleId })));

  it("draws the same for the same seed", async () => {
    expect(await ask(await open("uniform", 7), GROUP)).toEqual(await ask(await open("uniform", 7), GROUP));
  });

  it("draws anew each time that an order is asked: one that guesses owes nothing to the order", async () => {
    const model = await open("uniform", 7);
    const time = (repeat?: number) =>
      ask(
        model,
        GROUP.map((request) => ({ ...request, ...(repeat !== undefined && { repeat }) })),
      );
    expect(await time(0)).toEqual(await time());
    // Of 48 draws those of two times are the same in one of four: more than 30 are with a probability of 1e-8.
    const [first, second] = [await time(0), await time(1)];
    expect(first.filter((letter, i) => letter === second[i]).length).toBeLessThan(30);
  });

  it("draws differently for another seed, example, task or difficulty", async () => {
    const model = await open("uniform", 7);
    const drawn = (changes: Partial<SymbolRequest["key"]>) =>
      ask(
        model,
        ORDERS.map((name) => makeRequest(name, changes)),
      );
    const first = await drawn({});
    expect(await drawn({ exampleId: "other" })).not.toEqual(first);
    expect(await drawn({ task: "SI" })).not.toEqual(first);
    expect(await drawn({ difficulty: "hard" })).not.toEqual(first);
    expect(
      await ask(
        await open("uniform", 8),
        ORDERS.map((name) => makeRequest(name)),
      ),
    ).not.toEqual(first);
  });

  it("does not depend on the order in which it is asked, nor on what was asked before", async () => {
    const together = await ask(await open("uniform", 7), GROUP);
    const backwards = await ask(await open("uniform", 7), [...GROUP].reverse());
    expect(backwards.reverse()).toEqual(together);
    const alone = await ask(await open("uniform", 7), GROUP.slice(30, 31));
    expect(alone).toEqual(together.slice(30, 31));
  });

  it("names each letter equally often, and agrees with itself no more than guessing does", async () => {
    const model = await open("uniform", 1);
    const letters: string[] = [];
    let agreement = 0;
    const questions = 500;
    for (let question = 0; question < questions; question++) {
      const group = ORDERS.map((name) => makeRequest(name, { exampleId: String(question) }));
      const drawn = await ask(model, group);
      letters.push(...drawn);
      const answers = answersUnder(ORDERS, (name, i) => choice(name, group[i]!.symbols["ABCD".indexOf(drawn[i]!)]!));
      agreement += scoreQuestion(answers, 24).pluralityAgreement! / questions;
    }
    // 12000 draws: 3000 each with standard deviation sqrt(12000 * 1/4 * 3/4) = 47; four of these are 190.
    const counts = countBy(letters);
    for (const letter of "ABCD") expect(Math.abs(counts.get(letter)! - 3000)).toBeLessThan(190);
    // Guessing has mean 0.3584; one question deviates by 0.06 at most as a rule, 500 by 0.003; four of these are 0.012.
    expect(Math.abs(agreement - 0.3584)).toBeLessThan(0.012);
  });
});

describe("a scripted completion", () => {
  const key = { task: "ACR", exampleId: "x", reference: "return a + b\n[/Python]\n" };

  it("is the right text, of the oracle", async () => {
    const model = await open("oracle");
    expect(await model.complete!({ ...REQUEST, key }, NEVER)).toMatchObject({
      text: key.reference,
      end: "end_of_text",
    });
    const stopped = await model.complete!({ ...REQUEST, key, stop: ["[/Python]"] }, NEVER);
    expect(stopped).toMatchObject({ text: "return a + b\n", end: "stop" });
  });

  it("is refused of the oracle for a prompt without a right text", async () => {
    const { key: _, ...request } = REQUEST;
    expect(await (await open("oracle")).complete!(request, NEVER)).toMatchObject({
      status: "failed",
      failure: "refused",
    });
  });

  it.each(["always-A", "always-D", "uniform"])("is empty, of %s: it knows letters only", async (name) => {
    const { stop: _, ...request } = REQUEST;
    expect(await (await open(name)).complete!({ ...request, stop: ["x"], key }, NEVER)).toEqual({
      status: "completed",
      text: "",
      end: "end_of_text",
      tokens: null,
      promptTokens: null,
      durationMs: 0,
    });
  });

  it("stops when it is aborted", async () => {
    await expect((await open("oracle")).complete!(REQUEST, AbortSignal.abort())).rejects.toThrow(/abort/i);
  });
});

describe("a scripted model", () => {
  it.each(["token_scores", "infill", "embeddings"] as const)("is refused where %s are needed", async (need) => {
    const name = "oracle";
    const options = { ...OPEN_OPTIONS, label: name, name, settings: {}, needs: ["symbols", need] as const };
    await expect(openScripted(options)).rejects.toMatchObject({
      code: "model_unavailable",
      message: expect.stringMatching(/found scripted:oracle, which cannot: .* Use --model tiny, .* server\.$/),
    });
  });

  it("is identified by what decides its answers", async () => {
    expect((await open("always-A")).identity).toEqual({ provider: "scripted", rule: "always-A" });
    expect((await open("uniform", 7)).identity).toEqual({ provider: "scripted", rule: "uniform", seed: 7 });
    await writeFile(folder.path("none.jsonl"), "");
    // SHA-256 of an empty file (FIPS 180-2)
    expect((await open(folder.path("none.jsonl"))).identity).toEqual({
      provider: "scripted",
      answers_sha256: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    });
  });

  it("stops when it is aborted", async () => {
    const model = await open("oracle");
    const replies = model.scoreSymbols!([makeRequest("012")], AbortSignal.abort());
    await expect(collect(replies)).rejects.toThrow(/abort/i);
  });

  it.each(["always-e", "always-", "Oracle", "answers.csv"])("of the unknown rule %s is refused", async (name) => {
    await expect(open(name)).rejects.toMatchObject({
      code: "bad_input",
      message: expect.stringContaining(`found scripted:${name}`),
    });
  });

  it("whose answer file does not exist is refused, naming the file", async () => {
    await expect(open(folder.path("none.jsonl"))).rejects.toMatchObject({
      code: "bad_input",
      message: expect.stringContaining(folder.path("none.jsonl")),
    });
  });
});
