import { describe, expect, it } from "vitest";
import { macroF1 } from "../../src/stats/rater-agreement.js";

describe("macro-F1", () => {
  it("is the mean of the classes' F1", () => {
    // Class 1: 2 · 14 / (15 + 19) = 28/34; class 2: 2 · 10 / (15 + 11) = 20/26.
    expect(
      macroF1([
        [14, 1],
        [5, 10],
      ]),
    ).toBeCloseTo((28 / 34 + 20 / 26) / 2, 12);
  });

  it("is 1 for equal verdicts and 0 where none is equal", () => {
    expect(
      macroF1([
        [3, 0],
        [0, 1],
      ]),
    ).toBe(1);
    expect(
      macroF1([
        [0, 3],
        [1, 0],
      ]),
    ).toBe(0);
  });

  it("gives a class that one side alone uses 0", () => {
    // Class 1: 2 · 6 / (6 + 8) = 12/14; class 2: 0 / (2 + 0).
    expect(
      macroF1([
        [6, 0],
        [2, 0],
      ]),
    ).toBeCloseTo(12 / 14 / 2, 12);
  });

  it("is absent if a class is absent on both sides, and without items", () => {
    expect(
      macroF1([
        [4, 0],
        [0, 0],
      ]),
    ).toBeNull();
    expect(
      macroF1([
        [0, 0],
        [0, 0],
      ]),
    ).toBeNull();
    expect(macroF1([])).toBeNull();
  });
});
