import { describe, expect, it } from "vitest";
import { judgeChoices, reviewUnneeded } from "../../../../src/suites/codereviewqa/metric/form-judgement.js";
import type { QuestionScore } from "../../../../src/suites/codereviewqa/metric/question-score.js";
import { judgementText } from "../../../../src/verdict/judgement.js";
import { formOf, times, WRONG } from "../../../fixtures/judged-form.js";

describe("reviewUnneeded", () => {
  const form = formOf(times(20, {}));
  const control = (score: (i: number) => Partial<QuestionScore>) => ({
    scores: form.scores.map((each, i) => ({ ...each, ...score(i) })),
  });

  it("finds that as much is right without the review, and keeps the verdict from being better than words", () => {
    const unneeded = reviewUnneeded(form, [control(() => ({}))]);
    expect(unneeded).toMatchObject({ with: 1, pValue: 1, without: { score: 1 } });
    const judged = judgeChoices({ ...form, unneeded });
    expect(judged).toMatchObject({ state: "matches_words", score: 1 });
    expect(judgementText(judged)).toMatch(/^the review was not needed: mean accuracy 100\.0 % is above every rule/);
  });

  it("finds nothing where the control is at the floor, or the review helps beyond chance", () => {
    expect(reviewUnneeded(form, [])).toBeNull();
    expect(reviewUnneeded(form, [control(() => WRONG)])).toBeNull();
    expect(reviewUnneeded({ ...form, floors: null }, [control(() => ({}))])).toBeNull();
    // 13 of 20 without it is above every rule (guessing: 1/3; p = 0.0044), and seven fewer than all: p = 2^−7.
    expect(reviewUnneeded(form, [control((i) => (i < 13 ? {} : WRONG))])).toBeNull();
    // 14 of 20: six fewer, p = 2^−6 = 0.016.
    expect(reviewUnneeded(form, [control((i) => (i < 14 ? {} : WRONG))])).toMatchObject({ pValue: 2 ** -6 });
  });

  it("counts orders that failed without the review as right: a failure is none of the review's worth", () => {
    // The fixture's question has six orders; of each, one failed without the review.
    const failing = control(() => ({
      invariantCorrect: false,
      lost: true,
      correctPermutations: 5,
      answered: 5,
      failed: 1,
    }));
    const unneeded = reviewUnneeded(form, [failing]);
    expect(unneeded).toMatchObject({ with: 1, most: 1, pValue: 1, without: { score: 5 / 6 } });
    expect(judgementText(judgeChoices({ ...form, unneeded }))).toMatch(
      /^the review was not needed: .*, 83\.3 % \(.*\); with it .* higher than the 100\.0 % that it may be without, where orders failed \(p/,
    );
  });

  it("is said of a form that is at its floor itself", () => {
    // None of 20 with the review, all without it, where guessing gives a third: p = 2^−20.
    const wrong = formOf(times(20, { score: WRONG }));
    const unneeded = reviewUnneeded(wrong, [control(() => ({}))]);
    const judged = judgeChoices({ ...wrong, unneeded });
    expect(judged).toMatchObject({ state: "at_floor", meanAccuracy: 0, pValue: 1 });
    expect(judgementText(judged)).toMatch(
      /^at its floor: mean accuracy 0\.0 % is not shown .*; without the review 100\.0 % is above every rule that does not read the review \(.*\): with it 0\.0 % on the same questions, not shown to be higher \(p = 1\.0000\)$/,
    );
  });

  it("finds nothing where questions stopped early and either side has no order drawn first", () => {
    const early = { ...form, isEarlyStop: true };
    const undrawn = control(() => ({ meanAccuracy: null }));
    expect(reviewUnneeded(early, [control(() => ({}))])).toMatchObject({ with: 1 });
    expect(reviewUnneeded(early, [undrawn])).toBeNull();
    expect(reviewUnneeded({ ...early, ...undrawn }, [control(() => ({}))])).toBeNull();
  });

  it("asks more of a review whose questions are asked until the verdict is decided", () => {
    const sequential = { ...formOf(times(40, {})), isSequential: true };
    const without = (right: number) => ({
      scores: sequential.scores.map((each, i) => ({ ...each, ...(i < right ? {} : WRONG) })),
    });
    // 8 of 40 fewer: p = 2^−8 of a fixed number; of a bettor 3 / (Σ (1 + λ)^8 / 10), 1.05^8 + … + 1.95^8 = 563.6.
    expect(reviewUnneeded({ ...sequential, isSequential: false }, [without(32)])).toBeNull();
    expect(reviewUnneeded(sequential, [without(32)])?.pValue).toBeCloseTo(3 / 56.36, 4);
  });
});
