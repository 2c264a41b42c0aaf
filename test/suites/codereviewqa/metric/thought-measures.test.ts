import { describe, expect, it } from "vitest";
import {
  partialRankCorrelation,
  questionBias,
  thoughtMeasures,
} from "../../../../src/suites/codereviewqa/metric/thought-measures.js";
import { makeScore } from "../../../fixtures/question-score.js";
import { A, B, C, D } from "../../../fixtures/symbols.js";

const counts = (...of: number[]) =>
  new Map([A, B, C, D].flatMap((symbol, i) => (i < of.length ? [[symbol, of[i]!]] : [])));

describe("the position bias of a question", () => {
  it("is the distance of its letters from uniform", () => {
    // Shares 1 0 0 0: ½ (.75 + 3 · .25) = .75; ½ ½ 0 0: ½ (4 · .25) = .5.
    expect(questionBias({ symbolCounts: counts(24) }, 4)).toBe(0.75);
    expect(questionBias({ symbolCounts: counts(2, 2) }, 4)).toBe(0.5);
    expect(questionBias({ symbolCounts: counts(6, 6, 6) }, 3)).toBe(0);
    expect(questionBias({ symbolCounts: new Map() }, 4)).toBeNull();
  });

  it("is the same to the bit for letters that are equally far from uniform: unequal ones have other ranks", () => {
    // Of 24 letters 3 too many, the rest too few by as many: 3/24.
    const found = [
      [9, 5, 5, 5],
      [7, 8, 5, 4],
      [7, 7, 7, 3],
    ].map((of) => questionBias({ symbolCounts: counts(...of) }, 4));
    expect(found).toEqual([1 / 8, 1 / 8, 1 / 8]);
  });
});

describe("measures of thoughts", () => {
  /** Eight questions: the longer the thoughts, the more answers are A, none of them right. */
  const scores = Array.from({ length: 8 }, (_, i) =>
    makeScore({
      exampleId: `e${i}`,
      answered: 8,
      correctPermutations: 0,
      symbolCounts: counts(i, 8 - i),
      thinkingTokens: (i + 1) * 10,
    }),
  );
  const measured = (name: string, of = scores) =>
    thoughtMeasures(of, 2, null).find(({ metric }) => metric === name)?.value;

  it("are none without thoughts", () => {
    expect(thoughtMeasures([makeScore({})], 4, null)).toEqual([]);
  });

  it("hold length against position bias, by quarters of the questions", () => {
    // Shares of A 0 1/8 … 7/8: distances from ½ are .5 .375 .25 .125 0 .125 .25 .375.
    expect(measured("thinking_tokens")).toBe(45);
    expect(measured("thought_bias_q1")).toBeCloseTo((0.5 + 0.375) / 2, 12);
    expect(measured("thought_bias_q2")).toBeCloseTo((0.25 + 0.125) / 2, 12);
    expect(measured("thought_bias_q3")).toBeCloseTo((0 + 0.125) / 2, 12);
    expect(measured("thought_bias_q4")).toBeCloseTo((0.25 + 0.375) / 2, 12);
    expect(thoughtMeasures(scores, 2, null).find(({ metric }) => metric === "thought_bias_q4")?.note).toBe(
      "thoughts of 70 to 80 tokens",
    );
    // In whatever order they were asked.
    expect(measured("thought_bias_q1", scores.toReversed())).toBeCloseTo((0.5 + 0.375) / 2, 12);
  });

  it("correlate them with accuracy held fixed: it does not vary here, so all of it is of length", () => {
    const growing = scores.map((score, i) => ({ ...score, symbolCounts: counts(8 + i, 8 - i) }));
    expect(measured("thought_bias_correlation", growing)).toBe(1);
  });

  it("hold accuracy fixed: what it explains is not of length", () => {
    // Biases 0 .125 .375 .25 and accuracies 2/8 1/8 3/8 4/8, the longer the thoughts: the ranks below, .32/.48.
    const questions = [
      [4, 2],
      [5, 1],
      [7, 3],
      [6, 4],
    ].map(([ofA = 0, right = 0], i) => ({
      ...scores[i]!,
      symbolCounts: counts(ofA, 8 - ofA),
      correctPermutations: right,
    }));
    expect(measured("thought_bias_correlation", questions)).toBeCloseTo(0.32 / 0.48, 12);
  });

  it("count answers that left the right option, and those that left it for the commonest letter", () => {
    const trace = (leftRight: [string, number][]) => ({
      answers: 4,
      settledAt: 0.5,
      switches: 2,
      leftRight: new Map(leftRight),
      rightAt: [0.5, 1],
    });
    const traced = [
      {
        ...makeScore({ exampleId: "a", symbolCounts: counts(3, 1), thinkingTokens: 5 }),
        trace: trace([
          ["A", 1],
          ["B", 1],
        ]),
      },
      { ...makeScore({ exampleId: "b", symbolCounts: counts(4), thinkingTokens: 5 }), trace: trace([]) },
    ];
    expect(measured("left_right_option", traced)).toBe(2 / 8);
    expect(measured("left_right_for_preferred", traced)).toBe(1 / 8);
    expect(measured("settled_at", traced)).toBe(0.5);
    expect(measured("answer_switches", traced)).toBe(4 / 8);
    expect(thoughtMeasures(traced, 2, null).find(({ metric }) => metric === "left_right_for_preferred")?.note).toBe(
      "of answers; the commonest letter is A",
    );
  });
});

type Case = readonly [number, number, number];

describe("the partial rank correlation", () => {
  it("is Spearman's own where the third measure does not vary", () => {
    // Ranks 1 2 3 4 against 1 2 4 3: 1 − 6·2/(4·15) = 0.8.
    const cases: Case[] = [
      [10, 1, 5],
      [20, 2, 5],
      [30, 40, 5],
      [40, 3, 5],
    ];
    expect(partialRankCorrelation(cases)).toEqual({ value: expect.closeTo(0.8, 12), low: null, high: null });
  });

  it("takes away what the third measure explains", () => {
    // r_xy = r_xz = .8 (one swap of neighbours in four ranks), r_yz = .4 (ranks of y 1 2 4 3, of z 2 1 3 4: 1 − 6·4/60 = .6).
    const cases: Case[] = [
      [1, 1, 2],
      [2, 2, 1],
      [3, 4, 3],
      [4, 3, 4],
    ];
    // (.8 − .8 · .6) / √((1 − .64)(1 − .36)) = .32 / .48.
    expect(partialRankCorrelation(cases)?.value).toBeCloseTo(0.32 / 0.48, 12);
  });

  it("gives equal values the mean of their ranks", () => {
    // x: 1.5 1.5 3; y: 1 2 3: covariance 1.5/√(1.5 · 2) = .866.
    const cases: Case[] = [
      [7, 1, 0],
      [7, 2, 0],
      [9, 3, 0],
    ];
    expect(partialRankCorrelation(cases)?.value).toBeCloseTo(Math.sqrt(3) / 2, 12);
  });

  it("has an interval from ten cases on, which holds it and stays within −1 and 1", () => {
    const cases = Array.from({ length: 40 }, (_, i): Case => [i, (i * 7) % 40, (i * 11) % 13]);
    const found = partialRankCorrelation(cases);
    expect(found?.low).toBeLessThan(found?.value ?? 0);
    expect(found?.high).toBeGreaterThan(found?.value ?? 0);
    expect(Math.abs(found?.low ?? 9)).toBeLessThan(1);
    expect(partialRankCorrelation(cases.slice(0, 9))?.low).toBeNull();
  });

  it("has the interval of Fisher's z with the variance of Bonett and Wright", () => {
    // Ranks that differ by 5, 5, 2, 2, 2, 2 in ten: r = 1 − 6 · 66/990 = .6; z = ½ ln 4 = .693147.
    const ranks = [6, 4, 3, 2, 5, 1, 7, 10, 9, 8];
    const found = partialRankCorrelation(ranks.map((rank, i): Case => [i, rank, 0]));
    // Half 1.959964 · √((1 + .18)/6) = .869187: tanh(−.176040) and tanh(1.562335).
    expect(found?.value).toBeCloseTo(0.6, 12);
    expect(found?.low).toBeCloseTo(-0.174244, 5);
    expect(found?.high).toBeCloseTo(0.915798, 5);
  });

  it("of ranks that agree in all has no interval: it would be of no width", () => {
    const cases = Array.from({ length: 12 }, (_, i): Case => [i, 2 * i, 0]);
    expect(partialRankCorrelation(cases)).toEqual({ value: expect.closeTo(1, 12), low: null, high: null });
  });

  it("is not defined where a measure does not vary, or the third one tells it", () => {
    expect(partialRankCorrelation([])).toBeNull();
    expect(
      partialRankCorrelation([
        [1, 1, 1],
        [1, 2, 3],
      ]),
    ).toBeNull();
    expect(
      partialRankCorrelation([
        [1, 1, 1],
        [2, 3, 2],
        [3, 2, 3],
      ]),
    ).toBeNull();
  });
});
