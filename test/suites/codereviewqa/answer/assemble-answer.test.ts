import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { symbolsFor } from "../../../../src/base/symbol.js";
import type { SymbolReply, SymbolScore } from "../../../../src/model/requests.js";
import type { AnswerPlace } from "../../../../src/suites/codereviewqa/answer/answer.js";
import {
  assembleAnswer,
  chooseAnswer,
  correctSymbol,
} from "../../../../src/suites/codereviewqa/answer/assemble-answer.js";
import { A, B, C, D, logprob, order } from "../../../fixtures/symbols.js";

const METER = { promptTokens: null, cachedTokens: null, durationMs: 0 };
const SHOWN = { symbols: [A, B, C], order: order("201") };

const known = (nats: number): SymbolScore => ({ status: "known", logprob: logprob(nats) });
const unknown = (upperBound: number | null): SymbolScore => ({
  status: "unknown",
  upperBound: upperBound === null ? null : logprob(upperBound),
});

/** A reply with these scores at A, B, C, D. */
function scored(...scores: SymbolScore[]): SymbolReply {
  return {
    status: "scored",
    scores: new Map(scores.map((score, i) => [symbolsFor(4)[i]!, score])),
    extraction: "full",
    ...METER,
  };
}

describe("chooseAnswer", () => {
  it("chooses the symbol with the highest log probability and the option that stands there", () => {
    // B is best; under the order 201 option 0, the right one, stands at B; margin -0.5 - (-1.25)
    expect(chooseAnswer(scored(known(-1.25), known(-0.5), known(-4)), SHOWN)).toEqual({
      status: "chosen",
      chosenSymbol: B,
      chosenOption: 0,
      correct: true,
      margin: 0.75,
    });
  });

  it("is wrong when the best symbol shows another option than 0", () => {
    expect(chooseAnswer(scored(known(-0.5), known(-1), known(-4)), SHOWN)).toEqual({
      status: "chosen",
      chosenSymbol: A,
      chosenOption: 2,
      correct: false,
      margin: 0.5,
    });
  });

  it("is undecided when two are equal at the top", () => {
    expect(chooseAnswer(scored(known(-1), known(-4), known(-1)), SHOWN)).toEqual({
      status: "undecided",
      reason: "tie",
    });
  });

  it("does not mind a tie below the top", () => {
    expect(chooseAnswer(scored(known(-4), known(-4), known(-1)), SHOWN)).toMatchObject({ chosenSymbol: C, margin: 3 });
  });

  it("is undecided when a symbol is unknown without a bound", () => {
    const reply = scored(known(-0.1), known(-4), unknown(null));
    expect(chooseAnswer(reply, SHOWN)).toEqual({ status: "undecided", reason: "unknown_symbol" });
  });

  it("is undecided when a symbol is missing from the reply", () => {
    expect(chooseAnswer(scored(known(-0.1), known(-4)), SHOWN)).toEqual({
      status: "undecided",
      reason: "unknown_symbol",
    });
  });

  it("chooses when an unknown symbol is bound below the best; the margin is then absent", () => {
    expect(chooseAnswer(scored(known(-1), known(-2), unknown(-1.5)), SHOWN)).toMatchObject({
      status: "chosen",
      chosenSymbol: A,
      margin: null,
    });
  });

  it("chooses when only the best is known and all others are bound below it", () => {
    expect(chooseAnswer(scored(known(-1), unknown(-3), unknown(-3)), SHOWN)).toMatchObject({
      status: "chosen",
      chosenSymbol: A,
      margin: null,
    });
  });

  it("is undecided when the unreported variants of a known symbol could lift it above the best", () => {
    const partly = (nats: number, most: number): SymbolScore =>
      ({ ...known(nats), upperBound: logprob(most) }) as SymbolScore;
    // A is -1 for certain; B is -1.5 by what was reported, and -0.9 if a missing spelling has all it may have.
    const undecided = { status: "undecided", reason: "unknown_symbol" };
    expect(chooseAnswer(scored(known(-1), partly(-1.5, -0.9), known(-4)), SHOWN)).toEqual(undecided);
    expect(chooseAnswer(scored(known(-1), partly(-1.5, -1.1), known(-4)), SHOWN)).toMatchObject({ chosenSymbol: A });
  });

  it.each([-1, -0.5])("is undecided when an unknown symbol may reach the best: bound %d, best -1", (bound) => {
    const reply = scored(known(-1), known(-2), unknown(bound));
    expect(chooseAnswer(reply, SHOWN)).toEqual({ status: "undecided", reason: "unknown_symbol" });
  });

  it("is undecided when nothing is known", () => {
    expect(chooseAnswer(scored(unknown(-1), unknown(-2), unknown(-3)), SHOWN)).toEqual({
      status: "undecided",
      reason: "unknown_symbol",
    });
  });

  it("ignores a symbol that was not shown, however probable", () => {
    const reply = scored(known(-3), known(-2), known(-4), known(-0.01));
    expect(chooseAnswer(reply, SHOWN)).toMatchObject({ chosenSymbol: B, margin: 1 });
  });

  it("takes a named symbol without a margin", () => {
    expect(chooseAnswer({ status: "named", symbol: B, extraction: "scripted", ...METER }, SHOWN)).toEqual({
      status: "chosen",
      chosenSymbol: B,
      chosenOption: 0,
      correct: true,
      margin: null,
    });
  });

  it("takes no named symbol that was not shown", () => {
    const reply: SymbolReply = { status: "named", symbol: D, extraction: "scripted", ...METER };
    expect(chooseAnswer(reply, SHOWN)).toEqual({ status: "undecided", reason: "unknown_symbol" });
  });

  it("keeps a failure a failure: never a letter", () => {
    const reply: SymbolReply = { status: "failed", failure: "context_overflow", detail: "too long", ...METER };
    expect(chooseAnswer(reply, SHOWN)).toEqual({ status: "failed", failure: "context_overflow", detail: "too long" });
  });

  it("follows the option, whatever the order it is shown in", () => {
    const scores = fc.uniqueArray(fc.integer({ min: -1000, max: 0 }), { minLength: 4, maxLength: 4 });
    const orders = fc.shuffledSubarray([0, 1, 2, 3], { minLength: 4, maxLength: 4 });
    fc.assert(
      fc.property(scores, orders, (byOption, digits) => {
        // The model scores options, not letters: its choice is the option with the highest score.
        const reply = scored(...digits.map((digit) => known(byOption[digit]!)));
        const outcome = chooseAnswer(reply, { symbols: [A, B, C, D], order: order(digits.join("")) });
        const sorted = [...byOption].sort((a, b) => b - a);
        expect(outcome).toMatchObject({
          chosenOption: byOption.indexOf(sorted[0]!),
          margin: sorted[0]! - sorted[1]!,
        });
      }),
      { seed: 1 },
    );
  });
});

describe("correctSymbol", () => {
  it("is where option 0 stands", () => {
    expect(correctSymbol({ symbols: [A, B, C, D], order: order("2013") })).toBe(B);
    expect(correctSymbol({ symbols: [A, B, C, D], order: order("3210") })).toBe(D);
  });

  it("needs the right option to be shown", () => {
    expect(() => correctSymbol({ symbols: [A, B], order: order("12") })).toThrow(RangeError);
  });
});

const IN_ORDER = { symbols: [A, B, C], order: order("012") };
const PLACE: AnswerPlace = {
  questionIndex: 3,
  task: "CTR",
  difficulty: null,
  exampleId: "abc",
  language: "go",
  changeType: "add",
  permutationIndex: 0,
  permutation: "012",
  correctSymbol: A,
};
const REPORTED = { promptTokens: 10, cachedTokens: 8, durationMs: 1.5 };

describe("assembleAnswer", () => {
  it("records log probabilities in the order of the symbols, and their mass", () => {
    const scores = new Map([
      [C, { status: "known", logprob: logprob(Math.log(0.125)) }],
      [A, { status: "known", logprob: logprob(Math.log(0.5)) }],
      [B, { status: "known", logprob: logprob(Math.log(0.25)) }],
    ] as const);
    const answer = assembleAnswer(
      PLACE,
      IN_ORDER,
      { status: "scored", scores, extraction: "full", ...REPORTED },
      "hash",
    );
    expect(answer).toMatchObject({ ...PLACE, ...REPORTED, extraction: "full", promptSha256: "hash" });
    expect(answer.logprobs).toEqual([
      { symbol: A, logprob: Math.log(0.5) },
      { symbol: B, logprob: Math.log(0.25) },
      { symbol: C, logprob: Math.log(0.125) },
    ]);
    // 0.5 + 0.25 + 0.125
    expect(answer.symbolMass).toBeCloseTo(0.875, 12);
    // ln 0.5 - ln 0.25 = ln 2
    expect(answer.outcome).toMatchObject({ status: "chosen", chosenSymbol: A, correct: true });
    expect(answer.outcome.status === "chosen" && answer.outcome.margin).toBeCloseTo(Math.LN2, 12);
  });

  it("records an unknown log probability as absent, and the mass with it; the bound is not a value", () => {
    const scores = new Map([
      [A, { status: "known", logprob: logprob(-0.5) }],
      [B, { status: "unknown", upperBound: logprob(-5) }],
    ] as const);
    const answer = assembleAnswer(PLACE, IN_ORDER, { status: "scored", scores, extraction: "full", ...REPORTED }, "");
    expect(answer.logprobs).toEqual([
      { symbol: A, logprob: -0.5 },
      { symbol: B, logprob: null },
      { symbol: C, logprob: null },
    ]);
    expect(answer.symbolMass).toBeNull();
  });

  it("has no log probabilities and no mass for a named symbol", () => {
    const reply: SymbolReply = { status: "named", symbol: B, extraction: "scripted", ...REPORTED };
    expect(assembleAnswer(PLACE, IN_ORDER, reply, "")).toMatchObject({
      logprobs: [],
      symbolMass: null,
      extraction: "scripted",
      outcome: { status: "chosen", chosenSymbol: B, chosenOption: 1, correct: false, margin: null },
    });
  });

  it("keeps the meter of a failure, and nothing that looks like an answer", () => {
    const reply: SymbolReply = { status: "failed", failure: "refused", detail: "no", ...REPORTED };
    expect(assembleAnswer(PLACE, IN_ORDER, reply, "")).toMatchObject({
      ...REPORTED,
      logprobs: [],
      symbolMass: null,
      extraction: null,
      outcome: { status: "failed", failure: "refused", detail: "no" },
    });
  });
});
