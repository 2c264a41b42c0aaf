import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sumOfDraws } from "../../src/stats/sum-of-draws.js";

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
