import { describe, expect, it } from "vitest";
import { invertPositive, solvePositive } from "../../src/stats/linear-algebra.js";

describe("linear equations", () => {
  // Determinant 4 · 3 − 2 · 2 = 8.
  const MATRIX = [
    [4, 2],
    [2, 3],
  ];

  it("are solved", () => {
    // 4 · 1 + 2 · 2 = 8 and 2 · 1 + 3 · 2 = 8.
    expect(solvePositive(MATRIX, [8, 8])).toEqual([1, 2]);
  });

  it("have an inverse", () => {
    const inverse = invertPositive(MATRIX).flat();
    [3 / 8, -2 / 8, -2 / 8, 4 / 8].forEach((cell, i) => {
      expect(inverse[i]).toBeCloseTo(cell, 12);
    });
  });
});
