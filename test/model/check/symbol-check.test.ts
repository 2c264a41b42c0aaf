import { describe, expect, it } from "vitest";
import { SYMBOLS } from "../../../src/model/check/ability-checks.js";
import { canaryPrompts } from "../../../src/model/check/canaries.js";
import { type Ask, tryWays } from "../../../src/model/check/try-ways.js";
import { Endpoint } from "../../../src/model/http/endpoint.js";
import { RequestError } from "../../../src/model/http/request-error.js";
import type { ReportedPosition, ReportedToken } from "../../../src/model/wire/reported-tokens.js";
import type { ExtractionWay } from "../../../src/model/wire/ways.js";
import { soundReport } from "../../fixtures/canary-replies.js";
import { FakeClock } from "../../fixtures/fake-clock.js";
import { down, fault, permanent } from "../../fixtures/request-errors.js";
import { A, B, C, D } from "../../fixtures/symbols.js";

function way(name: string, isGuided = false): ExtractionWay {
  return {
    name,
    extraction: isGuided ? "guided" : "top_logprobs",
    isGuided,
    listLength: 20,
    request: (prompt, symbols) => ({ path: name, body: { prompt, symbols } }),
  };
}

/** What a server reports for a canary in a way. */
type Report = (name: string, prompt: unknown) => ReportedPosition | null;

/** A server that reports so, in the shape of chat completions. */
function asking(report: Report, onRequest: (body: unknown) => void = () => {}): Ask {
  return (question) => {
    const { path, body } = question.request(question.prompt);
    onRequest(body);
    const position = report(path, body["prompt"]);
    const entry = ({ bytes, logprob }: ReportedToken) => ({ token: String(bytes), bytes: [...bytes], logprob });
    const content = position && [
      { ...(position.sampled && entry(position.sampled)), top_logprobs: position.top.map(entry) },
    ];
    return Promise.resolve(question.read({ json: { choices: [{ logprobs: content && { content } }] }, text: "" }));
  };
}

function sound(prompt: unknown): ReportedPosition {
  return soundReport(canaryPrompts().find(({ text }) => text === prompt)?.right ?? null);
}

/** A sound model behind the ways that are not named here. */
function server(troubles: Readonly<Record<string, "silent" | Error>>): Ask {
  const answer = asking((name, prompt) => (troubles[name] === "silent" ? null : sound(prompt)));
  return (question) => {
    const trouble = troubles[question.request("").path];
    return trouble instanceof Error ? Promise.reject(trouble) : answer(question);
  };
}

const check = async (tried: ExtractionWay, ask: Ask) => (await tryWays(SYMBOLS, [tried], ask))[0]!;

describe("the check of one way to an answer", () => {
  it("asks every canary once, in order, with four symbols", async () => {
    const asked: unknown[] = [];
    const ask = asking(
      (_, prompt) => sound(prompt),
      (body) => asked.push(body),
    );
    const { row, finding } = await check(way("w"), ask);
    expect(asked).toEqual(canaryPrompts().map(({ text }) => ({ prompt: text, symbols: [A, B, C, D] })));
    expect(finding?.evidence?.map(({ canary, position }) => [canary.name, position])).toEqual(
      canaryPrompts().map(({ name, right }) => [name, soundReport(right)]),
    );
    expect(row).toEqual({
      way: "w",
      extraction: "top_logprobs",
      status: "works",
      notes: [],
      measures: { right: 4, symbolMass: expect.closeTo(0.85, 9), repeatDifference: 0 },
    });
  });

  it("examines a restricted way as restricted", async () => {
    // the sentence is answered with A, as the restriction wants: a free way that wrote " Paris" would be refused
    const free = asking((_, prompt) => ({ ...sound(prompt), sampled: sound(prompt).top[0] ?? null }));
    expect((await check(way("w", true), free)).row).toMatchObject({ status: "refused", extraction: "guided" });
    expect((await check(way("w", false), free)).row.status).toBe("works");
  });

  it.each([permanent(), fault()])("takes $message for a way that is not offered", async (error) => {
    const { row } = await check(way("w"), server({ w: error }));
    expect(row).toMatchObject({ status: "not_offered", notes: [error.message], measures: null });
  });

  it.each([down(), new TypeError("a bug")])("throws $message", async (error) => {
    await expect(check(way("w"), server({ w: error }))).rejects.toBe(error);
  });

  it("throws when the server has been given up as down, with or without a status", async () => {
    for (const error of [
      down(),
      new RequestError({ trouble: "down", failure: "unavailable", status: 503, message: "loading" }),
    ]) {
      const { now, sleep } = new FakeClock();
      const endpoint = new Endpoint("http://server", { maxConcurrency: 1, patienceMs: 0, now, sleep, random: () => 1 });
      const ask: Ask = () => endpoint.send(() => Promise.reject(error), new AbortController().signal);
      await expect(check(way("w"), ask)).rejects.toThrow("no answer for 0 s");
    }
  });
});

describe("the check of several ways to an answer", () => {
  it("tries them in order until one works, and not those after it", async () => {
    const tried = await tryWays(
      SYMBOLS,
      ["a", "b", "c", "d"].map((name) => way(name)),
      server({ a: permanent(), b: "silent" }),
    );
    expect(tried.map(({ row: { way: name, status } }) => [name, status])).toEqual([
      ["a", "not_offered"],
      ["b", "refused"],
      ["c", "works"],
      ["d", "not_tried"],
    ]);
    expect(tried[1]?.row.notes[0]).toContain("6 of 6 replies");
    expect(tried[3]).toMatchObject({ finding: null, row: { notes: [], measures: null } });
  });

  it("does not try the beginning of a list whose numbers were refused", async () => {
    // what a server says that does not read the prompt
    const refused = asking((name, prompt) => (name === "g" ? sound(prompt) : soundReport(A)));
    const lists = ["a", "b"].map((name) => way(name));
    const tried = await tryWays(SYMBOLS, lists, refused);
    expect(tried.map(({ row: { status } }) => status)).toEqual(["refused", "not_tried"]);
    expect(tried[1]?.row.notes).toEqual(["a longer list of the same numbers was refused"]);
    // a restricted way is another matter
    const guided = await tryWays(SYMBOLS, [...lists, way("g", true)], refused);
    expect(guided.map(({ row: { status } }) => status)).toEqual(["refused", "not_tried", "works"]);
  });

  it("tries all where none works", async () => {
    const tried = await tryWays(SYMBOLS, [way("a"), way("b")], server({ a: "silent", b: "silent" }));
    expect(tried.map(({ row: { status } }) => status)).toEqual(["refused", "refused"]);
  });
});
