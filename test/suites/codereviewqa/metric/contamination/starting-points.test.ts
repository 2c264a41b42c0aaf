import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { startingPoints } from "../../../../../src/suites/codereviewqa/metric/contamination/starting-points.js";

describe("evenly spread starting points", () => {
  it("go from the third token to the last 5-gram", () => {
    // 100 tokens: from 2 to 95 in steps of 93/4 = 23.25: 2, 25.25, 48.5, 71.75, 95, rounded down.
    expect(startingPoints(100, "even", 0)).toEqual([2, 25, 48, 71, 95]);
  });

  it("touch each other in the shortest text that has five", () => {
    // 11 tokens: 5-grams begin at 2 … 6.
    expect(startingPoints(11, "even", 0)).toEqual([2, 3, 4, 5, 6]);
  });

  it.each([0, 6, 10])("are absent for %i tokens", (tokens) => {
    expect(startingPoints(tokens, "even", 0)).toBeNull();
    expect(startingPoints(tokens, "random", 0)).toBeNull();
  });

  it("do not depend on the seed", () => {
    expect(startingPoints(77, "even", 1)).toEqual(startingPoints(77, "even", 2));
  });
});

describe("drawn starting points", () => {
  it("are five different places from which a whole 5-gram fits, in order", () => {
    fc.assert(
      fc.property(fc.integer({ min: 11, max: 3000 }), fc.nat(), (tokens, seed) => {
        const points = startingPoints(tokens, "random", seed) ?? [];
        expect(points).toHaveLength(5);
        expect(points).toEqual([...new Set(points)].sort((a, b) => a - b));
        expect(points[0]).toBeGreaterThanOrEqual(2);
        expect(points[4]).toBeLessThanOrEqual(tokens - 5);
      }),
      { seed: 1 },
    );
  });

  it("are the same for the same seed, and others for another", () => {
    expect(startingPoints(500, "random", 7)).toEqual(startingPoints(500, "random", 7));
    expect(startingPoints(500, "random", 7)).not.toEqual(startingPoints(500, "random", 8));
  });

  it("reach every place", () => {
    // 12 tokens: 5-grams begin at 2 … 7.
    const seen = new Set(Array.from({ length: 50 }, (_, seed) => startingPoints(12, "random", seed) ?? []).flat());
    expect([...seen].sort((a, b) => a - b)).toEqual([2, 3, 4, 5, 6, 7]);
  });
});
