import { describe, expect, it } from "vitest";
import { comparePairs } from "../../../../src/suites/codereviewqa/compare/compare-pairs.js";
import type { GenerationResult } from "../../../../src/suites/codereviewqa/compare/draft-row.js";
import type { Pair } from "../../../../src/suites/codereviewqa/compare/paired-means.js";
import { type QuestionRow, rowLabel } from "../../../../src/suites/codereviewqa/compare/paired-row.js";
import type { QuestionScore } from "../../../../src/suites/codereviewqa/metric/question-score.js";
import { makeScore } from "../../../fixtures/question-score.js";

const OPTIONS = { seed: 0, resamples: 500 };
/** The rows of comparisons of questions alone. */
function compareQuestions(
  comparisons: readonly (readonly Pair<QuestionScore>[])[],
  options: typeof OPTIONS,
): QuestionRow[][] {
  const rows = comparePairs(
    comparisons.map((questions) => ({ questions, generations: [] })),
    options,
  );
  return rows.map((own) => own.filter((row) => row.kind === "questions"));
}

const WRONG: Partial<QuestionScore> = { invariantCorrect: false, correctPermutations: 3, meanAccuracy: 0.5 };

/** A pair about an example, by which of the two runs is right. */
function pair(
  exampleId: string,
  right: "both" | "baseline" | "candidate" | "none",
  more: Partial<QuestionScore> = {},
): Pair<QuestionScore> {
  const score = (isRight: boolean) => makeScore({ exampleId, ...(isRight ? {} : WRONG), ...more });
  return {
    baseline: score(right === "both" || right === "baseline"),
    candidate: score(right === "both" || right === "candidate"),
  };
}

const hard = { task: "CL", difficulty: "hard" } as const;

describe("comparePairs", () => {
  it("counts who alone is right, and tests that by McNemar's exact test", () => {
    // b = 1, c = 8: p = 20/512. Accuracies (2 + 1)/12 and (2 + 8)/12.
    const pairs = [
      ...["a", "b"].map((id) => pair(id, "both")),
      pair("c", "baseline"),
      ..."defghijk".split("").map((id) => pair(id, "candidate")),
      pair("l", "none"),
    ];
    const [rows] = compareQuestions([pairs], OPTIONS);
    expect(rows).toHaveLength(1);
    expect(rows?.[0]).toMatchObject({
      form: { task: "CTR", difficulty: null },
      examples: 12,
      onlyBaseline: 1,
      onlyCandidate: 8,
      test: "mcnemar_exact",
      pValue: 0.0390625,
      invariantAccuracy: { n: 12, baseline: 3 / 12, candidate: 10 / 12, difference: 7 / 12 },
    });
    const { low, high } = rows![0]!.invariantAccuracy.interval!;
    expect(low).toBeLessThan(7 / 12);
    expect(high).toBeGreaterThan(7 / 12);
    // Questions not right under all orders are right under half: (3 + 9/2)/12 and (10 + 2/2)/12.
    expect(rows?.[0]?.meanAccuracy).toMatchObject({ n: 12, baseline: 7.5 / 12, candidate: 11 / 12 });
  });

  it("gives a row a form and one over all, where an example's questions count as one observation", () => {
    const ids = ["a", "b", "c"];
    const pairs = ids.flatMap((id) => [pair(id, "candidate"), pair(id, "candidate", hard)]);
    const [rows] = compareQuestions([pairs], OPTIONS);
    expect(rows?.map(({ form }) => form)).toEqual([{ task: "CTR", difficulty: null }, hard, null]);
    // c = 3: 2/8, in each form and over all (three examples); six independent pairs would give 2/64.
    expect(rows?.map(({ pValue }) => pValue)).toEqual([0.25, 0.25, 0.25]);
    expect(rows?.[2]).toMatchObject({ examples: 3, test: "sign_flip_by_example", detectableDifference: null });
    expect(rows?.[2]?.invariantAccuracy).toMatchObject({ n: 6, difference: 1, interval: { low: 1, high: 1 } });
  });

  it("has no interval and no detectable difference for a single example", () => {
    const [rows] = compareQuestions([[pair("a", "candidate")]], OPTIONS);
    expect(rows?.[0]).toMatchObject({ pValue: 1, detectableDifference: null, invariantAccuracy: { interval: null } });
  });

  it("says nothing of mean accuracy and agreement where a run stopped early", () => {
    const stopped: Pair<QuestionScore> = {
      baseline: makeScore({ exampleId: "a" }),
      candidate: makeScore({ exampleId: "a", meanAccuracy: null, pluralityAgreement: null }),
    };
    const [rows] = compareQuestions([[stopped]], OPTIONS);
    expect(rows?.[0]).toMatchObject({ meanAccuracy: null, pluralityAgreement: null, invariantAccuracy: { n: 1 } });
  });

  it("takes mean accuracy over the questions that have it in both runs", () => {
    const failed = pair("b", "none", { meanAccuracy: null, pluralityAgreement: null, lost: true });
    const [rows] = compareQuestions([[pair("a", "candidate"), failed]], OPTIONS);
    expect(rows?.[0]?.meanAccuracy).toMatchObject({
      n: 1,
      baseline: 0.5,
      candidate: 1,
      difference: 0.5,
      interval: null,
    });
    expect(rows?.[0]?.invariantAccuracy).toMatchObject({ n: 2, candidate: 0.5 });
    expect(rows?.[0]?.lost).toEqual({ baseline: 1, candidate: 1 });
  });

  it("compares several pairs of runs, each as it would be alone", () => {
    const [up, down] = (["candidate", "baseline"] as const).map((right) =>
      ["a", "b", "c"].map((id) => pair(id, right)),
    );
    const [first, second] = compareQuestions([up!, down!], OPTIONS);
    expect(first).toEqual(compareQuestions([up!], OPTIONS)[0]);
    expect(second?.[0]).toMatchObject({ onlyBaseline: 3, onlyCandidate: 0, invariantAccuracy: { difference: -1 } });
  });
});

describe("comparePairs of generations", () => {
  /** A generation of both runs, by which of them matches; similarity 1 where one does, else 0.6. */
  function generation(exampleId: string, right: "both" | "baseline" | "candidate" | "none"): Pair<GenerationResult> {
    const result = (em: boolean) => ({ task: "ACR", exampleId, em, editSimilarity: em ? 1 : 0.6, lost: false });
    return {
      baseline: result(right === "both" || right === "baseline"),
      candidate: result(right === "both" || right === "candidate"),
    };
  }
  const FAILED = { em: false, editSimilarity: null, lost: true };

  it("tests exact matches by McNemar's exact test, and shows the similarity beside", () => {
    // b = 1, c = 8: p = 2 · (1 + 9) / 2^9 = 20/512. Matches (2 + 1)/12 and (2 + 8)/12.
    const generations = [
      ...["a", "b"].map((id) => generation(id, "both")),
      generation("c", "baseline"),
      ..."defghijk".split("").map((id) => generation(id, "candidate")),
      generation("l", "none"),
    ];
    const [[row] = []] = comparePairs([{ questions: [], generations }], OPTIONS);
    expect(row).toMatchObject({
      kind: "generations",
      form: { task: "ACR", difficulty: null },
      examples: 12,
      onlyBaseline: 1,
      onlyCandidate: 8,
      lost: { baseline: 0, candidate: 0 },
      test: "mcnemar_exact",
      pValue: 0.0390625,
      invariantAccuracy: { n: 12, baseline: 3 / 12, candidate: 10 / 12, difference: 7 / 12 },
    });
    expect(row?.detectableDifference).toBeGreaterThan(0.3);
    // Similarities: (3 + 9 · 0.6)/12 = 0.7 and (10 + 2 · 0.6)/12 = 0.9333.
    const similarity = row?.kind === "generations" ? row.editSimilarity : null;
    expect(similarity?.n).toBe(12);
    expect(similarity?.baseline).toBeCloseTo(0.7, 12);
    expect(similarity?.candidate).toBeCloseTo(11.2 / 12, 12);
    expect(similarity!.interval!.low).toBeLessThan(2.8 / 12);
    expect(similarity!.interval!.high).toBeGreaterThan(2.8 / 12);
  });

  it("takes a failed generation for no match and counts it as lost; it has no similarity", () => {
    const both = generation("a", "both");
    const failed = generation("b", "both");
    const generations = [both, { ...failed, candidate: { ...failed.candidate, ...FAILED } }];
    const [[row] = []] = comparePairs([{ questions: [], generations }], OPTIONS);
    expect(row).toMatchObject({
      onlyBaseline: 1,
      lost: { baseline: 0, candidate: 1 },
      invariantAccuracy: { n: 2, candidate: 0.5 },
      editSimilarity: { n: 1, difference: 0, interval: null },
    });
  });

  it("has no similarity at all where each failed in one of the runs", () => {
    const { baseline, candidate } = generation("a", "both");
    const generations = [{ baseline, candidate: { ...candidate, ...FAILED } }];
    const [[row] = []] = comparePairs([{ questions: [], generations }], OPTIONS);
    expect(row).toMatchObject({ editSimilarity: null, invariantAccuracy: { n: 1, difference: -1 } });
  });

  it("is a row of its own after the row over all questions, which it does not enter", () => {
    const ids = ["a", "b"];
    const questions = ids.flatMap((id) => [pair(id, "candidate"), pair(id, "candidate", hard)]);
    const generations = ids.map((id) => generation(id, "baseline"));
    const [rows = []] = comparePairs([{ questions, generations }], OPTIONS);
    expect(rows.map(rowLabel)).toEqual(["CTR", "CL hard", null, "ACR em"]);
    expect(rows.map(({ invariantAccuracy: { n, difference } }) => [n, difference])).toEqual([
      [2, 1],
      [2, 1],
      [4, 1],
      [2, -1],
    ]);
    expect(rows.slice(0, 3)).toEqual(compareQuestions([questions], OPTIONS)[0]);
    // One form of questions needs no row over all.
    const [one = []] = comparePairs([{ questions: [pair("a", "both")], generations }], OPTIONS);
    expect(one.map(rowLabel)).toEqual(["CTR", "ACR em"]);
  });
});
