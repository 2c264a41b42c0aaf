import { describe, expect, it } from "vitest";
import { answerCost, Tally } from "../../../../src/suites/codereviewqa/record/tally.js";
import { makeAnswer, TIE, UNAVAILABLE } from "../../../fixtures/answer.js";
import { FAILED, makeGeneration, text } from "../../../fixtures/generation.js";

/** 1 EUR a token of a prompt, 10 EUR one generated. */
const PRICE = { currency: "EUR", input: 1e6, output: 1e7, as_of: "2026-11-01" };

describe("Tally", () => {
  it("counts answers and generations by status, and failures by kind, in alphabetical order", () => {
    const tally = new Tally();
    tally.addAnswer(makeAnswer());
    tally.addAnswer(makeAnswer({ outcome: TIE }));
    tally.addAnswer(makeAnswer({ outcome: UNAVAILABLE }));
    for (const outcome of [text("x"), text("x", "length"), text(""), FAILED, { ...FAILED, failure: "refused" }]) {
      tally.addGeneration(makeGeneration({ outcome }));
    }
    expect(tally.totals()).toMatchObject({
      counts: { chosen: 1, undecided: 1, failed: 1, failures: { unavailable: 1 } },
      generation_counts: { complete: 1, truncated: 1, empty: 1, failed: 2, failures: { refused: 1, unavailable: 1 } },
    });
  });

  it("adds up tokens over both, and leaves absent what nothing tells", () => {
    const tally = new Tally();
    expect(tally.totals().tokens).toEqual({ prompt: null, cached: null, completion: null });
    tally.addAnswer(makeAnswer({ promptTokens: 50, cachedTokens: 20 }));
    // 100 of the prompt, 7 written
    tally.addGeneration(makeGeneration());
    expect(tally.totals().tokens).toEqual({ prompt: 150, cached: 20, completion: 7 });
  });

  it("prices the prompts, one token an answer, and the tokens written", () => {
    const tally = new Tally();
    tally.addAnswer(makeAnswer({ promptTokens: 50 }));
    tally.addGeneration(makeGeneration());
    // 150 + 10 × (1 + 7)
    expect(tally.cost(PRICE)).toBeCloseTo(230, 9);
    expect(tally.cost(null)).toBeNull();
  });

  it("prices what was thought in place of the one token, also where it came to nothing, and each answer alone", () => {
    const tally = new Tally();
    const thought = makeAnswer({ promptTokens: 50, completionTokens: 41 });
    const tooLong = { status: "failed" as const, failure: "thought_too_long", detail: "no letter" };
    const lost = makeAnswer({ promptTokens: 50, completionTokens: 30, outcome: tooLong });
    for (const answer of [thought, lost, makeAnswer({ promptTokens: 50 })]) tally.addAnswer(answer);
    expect(tally.totals().tokens.completion).toBe(71);
    // 3 × 50 + 10 × (41 + 30 + 1)
    expect(tally.cost(PRICE)).toBeCloseTo(870, 9);
    // 50 + 10 × 41, 50 + 10 × 30
    expect([thought, lost].map((answer) => answerCost(answer, PRICE))).toEqual([460, 350]);
    tally.addAnswer(makeAnswer({ completionTokens: null }));
    expect(tally.cost(PRICE)).toBeNull();
  });

  it("knows no cost where a reply did not tell the tokens of its prompt, or failed as it was; an outage costs nothing", () => {
    const costWith = (answer: Parameters<typeof makeAnswer>[0]) => {
      const tally = new Tally();
      tally.addAnswer(makeAnswer({ promptTokens: 50 }));
      tally.addAnswer(makeAnswer({ promptTokens: null, ...answer }));
      return tally.cost(PRICE);
    };
    const failed = (failure: string) => ({ status: "failed" as const, failure, detail: "no" });
    expect(costWith({})).toBeNull();
    for (const failure of ["bad_response", "refused", "thought_too_long"])
      expect(costWith({ outcome: failed(failure) })).toBeNull();
    // 50 + 10 of the one that was answered.
    expect(costWith({ outcome: UNAVAILABLE })).toBeCloseTo(60, 9);
    // But for one whose lost replies may have been paid for.
    expect(costWith({ outcome: UNAVAILABLE, costBound: 1 })).toBeNull();
    const tally = new Tally();
    tally.addAnswer(makeAnswer({ promptTokens: 50 }));
    tally.addGeneration(makeGeneration({ promptTokens: null, outcome: failed("bad_response") }));
    expect(tally.cost(PRICE)).toBeNull();
  });

  it("knows no cost where a generation's tokens are not told", () => {
    const tally = new Tally();
    tally.addGeneration(makeGeneration({ outcome: { status: "generated", text: "x", end: "stop", tokens: null } }));
    expect(tally.cost(PRICE)).toBeNull();
  });
});
