import { describe, expect, it } from "vitest";
import { seededIntegers } from "../../src/base/random.js";
import { differenceOfMeans } from "../../src/stats/bootstrap.js";

const options = () => ({ resamples: 2000, draw: seededIntegers(1) });

describe("the difference of two means", () => {
  it("is the mean of the first minus that of the second", () => {
    expect(differenceOfMeans([1, 2, 3], [10, 20], options()).value).toBe(2 - 15);
  });

  it("has no interval where the values do not vary, which tells nothing of others", () => {
    expect(differenceOfMeans([3, 3, 3], [1, 1], options())).toEqual({ value: 2, interval: null });
  });

  it("is Student's t where a sample has fewer than 30 values, whatever is drawn", () => {
    // 0, 2 and 10, 14: see differenceByT.
    const { low, high } = differenceOfMeans([0, 2], [10, 14], options()).interval!;
    expect(high - low).toBeCloseTo(2 * Math.tan(0.475 * Math.PI) * Math.sqrt(5), 8);
  });

  it("has about the interval of the normal distribution for many values", () => {
    // Values 0 and 1, half each: standard deviation 0.5. Of 400 and 400: √(0.25/400 + 0.25/400) = 0.03536, ± 1.96 × that.
    const half = Array.from({ length: 400 }, (_, i) => i % 2);
    const { interval } = differenceOfMeans(half, half, options());
    expect(interval?.low).toBeCloseTo(-0.0693, 1);
    expect(interval?.high).toBeCloseTo(0.0693, 1);
    expect(interval!.high - interval!.low).toBeGreaterThan(0.12);
    expect(interval!.high - interval!.low).toBeLessThan(0.16);
  });

  it("has no interval with fewer than two values", () => {
    expect(differenceOfMeans([1], [1, 2], options()).interval).toBeNull();
    expect(differenceOfMeans([1, 2], [1], options()).interval).toBeNull();
  });
});
