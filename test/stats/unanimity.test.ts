import { describe, expect, it } from "vitest";
import { unanimity } from "../../src/stats/rater-agreement.js";

describe("unanimity", () => {
  it("is the share of items whose votes are all the same", () => {
    const { share, n, excluded } = unanimity([
      ["met", "met", "met"],
      ["met", "not met", "met"],
      ["not met", "not met"],
    ]);
    expect([share?.value, n, excluded]).toEqual([2 / 3, 3, 0]);
  });

  it("passes over votes that could not be read, and over items with fewer than two left", () => {
    // The first agrees on what is left; the second and the third have nothing to compare.
    const { share, n, excluded } = unanimity([["met", null, "met"], ["met", null], [], ["met", "not met"]]);
    expect([share?.value, n, excluded]).toEqual([1 / 2, 2, 2]);
  });

  it("is absent without items", () => {
    expect(unanimity([])).toEqual({ share: null, n: 0, excluded: 0 });
  });
});
