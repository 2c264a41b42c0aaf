import { describe, expect, it } from "vitest";
import { fisherExact } from "../../src/stats/p-values.js";

describe("Fisher's exact test", () => {
  it("of the lady tasting tea, three cups of four right, is 34/70", () => {
    // C(4,k)² of C(8,4) = 70 for k = 0…4: 1, 16, 36, 16, 1. As probable as 16 or less: 1 + 16 + 16 + 1.
    expect(
      fisherExact([
        [3, 1],
        [1, 3],
      ]),
    ).toBeCloseTo(34 / 70, 14);
  });

  it("sums the tables that are no more probable, on both sides", () => {
    // Row sums 10 and 14, first column 12; ways C(10,k) C(14,12−k): k = 1: 10 · 364 = 3640; k = 0: 91; k = 9: 10 · 364
    // = 3640; k = 10: 91. Of C(24,12) = 2,704,156: 7462.
    expect(
      fisherExact([
        [1, 9],
        [11, 3],
      ]),
    ).toBeCloseTo(7462 / 2_704_156, 14);
  });

  it("is 1 for the most probable table, for an empty margin and without observations", () => {
    expect(
      fisherExact([
        [2, 2],
        [2, 2],
      ]),
    ).toBe(1);
    expect(
      fisherExact([
        [0, 0],
        [3, 4],
      ]),
    ).toBe(1);
    expect(
      fisherExact([
        [0, 5],
        [0, 4],
      ]),
    ).toBe(1);
    expect(
      fisherExact([
        [0, 0],
        [0, 0],
      ]),
    ).toBe(1);
  });

  it("is never 0, however far apart", () => {
    // 2 / C(2000,1000), about 1e-600.
    expect(
      fisherExact([
        [1000, 0],
        [0, 1000],
      ]),
    ).toBeGreaterThan(0);
    // 2 / C(40,20) = 2 / 137,846,528,820.
    expect(
      fisherExact([
        [20, 0],
        [0, 20],
      ]) * 137_846_528_820,
    ).toBeCloseTo(2, 9);
  });
});
