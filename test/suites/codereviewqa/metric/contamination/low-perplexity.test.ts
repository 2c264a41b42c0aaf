import { describe, expect, it } from "vitest";
import { lowPerplexityBound } from "../../../../../src/suites/codereviewqa/metric/contamination/low-perplexity.js";

describe("the bound of low perplexities", () => {
  it("lies three robust standard deviations below the median", () => {
    // 1 … 11: median 6; deviations 5,4,3,2,1,0,1,2,3,4,5: their median is 3. 6 − 3 × 1.4826 × 3 = −7.3434.
    expect(lowPerplexityBound([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11])).toBeCloseTo(-7.3434, 10);
  });

  it("does not follow an outlier", () => {
    // 1 … 10 and −1000: median 5, absolute deviations 0,1,1,2,2,3,3,4,4,5,1005: median 3, as without the outlier.
    expect(lowPerplexityBound([-1000, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10])).toBeCloseTo(5 - 3 * 1.4826 * 3, 10);
  });

  it("is absent for fewer than ten values, or without spread", () => {
    expect(lowPerplexityBound([1, 2, 3, 4, 5, 6, 7, 8, 9])).toBeNull();
    expect(lowPerplexityBound([...Array.from({ length: 9 }, () => 2), 1])).toBeNull();
    expect(lowPerplexityBound([])).toBeNull();
  });
});
