import { describe, expect, it } from "vitest";
import { readerNeeds } from "../../src/verdict/reader-power.js";

/** So many questions, a rule that is right in the first of them, and guessing. */
function needs(questions: number, right: number, clusters: (item: number) => number = (item) => item) {
  const items = Array.from({ length: questions }, (_, item) => item);
  return readerNeeds({
    optionCount: 4,
    orders: 24,
    isOneOrder: false,
    clusters: items.map((item) => String(clusters(item))),
    rivals: [
      { rule: "medoid", shares: items.map((item) => Number(item < right)) },
      { rule: "random", shares: items.map(() => 1 / 4) },
    ],
  });
}

describe("the knowledge that a verdict takes", () => {
  it("is none where too few questions are left above the rule, whatever is known", () => {
    // Twelve of which a rule has six: 2^-6 > .01 for who knows all.
    expect(needs(12, 6)).toEqual({ unsteady: null, aboveFloor: null });
  });

  it("is about what the power of the test says by hand", () => {
    // 200 questions, a rule at .4. Invariant accuracy k against it, independent: d is 1 in .6k, -1 in .4(1 - k). For 80 % at
    // one-sided .01, mean = (2.326 + .842) sd/sqrt(200), k - .4 = 3.168 sqrt(.6k + .4(1 - k) - (k - .4)^2)/14.14: k = .557.
    const { aboveFloor, unsteady } = needs(200, 80);
    expect(aboveFloor).toBeGreaterThanOrEqual(0.53);
    expect(aboveFloor).toBeLessThanOrEqual(0.59);
    // Guesses give a quarter of the rest: k + (1 - k)/4 is as high at about a third less.
    expect(unsteady).toBeLessThan(aboveFloor!);
    expect(unsteady).toBeGreaterThanOrEqual(0.34);
    expect(unsteady).toBeLessThanOrEqual(0.44);
  });

  it("is less with more questions, and more where questions are hunks of few tasks", () => {
    const [few, many, hunks] = [needs(60, 24), needs(600, 240), needs(60, 24, (item) => item % 12)];
    expect(many.aboveFloor).toBeLessThan(few.aboveFloor!);
    expect(hunks.aboveFloor ?? 1).toBeGreaterThanOrEqual(few.aboveFloor!);
  });

  it("is the same by the exact test and by its limit, to a few points", () => {
    // 40 clusters are tested exactly, 41 by the limit.
    expect(Math.abs((needs(40, 16).aboveFloor ?? 1) - (needs(41, 16).aboveFloor ?? 1))).toBeLessThanOrEqual(0.06);
  });
});
