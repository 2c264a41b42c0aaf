import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { benjaminiHochberg } from "../../src/stats/p-values.js";

describe("benjaminiHochberg", () => {
  it("takes the least of m/j · p(j) from each rank upwards, in the order given", () => {
    // Ranked 0.01 0.03 0.04 0.5; times 4/1, 4/2, 4/3, 4/4: 0.04 0.06 0.0533 0.5; least from each rank on:
    // 0.04 0.0533 0.0533 0.5.
    const [first, second, third, fourth] = benjaminiHochberg([0.04, 0.01, 0.5, 0.03]);
    expect(first).toBeCloseTo(0.16 / 3, 12);
    expect(second).toBeCloseTo(0.04, 12);
    expect(third).toBe(0.5);
    expect(fourth).toBeCloseTo(0.16 / 3, 12);
  });

  it("gives equal values the same, and none more than 1", () => {
    // Ranked 0.2 0.2 0.9; times 3/1, 3/2, 1: 0.6 0.3 0.9; least from each rank on: 0.3 0.3 0.9.
    expect(benjaminiHochberg([0.2, 0.9, 0.2])).toEqual([expect.closeTo(0.3, 12), 0.9, expect.closeTo(0.3, 12)]);
    expect(benjaminiHochberg([1, 1])).toEqual([1, 1]);
  });

  it("leaves a single value as it is, and makes none of none", () => {
    expect(benjaminiHochberg([0.03])).toEqual([0.03]);
    expect(benjaminiHochberg([])).toEqual([]);
  });

  it("never lowers a value, and keeps their order", () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 30 }), (pValues) => {
        const adjusted = benjaminiHochberg(pValues);
        for (const [i, p] of pValues.entries()) {
          expect(adjusted[i]).toBeGreaterThanOrEqual(p);
          expect(adjusted[i]).toBeLessThanOrEqual(1);
          for (const [j, other] of pValues.entries())
            if (p < other) expect(adjusted[i]).toBeLessThanOrEqual(adjusted[j]!);
        }
      }),
      { seed: 1 },
    );
  });
});
