import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { signFlipTest, signFlipUpperTest } from "../../src/stats/sign-flip.js";

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
