import { describe, expect, it } from "vitest";
import { distributionOf } from "../../src/stats/distribution.js";

describe("distributionOf", () => {
  it("describes numbers in any order", () => {
    // Sorted 1 2 4 9: mean 16/4. Squares of the differences 9+4+0+25 = 38, over n − 1 = 3.
    // Places (n − 1)p = 0.75, 1.5, 2.25: 1 + 0.75·1, 2 + 0.5·2, 4 + 0.25·5.
    expect(distributionOf([9, 1, 4, 2])).toEqual({
      n: 4,
      min: 1,
      max: 9,
      mean: 4,
      sd: Math.sqrt(38 / 3),
      q1: 1.75,
      median: 3,
      q3: 5.25,
    });
  });

  it("has no standard deviation for one number", () => {
    expect(distributionOf([7])).toEqual({ n: 1, min: 7, max: 7, mean: 7, sd: null, q1: 7, median: 7, q3: 7 });
  });

  it("has nothing but n for none", () => {
    const absent = { min: null, max: null, mean: null, sd: null, q1: null, median: null, q3: null };
    expect(distributionOf([])).toEqual({ n: 0, ...absent });
  });

  it("leaves the numbers in their order", () => {
    const numbers = [3, 1, 2];
    distributionOf(numbers);
    expect(numbers).toEqual([3, 1, 2]);
  });
});
