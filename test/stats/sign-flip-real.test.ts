import { describe, expect, it } from "vitest";
import { seededIntegers } from "../../src/base/random.js";
import { realSignFlipTest, signFlipTest } from "../../src/stats/p-values.js";

const test = (differences: readonly number[]) => realSignFlipTest(differences, seededIntegers(1));

describe("the sign flip of real differences", () => {
  it.each([
    // Patterns of one sign: 2 of 2^3.
    { differences: [0.1, 0.2, 0.3], p: 2 / 8 },
    // Sums ±0.75 and ±0.25.
    { differences: [0.5, 0.25], p: 2 / 4 },
    // Sums 3 ± 1 ± 2 ± 4 tenths and their opposites; 4 is reached by 10, 6, 8, 4, 4 of 4 ± 3 ± 1 ± 2: five of eight. In
    // doubles 0.3 − 0.1 − 0.2 is not 0.
    { differences: [0.3, -0.1, -0.2, 0.4], p: 5 / 8 },
    // The sum is 0, but for rounding.
    { differences: [0.1, 0.2, -0.3], p: 1 },
    { differences: [0.7], p: 1 },
    { differences: [0, 0], p: 1 },
    { differences: [], p: 1 },
  ])("of $differences is $p, exactly", ({ differences, p }) => {
    expect(test(differences)).toMatchObject({ pValue: p, method: "exact" });
    expect(test(differences.map((difference) => -difference)).pValue).toBe(p);
  });

  it("is that of whole numbers for whole numbers", () => {
    const differences = [3, -1, 2, 2, -5, 4, 1, 1, 0, 2, 6, -2, 3, 1, -1, 4, 2, 2, 1, -3, 5];
    expect(test(differences)).toMatchObject({ method: "exact", n: 20 });
    expect(test(differences).pValue).toBeCloseTo(signFlipTest(differences), 12);
  });

  it("draws beyond 20 differences, and counts a difference of 0 as none", () => {
    const differences = Array.from({ length: 30 }, (_, i) => (i % 3) - 0.75);
    // In quarters −3, 1 and 5, ten times each: whole numbers, for which the exact test is known.
    const exact = signFlipTest(differences.map((difference) => 4 * difference));
    const found = test([...differences, 0, 0]);
    expect(found).toMatchObject({ method: "drawn", n: 30 });
    // Standard error at most √(1/4 / 100,000) = 0.0016.
    expect(Math.abs(found.pValue - exact)).toBeLessThan(0.006);
    expect(test([...differences, 0, 0])).toEqual(found);
  });

  it("is (hits + 1) / (draws + 1), so never 0", () => {
    // All of 64 signs alike: 2 / 2^64 a draw.
    expect(test(new Array(64).fill(0.5)).pValue).toBe(1 / 100_001);
  });
});
