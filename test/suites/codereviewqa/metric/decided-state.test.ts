import { describe, expect, it } from "vitest";
import { floorsOfForm } from "../../../../src/question/floors/floors.js";
import { decidedStateOf, type JudgedChoices } from "../../../../src/suites/codereviewqa/metric/form-judgement.js";
import { makeFloors } from "../../../fixtures/question-floors.js";
import { makeScore } from "../../../fixtures/question-score.js";

type Shares = Readonly<Record<string, number>>;

const times = <T>(count: number, item: T): T[] => Array<T>(count).fill(item);

/** A form of three options whose rules have these shares, and of which the first questions were asked: all right, or all wrong. */
function asked(count: number, isRight: boolean, shares: readonly Shares[]): JudgedChoices {
  const floors = floorsOfForm(shares.map((own, i) => makeFloors({ exampleId: `${i}`, shares: own })));
  const score = isRight ? {} : { correctPermutations: 0, invariantCorrect: false, meanAccuracy: 0 };
  return {
    optionCount: 3,
    scores: Array.from({ length: count }, (_, i) => makeScore({ exampleId: `${i}`, ...score })),
    floors,
  };
}

describe("the verdict of a form that is still being asked", () => {
  it("is decided once a bettor has 300 times his stake", () => {
    // Guessing is the hardest rule: 2/3 more each. Σ (1 + 2λ/3)^n / 10 over the ten stakes λ = .05 … .95 is 210 for n = 14,
    // and 327 for 15.
    const shares = times(40, { longest: 0 });
    expect(decidedStateOf(asked(14, true, shares))).toBeNull();
    expect(decidedStateOf(asked(15, true, shares))).toBe("above_floor");
  });

  it("is not decided where rules are not known of every question that was asked", () => {
    const shares = times(20, { longest: 0 });
    expect(decidedStateOf(asked(20, true, shares))).toBe("above_floor");
    expect(decidedStateOf(asked(21, true, shares))).toBeNull();
    expect(decidedStateOf({ ...asked(20, true, shares), floors: null })).toBeNull();
  });

  it("is not decided where no rule was applied to all questions of the form, asked or not", () => {
    const shares = [...times(20, { longest: 0 }), { shortest: 0 }];
    expect(decidedStateOf(asked(20, true, shares))).toBeNull();
  });

  it("is not decided where questions stopped early and none was answered under the order drawn first", () => {
    const form = asked(20, true, times(20, { longest: 0 }));
    expect(decidedStateOf({ ...form, isEarlyStop: true })).toBe("above_floor");
    const scores = form.scores.map((score) => ({ ...score, meanAccuracy: null }));
    expect(decidedStateOf({ ...form, scores, isEarlyStop: true })).toBeNull();
  });

  it("is at the floor below the rule that gets most of the whole form; of two that do, the one that is named first", () => {
    // Each gets 20 of 40, the first of them those that were asked: all 20 of these were missed, 1.95^20 at the highest stake.
    const own = times(20, { longest: 1, shortest: 0 });
    const others = times(20, { longest: 0, shortest: 1 });
    expect(decidedStateOf(asked(20, false, [...own, ...others]))).toBe("at_floor");
    // Where the other is first nothing is shown of the difference to it, which is 0 in all that were asked.
    const turned = [...own, ...others].map(({ longest, shortest }) => ({ shortest, longest }));
    expect(decidedStateOf(asked(20, false, turned))).toBeNull();
  });

  // Forty questions; the best rule guesses, and differs by a third from each: 1.317^40 is 60,000 times a stake of 0.95.
  const lost = { invariantCorrect: false, lost: true, meanAccuracy: null };
  it.each([
    ["unsteady", "two orders of six", { correctPermutations: 4, answered: 4, failed: 2 }],
    ["at_floor", "all orders", { correctPermutations: 0, answered: 0, failed: 6 }],
  ] as const)(
    "is not decided to be %s by orders that failed: %s, any of which may be right when it is asked again",
    (state, _, failed) => {
      const form = asked(40, true, times(40, { longest: 0 }));
      const scores = form.scores.map((score) => ({ ...score, ...failed, ...lost }));
      expect(decidedStateOf({ ...form, scores })).toBeNull();
      // Undecided orders were answered, and are not right.
      const undecided = scores.map((score) => ({ ...score, answered: 6, failed: 0, undecided: failed.failed }));
      expect(decidedStateOf({ ...form, scores: undecided })).toBe(state);
    },
  );

  it("is not decided by the order drawn first, where questions stop early and it failed in all but one", () => {
    const form = { ...asked(40, true, times(40, { longest: 0 })), isEarlyStop: true };
    const scores = form.scores.map((score, i) => (i === 0 ? score : { ...score, ...lost, failed: 6, answered: 0 }));
    expect(decidedStateOf({ ...form, scores })).toBeNull();
  });
});
