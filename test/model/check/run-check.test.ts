import { describe, expect, it } from "vitest";
import { canaryPrompts } from "../../../src/model/check/canaries.js";
import { type AskCanary, checkWay, checkWays } from "../../../src/model/check/run-check.js";
import { Endpoint } from "../../../src/model/http/endpoint.js";
import { RequestError } from "../../../src/model/http/request-error.js";
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
    request: (prompt) => ({ path: `/${name}`, body: { prompt } }),
  };
}

/** A sound model behind the ways that are not named here. */
function server(troubles: Readonly<Record<string, "silent" | Error>>): AskCanary {
  return ({ name }, prompt) => {
    const trouble = troubles[name];
    if (trouble === "silent") return Promise.resolve(null);
    if (trouble !== undefined) return Promise.reject(trouble);
    const { right = null } = canaryPrompts().find(({ text }) => text === prompt) ?? {};
    return Promise.resolve(soundReport(right));
  };
}

/** What a server says that does not read the prompt. */
const constant = soundReport(A);

describe("checkWay", () => {
  it("asks every canary once, in order, with four symbols", async () => {
    const asked: { prompt: string; symbols: readonly string[] }[] = [];
    const ask = server({});
    const check = await checkWay(way("w"), (...args) => {
      asked.push({ prompt: args[1], symbols: args[2] });
      return ask(...args);
    });
    expect(asked).toEqual(canaryPrompts().map(({ text }) => ({ prompt: text, symbols: [A, B, C, D] })));
    expect(check.replies.map(({ canary, position }) => [canary.name, position])).toEqual(
      canaryPrompts().map(({ name, right }) => [name, soundReport(right)]),
    );
    expect(check.result).toEqual({
      way: "w",
      extraction: "top_logprobs",
      status: "works",
      notes: [],
      measures: { right: 4, symbolMass: expect.closeTo(0.85, 9), repeatDifference: 0 },
    });
  });

  it("judges a restricted way as restricted", async () => {
    // the sentence is answered with A, as the restriction wants: a free way that wrote " Paris" would be refused
    const free: AskCanary = async (...args) => {
      const reported = await server({})(...args);
      return reported === null ? null : { ...reported, sampled: reported.top[0] ?? null };
    };
    expect((await checkWay(way("w", true), free)).result).toMatchObject({ status: "refused", extraction: "guided" });
    expect((await checkWay(way("w", false), free)).result.status).toBe("works");
  });

  it.each([permanent(), fault()])("takes $message for a way that is not offered", async (error) => {
    const { result } = await checkWay(way("w"), server({ w: error }));
    expect(result).toMatchObject({ status: "not_offered", notes: [error.message], measures: null });
  });

  it.each([down(), new TypeError("a bug")])("throws $message", async (error) => {
    await expect(checkWay(way("w"), server({ w: error }))).rejects.toBe(error);
  });

  it("throws when the server has been given up as down, with or without a status", async () => {
    for (const error of [
      down(),
      new RequestError({ trouble: "down", failure: "unavailable", status: 503, message: "loading" }),
    ]) {
      const { now, sleep } = new FakeClock();
      const endpoint = new Endpoint("http://server", { maxConcurrency: 1, patienceMs: 0, now, sleep, random: () => 1 });
      const ask: AskCanary = () => endpoint.send(() => Promise.reject(error), new AbortController().signal);
      await expect(checkWay(way("w"), ask)).rejects.toThrow("no answer for 0 s");
    }
  });
});

describe("checkWays", () => {
  it("tries the ways in order until one works, and not those after it", async () => {
    const checks = await checkWays(
      ["a", "b", "c", "d"].map((name) => way(name)),
      server({ a: permanent(), b: "silent" }),
    );
    expect(checks.map(({ result: { way: name, status } }) => [name, status])).toEqual([
      ["a", "not_offered"],
      ["b", "refused"],
      ["c", "works"],
      ["d", "not_tried"],
    ]);
    expect(checks[1]?.result.notes[0]).toContain("6 of 6 replies");
    expect(checks[3]).toMatchObject({ replies: [], result: { notes: [], measures: null } });
  });

  it("does not try the beginning of a list whose numbers were refused", async () => {
    const refused: AskCanary = async (tried, ...rest) => (tried.name === "g" ? server({})(tried, ...rest) : constant);
    const lists = ["a", "b"].map((name) => way(name));
    const checks = await checkWays(lists, refused);
    expect(checks.map(({ result: { status } }) => status)).toEqual(["refused", "not_tried"]);
    expect(checks[1]?.result.notes).toEqual(["a longer list of the same numbers was refused"]);
    // a restricted way is another matter
    const guided = await checkWays([...lists, way("g", true)], refused);
    expect(guided.map(({ result: { status } }) => status)).toEqual(["refused", "not_tried", "works"]);
  });

  it("tries all where none works", async () => {
    const checks = await checkWays([way("a"), way("b")], server({ a: "silent", b: "silent" }));
    expect(checks.map(({ result: { status } }) => status)).toEqual(["refused", "refused"]);
  });
});
