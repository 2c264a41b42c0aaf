import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { signFlipTest, signFlipUpperTest, sumOfDraws } from "../../src/stats/p-values.js";

describe("the law of a sum of draws", () => {
  it("of no draws is 0 for certain", () => {
    expect(sumOfDraws([0.5, 0.5], 0)).toEqual({ from: 0, probabilities: Float64Array.of(1) });
  });

  it("of four coins is 1, 4, 6, 4, 1 sixteenths", () => {
    const { from, probabilities } = sumOfDraws([0.5, 0.5], 4);
    expect(from).toBe(0);
    expect([...probabilities]).toEqual([1 / 16, 4 / 16, 6 / 16, 4 / 16, 1 / 16]);
  });

  it("begins where a sum first can be", () => {
    // Each draw is 2 or 3: three draws give 6 to 9 with 1, 3, 3, 1 eighths.
    const { from, probabilities } = sumOfDraws([0, 0, 0.5, 0.5], 3);
    expect(from).toBe(6);
    expect([...probabilities]).toEqual([1 / 8, 3 / 8, 3 / 8, 1 / 8]);
  });

  it("keeps a whole probability and n times the mean and the variance", () => {
    const laws = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(laws, fc.integer({ min: 0, max: 300 }), (weights, n) => {
        const total = weights.reduce((a, b) => a + b, 0);
        fc.pre(total > 0);
        const single = weights.map((weight) => weight / total);
        const { from, probabilities } = sumOfDraws(single, n);
        const moment = (of: (value: number) => number) =>
          probabilities.reduce((sum, p, i) => sum + p * of(from + i), 0);
        const mean = single.reduce((sum, p, k) => sum + p * k, 0);
        const variance = single.reduce((sum, p, k) => sum + p * (k - mean) ** 2, 0);
        expect(moment(() => 1)).toBeCloseTo(1, 9);
        expect(moment((value) => value)).toBeCloseTo(n * mean, 6);
        expect(moment((value) => (value - n * mean) ** 2)).toBeCloseTo(n * variance, 6);
      }),
      { seed: 1 },
    );
  });

  it("cuts off ends that are out of reach, so that many draws stay small", () => {
    // 10,000 coins: standard deviation 50, so about ±21.5 × 50 of 10,001 sums.
    const { probabilities } = sumOfDraws([0.5, 0.5], 10_000);
    expect(probabilities.length).toBeLessThan(2500);
    expect(probabilities[0]).toBeGreaterThanOrEqual(1e-100);
  });
});

describe("signFlipUpperTest", () => {
  it.each([
    // All 2³ sign patterns; only +++ sums to 3 or more.
    { differences: [1, 1, 1], p: 1 / 8 },
    // Every pattern sums to −3 or more.
    { differences: [-1, -1, -1], p: 1 },
    // t = 6; the sums are 18, 6, −6, −18.
    { differences: [12, -6], p: 2 / 4 },
    // t = 15; the sums of 9, 9 and 3: 21, 15, 3 (twice), −3 (twice), −15, −21.
    { differences: [9, 9, -3], p: 2 / 8 },
    // t = 0: all but the two negative sums of 4, 4, 8 − {16, 8 ×2, 0 ×2, −8 ×2, −16}.
    { differences: [4, 4, -8], p: 5 / 8 },
    { differences: [0, 5], p: 1 / 2 },
    // At most one of 41 may be negative: 1 + 41 patterns.
    { differences: [...Array<number>(40).fill(7), -7], p: 42 / 2 ** 41 },
    { differences: [0, 0], p: 1 },
    { differences: [], p: 1 },
  ])("of $differences is the share $p of sign patterns with no smaller sum", ({ differences, p }) => {
    expect(signFlipUpperTest(differences)).toBe(p);
  });

  it("is half of the two-sided one where the sum is positive", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -12, max: 12 }), { maxLength: 30 }), (differences) => {
        fc.pre(differences.reduce((total, each) => total + each, 0) > 0);
        expect(2 * signFlipUpperTest(differences)).toBeCloseTo(signFlipTest(differences), 12);
      }),
      { seed: 1 },
    );
  });

  it("is the same in whatever unit the differences are", () => {
    expect(signFlipUpperTest([36, 9, -12])).toBe(signFlipUpperTest([12, 3, -4]));
  });

  it("goes by the normal law where there are thousands, in whatever unit", () => {
    // 2600 of 5000 fair coins or more: 0.00244 (binomial); (2 · 2600 − 5000 − 1)/√5000 = 2.8143 standard deviations.
    const differences = Array.from({ length: 5000 }, (_, i) => (i < 2600 ? 3 : -3));
    expect(signFlipUpperTest(differences)).toBeCloseTo(0.00244, 5);
  });

  it("is never 0", () => {
    expect(signFlipUpperTest(Array<number>(1500).fill(12))).toBeGreaterThan(0);
  });
});
