import { describe, expect, it } from "vitest";
import { compareQuestions, type QuestionPair } from "../../../src/metric/paired/compare-questions.js";
import type { QuestionScore } from "../../../src/metric/question-score.js";
import { makeScore } from "../../fixtures/question-score.js";

const OPTIONS = { seed: 0, resamples: 500 };
const WRONG: Partial<QuestionScore> = { invariantCorrect: false, correctPermutations: 3, meanAccuracy: 0.5 };

/** A pair about an example, by which of the two runs is right. */
function pair(
  exampleId: string,
  right: "both" | "baseline" | "candidate" | "none",
  more: Partial<QuestionScore> = {},
): QuestionPair {
  const score = (isRight: boolean) => makeScore({ exampleId, ...(isRight ? {} : WRONG), ...more });
  return {
    baseline: score(right === "both" || right === "baseline"),
    candidate: score(right === "both" || right === "candidate"),
  };
}

const hard = { task: "CL", difficulty: "hard" } as const;

describe("compareQuestions", () => {
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
    const stopped: QuestionPair = {
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
