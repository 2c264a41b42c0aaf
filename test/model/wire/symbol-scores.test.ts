import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { SymbolScore } from "../../../src/model/requests.js";
import {
  type ReportedPosition,
  readScores,
  scoreSymbols,
  symbolOfToken,
} from "../../../src/model/wire/reported-tokens.js";
import { position, token } from "../../fixtures/reported-tokens.js";
import { A, B, C, D } from "../../fixtures/symbols.js";

const SYMBOLS = [A, B, C, D];

function scoreOf(reported: ReportedPosition, symbol = A, listLength = 20): SymbolScore {
  return scoreSymbols(reported, SYMBOLS, listLength).get(symbol)!;
}

/** The probability of a symbol that was reported. */
function probability(reported: ReportedPosition, symbol = A): number {
  const score = scoreOf(reported, symbol);
  if (score.status !== "known") throw new Error(`Expected ${symbol} to be known.`);
  return Math.exp(score.logprob);
}

/** The probability that a symbol which was not reported has at most. */
function boundOf(reported: ReportedPosition, symbol = A, listLength = 20): number {
  const score = scoreOf(reported, symbol, listLength);
  if (score.status !== "unknown" || score.upperBound === null) throw new Error(`Expected ${symbol} to be bounded.`);
  return Math.exp(score.upperBound);
}

describe("symbolOfToken", () => {
  it.each(["A", " A", "\u2581A", "\u0120A", "  A", "\u2581\u2581A"])("takes %j for A", (text) => {
    expect(symbolOfToken(token(text, 0.5), SYMBOLS)).toBe(A);
  });

  it("takes a byte token for the letter it decodes to", () => {
    expect(symbolOfToken(token([65], 0.5), SYMBOLS)).toBe(A);
    expect(symbolOfToken(token([32, 68], 0.5), SYMBOLS)).toBe(D);
  });

  it.each(["a", "AB", "A.", "A ", "\nA", "(A", "", " ", "\u2581", "\u0410", "\uff21", "Á"])(
    "takes %j for no symbol",
    (text) => {
      expect(symbolOfToken(token(text, 0.5), SYMBOLS)).toBeNull();
    },
  );

  it("takes half a character for no symbol", () => {
    expect(symbolOfToken(token([226], 0.5), SYMBOLS)).toBeNull();
    expect(symbolOfToken(token([0xe2, 0x96], 0.5), SYMBOLS)).toBeNull();
  });

  it("knows only the symbols that are allowed", () => {
    expect(symbolOfToken(token("D", 0.5), [A, B, C])).toBeNull();
  });
});

describe("scoreSymbols", () => {
  it("bounds what the missing spellings of a reported symbol can add", () => {
    // One spelling of A is listed with 0.4; three more can have 0.01 each, the last of the list: 0.4 + 0.03.
    const top = [token("A", 0.4), token("x", 0.3), token("y", 0.01)];
    const score = scoreOf({ sampled: null, top }, A, 3);
    expect(score).toMatchObject({ status: "known", logprob: Math.log(0.4) });
    expect(Math.exp(score.upperBound ?? 0)).toBeCloseTo(0.43, 10);
  });

  it("adds nothing to symbols whose tokens were asked for by name", () => {
    const top = [token("A", 0.4), token(" A", 0.1)];
    expect(scoreOf({ sampled: null, top }, A, Number.POSITIVE_INFINITY)).not.toHaveProperty("upperBound");
  });

  it("sums all tokens that decode to a symbol, by their bytes", () => {
    const top = [token(" A", 0.3), token("A", 0.2), token([65], 0.1), token("\u2581A", 0.05), token("\u0120A", 0.05)];
    // 0.3 + 0.2 + 0.1 + 0.05 + 0.05
    expect(probability({ sampled: null, top })).toBeCloseTo(0.7, 12);
  });

  it("does not depend on the order of the tokens: neither the first nor the last wins", () => {
    const variant = fc.constantFrom("A", " A", "\u2581A", "\u0120A", "B", " B", "x");
    const tokens = fc.array(fc.tuple(variant, fc.double({ min: 1e-6, max: 0.09, noNaN: true })), {
      minLength: 1,
      maxLength: 10,
    });
    fc.assert(
      fc.property(tokens, (drawn) => {
        const isA = ([text]: [string, number]) => text.endsWith("A");
        fc.pre(drawn.some(isA));
        const sum = drawn.filter(isA).reduce((total, [, p]) => total + p, 0);
        const top = drawn.map(([text, p]) => token(text, p));
        expect(probability({ sampled: null, top })).toBeCloseTo(sum, 12);
        expect(probability({ sampled: null, top: top.toReversed() })).toBeCloseTo(sum, 12);
      }),
      { seed: 1 },
    );
  });

  it("keeps the log probability of a single token to the last digit", () => {
    const logprob = -9.72365951538086;
    const top = [{ bytes: Buffer.from("A"), logprob }];
    expect(scoreOf({ sampled: null, top })).toMatchObject({ status: "known", logprob });
  });

  it("keeps a log probability whose probability is too small for a number", () => {
    const top = [
      { bytes: Buffer.from("A"), logprob: -800 },
      { bytes: Buffer.from(" A"), logprob: -800 },
    ];
    // ln(2 e^-800) = -800 + ln 2
    expect(scoreOf({ sampled: null, top })).toMatchObject({
      status: "known",
      logprob: expect.closeTo(-800 + Math.LN2, 9),
    });
  });

  it("never gives more than probability 1", () => {
    const top = [token("A", 0.6), token(" A", 0.4 + 8.7e-6)];
    expect(scoreOf({ sampled: null, top })).toMatchObject({ status: "known", logprob: 0 });
  });

  it("scores every symbol that is allowed, in order, and no other", () => {
    const scores = scoreSymbols(position({ A: 0.5, D: 0.3 }), [A, B, C], 20);
    expect([...scores.keys()]).toEqual([A, B, C]);
  });
});

describe("a symbol that is not reported", () => {
  it("is unknown, and at most four times as probable as the last token of the list", () => {
    // 4 * 0.01 = 0.04; the list leaves over 1 - 0.87 = 0.13
    expect(boundOf(position({ B: 0.8, x: 0.06, y: 0.01 }))).toBeCloseTo(0.04, 9);
  });

  it("is at most as probable as what the list leaves over", () => {
    // 1 - 0.95 = 0.05, give or take 1e-5; 4 * 0.05 = 0.2
    const bound = boundOf(position({ B: 0.9, x: 0.05 }));
    expect(bound).toBeGreaterThanOrEqual(0.05);
    expect(bound).toBeLessThan(0.0501);
  });

  it("has a bound, though the whole of the list is rounded to more than 1", () => {
    const bound = boundOf(position({ B: 0.9, x: 0.1 + 8.7e-6 }));
    expect(bound).toBeGreaterThan(0);
    expect(bound).toBeLessThan(1e-4);
  });

  it("is bounded by the last of those asked for: a sampled token after them bounds nothing", () => {
    const sampled = token("D", 0.0001);
    const reported = position({ B: 0.5, x: 0.1, y: 0.05, D: 0.0001 }, sampled);
    // three were asked for: 4 * 0.05
    expect(boundOf(reported, A, 3)).toBeCloseTo(0.2, 9);
    // twenty were asked for, but the server lists three at most: the sampled one is still not one of them
    expect(boundOf(reported, A, 20)).toBeCloseTo(0.2, 9);
  });

  it("is bounded by a list of the sampled token alone through what that leaves over", () => {
    const sampled = token("B", 0.9);
    const bound = boundOf({ sampled, top: [sampled] }, A, 1);
    expect(bound).toBeGreaterThanOrEqual(0.1);
    expect(bound).toBeLessThan(0.1001);
  });

  it("is not bounded by the tokens of others where each was asked for by name", () => {
    // B, C and D were asked for; A may well be more probable than they are: 1 - 0.001
    const bound = boundOf(position({ B: 0.0005, C: 0.0003, D: 0.0002 }), A, Number.POSITIVE_INFINITY);
    expect(bound).toBeCloseTo(0.999, 4);
  });

  it("has no bound where nothing was reported", () => {
    expect(scoreOf({ sampled: null, top: [] })).toEqual({ status: "unknown", upperBound: null });
  });

  it("is never as probable as its bound says it cannot be", () => {
    // A vocabulary of A's four spellings and others; the server lists the k most probable.
    const weights = fc.array(fc.double({ min: 1e-4, max: 1, noNaN: true }), { minLength: 8, maxLength: 16 });
    const texts = ["A", " A", "\u2581A", "\u0120A"];
    fc.assert(
      fc.property(weights, fc.integer({ min: 1, max: 8 }), fc.nat({ max: 15 }), (drawn, k, pick) => {
        const total = drawn.reduce((sum, w) => sum + w, 0);
        const vocabulary = drawn
          .map((w, i) => token(texts[i] ?? `t${i}`, w / total))
          .sort((a, b) => b.logprob - a.logprob);
        const sampled = vocabulary[pick % vocabulary.length]!;
        const top = vocabulary.slice(0, k);
        const reported = { sampled, top: top.includes(sampled) ? top : [...top, sampled] };
        const score = scoreOf(reported, A, k);
        const truth = drawn.slice(0, 4).reduce((sum, w) => sum + w, 0) / total;
        fc.pre(score.status === "unknown");
        expect(Math.exp(score.status === "unknown" ? (score.upperBound ?? 0) : 0)).toBeGreaterThanOrEqual(
          truth - 1e-12,
        );
      }),
      { seed: 1, numRuns: 500 },
    );
  });
});

describe("readScores", () => {
  const read = (choice: object) => {
    const json = { choices: [choice] };
    return readScores({ json, text: JSON.stringify(json) }, { tokenTexts: new Map(), listLength: 20 }, SYMBOLS);
  };
  const top = { token: "B", logprob: Math.log(0.5) };
  const logprobs = { content: [{ ...top, top_logprobs: [top] }] };

  it.each([
    ["a filter", { message: { content: "" }, finish_reason: "content_filter", logprobs: null }],
    ["a filter behind the token", { message: { content: "B" }, finish_reason: "content_filter", logprobs }],
    ["a filter of Gemini's", { message: { content: "B" }, finish_reason: "content_filter: RECITATION", logprobs }],
    ["the model", { message: { content: null, refusal: "I will not." }, finish_reason: "stop" }],
    ["a filter of a text", { text: "", finish_reason: "content_filter" }],
  ])("is refused once and for all by %s: asked again it is paid for again", (_, choice) => {
    expect(() => read(choice)).toThrow(expect.objectContaining({ failure: "refused", trouble: "permanent" }));
  });

  it("reads numbers of an answer, and tries one without again", () => {
    expect(read({ message: { content: "B" }, finish_reason: "length", logprobs }).get(B)).toMatchObject({
      logprob: Math.log(0.5),
    });
    expect(() => read({ message: { content: "B" }, finish_reason: "length" })).toThrow(
      expect.objectContaining({ failure: "bad_response", trouble: "fault" }),
    );
  });
});
