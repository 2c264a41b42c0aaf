import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { countBy } from "../../../../src/base/grouping.js";
import { symbolsFor } from "../../../../src/base/symbol.js";
import { drawnFirstOrder, orderName, permutationCount, permutationsOf } from "../../../../src/question/permutations.js";
import type { Answer } from "../../../../src/suites/codereviewqa/answer/answer.js";
import {
  positionBias,
  scoreQuestion,
  scoreQuestionOf,
} from "../../../../src/suites/codereviewqa/metric/question-score.js";
import { answersUnder, choice, makeAnswer, ORDERS_OF_THREE, pick, TIE, UNAVAILABLE } from "../../../fixtures/answer.js";
import { A, B, C, D } from "../../../fixtures/symbols.js";

describe("scoreQuestion", () => {
  it("of the right option under all orders is invariant-correct with full agreement", () => {
    const score = scoreQuestion(
      answersUnder(ORDERS_OF_THREE, (permutation) => pick(permutation, 0)),
      6,
    );
    expect(score).toMatchObject({
      permutations: 6,
      answered: 6,
      correctPermutations: 6,
      invariantCorrect: true,
      lost: false,
      pluralityOption: 0,
      pluralityAgreement: 1,
      meanAccuracy: 1,
    });
    // option 0 stands twice at each of the three symbols
    expect(score.symbolCounts).toEqual(
      new Map([
        [A, 2],
        [B, 2],
        [C, 2],
      ]),
    );
  });

  it("of one wrong option under all orders has full agreement and no accuracy", () => {
    const score = scoreQuestion(
      answersUnder(ORDERS_OF_THREE, (permutation) => pick(permutation, 2)),
      6,
    );
    expect(score).toMatchObject({
      invariantCorrect: false,
      lost: false,
      pluralityOption: 2,
      pluralityAgreement: 1,
      meanAccuracy: 0,
    });
  });

  it.each([2, 3, 4])("of a model that always says A is exactly 1/N with %i options", (n) => {
    const answers = answersUnder(permutationsOf(n).map(orderName), (permutation) => choice(permutation, A));
    const score = scoreQuestion(answers, permutationCount(n));
    // each option stands at A in (N-1)! of the N! orders: all tie for the plurality
    expect(score.pluralityAgreement).toBe(1 / n);
    expect(score.meanAccuracy).toBe(1 / n);
    expect(score.pluralityOption).toBeNull();
    expect(score.invariantCorrect).toBe(false);
    expect(score.symbolCounts).toEqual(new Map([[A, permutationCount(n)]]));
  });

  it("counts a tied plurality but names no option", () => {
    // option 0 three times, option 1 three times: k = 3
    const score = scoreQuestion(
      answersUnder(ORDERS_OF_THREE, (permutation, i) => pick(permutation, i % 2)),
      6,
    );
    expect(score.pluralityAgreement).toBe(3 / 6);
    expect(score.pluralityOption).toBeNull();
    expect(score.meanAccuracy).toBe(3 / 6);
  });

  it("takes the plurality over options, not letters", () => {
    // A under five orders (options 0, 0, 1, 1, 2), option 1 under 210, where it stands at B: option 1 leads with 3
    const score = scoreQuestion(
      answersUnder(ORDERS_OF_THREE, (permutation, i) => (i === 5 ? pick(permutation, 1) : choice(permutation, A))),
      6,
    );
    expect(score.pluralityOption).toBe(1);
    expect(score.pluralityAgreement).toBe(3 / 6);
  });

  it("with a failed order is not invariant-correct, and has no agreement or mean accuracy", () => {
    const score = scoreQuestion(
      answersUnder(ORDERS_OF_THREE, (permutation, i) => (i === 3 ? UNAVAILABLE : pick(permutation, 0))),
      6,
    );
    expect(score).toMatchObject({
      answered: 5,
      failed: 1,
      correctPermutations: 5,
      invariantCorrect: false,
      lost: true,
      pluralityAgreement: null,
      meanAccuracy: null,
    });
  });

  it("with an undecided order is not invariant-correct, but complete", () => {
    const score = scoreQuestion(
      answersUnder(ORDERS_OF_THREE, (permutation, i) => (i === 3 ? TIE : pick(permutation, 0))),
      6,
    );
    expect(score).toMatchObject({
      answered: 6,
      undecided: 1,
      failed: 0,
      invariantCorrect: false,
      lost: true,
      pluralityAgreement: 5 / 6,
      meanAccuracy: 5 / 6,
    });
  });

  it("is not lost when an order was answered wrongly beside the failed one", () => {
    const score = scoreQuestion(
      answersUnder(ORDERS_OF_THREE, (permutation, i) => (i === 3 ? UNAVAILABLE : pick(permutation, i === 0 ? 1 : 0))),
      6,
    );
    expect(score).toMatchObject({ invariantCorrect: false, lost: false });
  });

  it("that stopped at its first wrong order has no agreement and no mean accuracy", () => {
    const score = scoreQuestion(
      answersUnder(["012", "021"], (permutation, i) => pick(permutation, i)),
      6,
    );
    expect(score).toMatchObject({
      answered: 2,
      correctPermutations: 1,
      invariantCorrect: false,
      lost: false,
      pluralityAgreement: null,
      meanAccuracy: null,
    });
  });

  it("without a single choice has no option and agreement 0", () => {
    const score = scoreQuestion(
      answersUnder(ORDERS_OF_THREE, () => TIE),
      6,
    );
    expect(score).toMatchObject({ pluralityOption: null, pluralityAgreement: 0, meanAccuracy: 0, undecided: 6 });
  });

  it("takes the smallest margin and the mean mass of those known", () => {
    const answers = [
      makeAnswer({ outcome: choice("012", A, 0.5), symbolMass: 0.5 }),
      makeAnswer({ outcome: choice("012", A, 0.25), symbolMass: null }),
      makeAnswer({ outcome: choice("012", A), symbolMass: 1 }),
    ];
    // (0.5 + 1) / 2
    expect(scoreQuestion(answers, 6)).toMatchObject({ minMargin: 0.25, meanSymbolMass: 0.75 });
  });

  it("takes the mean length of the thoughts before those answers that tell it", () => {
    const answers = [makeAnswer({ thinkingTokens: 10 }), makeAnswer({ thinkingTokens: 40 }), makeAnswer()];
    // (10 + 40) / 2
    expect(scoreQuestion(answers, 6).thinkingTokens).toBe(25);
    expect(scoreQuestion([makeAnswer()], 6)).not.toHaveProperty("thinkingTokens");
  });

  it("leaves margin and mass absent when no answer has them", () => {
    expect(scoreQuestion([makeAnswer()], 6)).toMatchObject({ minMargin: null, meanSymbolMass: null });
    expect(scoreQuestion([makeAnswer({ outcome: UNAVAILABLE })], 6)).toMatchObject({
      minMargin: null,
      meanSymbolMass: null,
      pluralityOption: null,
    });
  });

  it("refuses a question without answers", () => {
    expect(() => scoreQuestion([], 6)).toThrow(RangeError);
  });

  it("never holds NaN and never agrees less than 1/N when all orders chose", () => {
    const letters = fc.array(fc.constantFrom(A, B, C), { minLength: 6, maxLength: 6 });
    fc.assert(
      fc.property(letters, (chosen) => {
        const score = scoreQuestion(
          answersUnder(ORDERS_OF_THREE, (permutation, i) => choice(permutation, chosen[i]!)),
          6,
        );
        expect(score.pluralityAgreement).toBeGreaterThanOrEqual(1 / 3);
        expect(score.pluralityAgreement).toBeLessThanOrEqual(1);
        expect(score.invariantCorrect).toBe(score.meanAccuracy === 1);
        expect(Object.values(score).some(Number.isNaN)).toBe(false);
      }),
      { seed: 1 },
    );
  });
});

describe("countBy", () => {
  it("counts each value", () => {
    expect(countBy(["x", "y", "x"])).toEqual(
      new Map([
        ["x", 2],
        ["y", 1],
      ]),
    );
  });
});

describe("positionBias", () => {
  it("of a model that always says A is 1, with chi-square n(N-1)", () => {
    // n = 24, N = 4, expected 6 each: (24-6)²/6 + 3 * 6²/6 = 54 + 18 = 72 = 24 * 3
    expect(positionBias(new Map([[A, 24]]), [A, B, C, D])).toEqual({
      largestShare: 1,
      symbol: A,
      chiSquare: 72,
      n: 24,
    });
  });

  it("of equal counts is 1/N with chi-square 0, and names the first symbol", () => {
    const counts = new Map([
      [C, 8],
      [B, 8],
      [A, 8],
    ]);
    expect(positionBias(counts, [A, B, C])).toEqual({ largestShare: 1 / 3, symbol: A, chiSquare: 0, n: 24 });
  });

  it("adds up squared differences from the expected count", () => {
    // 1, 4, 1 of 6, expected 2: (1 + 4 + 1)/2 = 3
    const counts = new Map([
      [A, 1],
      [B, 4],
      [C, 1],
    ]);
    expect(positionBias(counts, [A, B, C])).toEqual({ largestShare: 4 / 6, symbol: B, chiSquare: 3, n: 6 });
  });

  it("is absent when nothing was chosen", () => {
    expect(positionBias(new Map(), [A, B, C])).toBeNull();
    expect(positionBias(new Map([[A, 0]]), [A, B, C])).toBeNull();
  });

  it("lies between no bias and always the same symbol", () => {
    const counts = fc.integer({ min: 2, max: 4 }).chain((n) => fc.array(fc.nat(50), { minLength: n, maxLength: n }));
    fc.assert(
      fc.property(counts, (values) => {
        const symbols = symbolsFor(values.length);
        const bias = positionBias(new Map(symbols.map((symbol, i) => [symbol, values[i]!])), symbols);
        fc.pre(bias !== null);
        expect(bias.largestShare).toBeGreaterThanOrEqual(1 / symbols.length);
        expect(bias.largestShare).toBeLessThanOrEqual(1);
        expect(bias.chiSquare).toBeGreaterThanOrEqual(0);
        expect(bias.chiSquare).toBeLessThanOrEqual(bias.n * (symbols.length - 1) + 1e-9);
      }),
      { seed: 1 },
    );
  });
});

describe("scoreQuestionOf a run that stopped early", () => {
  const run = { parameters: { early_stop: true, first_order: "random", seed: 3 } };
  const first = drawnFirstOrder(makeAnswer(), 6, 3);
  const other = (first + 1) % 6;
  const under = (index: number, outcome: Answer["outcome"]) =>
    makeAnswer({ permutationIndex: index, permutation: ORDERS_OF_THREE[index] ?? "", outcome });
  const right = (index: number) => pick(ORDERS_OF_THREE[index] ?? "", 0);
  const wrong = (index: number) => pick(ORDERS_OF_THREE[index] ?? "", 1);

  it("has the accuracy of the order that was drawn first, whatever the others came to", () => {
    const asked = [under(other, wrong(other)), under(first, right(first))];
    expect(scoreQuestionOf(run, asked)).toMatchObject({ meanAccuracy: 1, pluralityAgreement: null });
    expect(scoreQuestionOf(run, [under(first, wrong(first))]).meanAccuracy).toBe(0);
    expect(scoreQuestionOf(run, [under(first, TIE)]).meanAccuracy).toBe(0);
  });

  it("has none where that order failed, or was not asked", () => {
    expect(scoreQuestionOf(run, [under(first, UNAVAILABLE)]).meanAccuracy).toBeNull();
    expect(scoreQuestionOf(run, [under(other, right(other))]).meanAccuracy).toBeNull();
  });

  it("has none where the first order was not drawn, or by a seed that was not recorded", () => {
    const all = ORDERS_OF_THREE.map((_, index) => under(index, right(index)));
    expect(scoreQuestionOf(run, all).meanAccuracy).toBe(1);
    expect(scoreQuestionOf({ parameters: { early_stop: true, seed: 3 } }, all).meanAccuracy).toBeNull();
    expect(scoreQuestionOf({ parameters: { early_stop: true, first_order: "random" } }, all).meanAccuracy).toBeNull();
  });
});
