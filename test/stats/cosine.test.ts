import { describe, expect, it } from "vitest";
import { cosine } from "../../src/stats/linear-algebra.js";

describe("cosine", () => {
  it("is 1 for one direction, 0 for a right angle, -1 for opposite directions", () => {
    expect(cosine([1, 2], [2, 4])).toBeCloseTo(1, 12);
    expect(cosine([1, 0], [0, 5])).toBe(0);
    expect(cosine([1, 0], [-3, 0])).toBe(-1);
  });

  it("is (3·4 + 4·3) / (5·5) for [3, 4] and [4, 3]", () => {
    expect(cosine([3, 4], [4, 3])).toBeCloseTo(24 / 25, 12);
  });

  it("refuses vectors of different lengths, and one without a direction", () => {
    expect(() => cosine([1], [1, 2])).toThrow("found 1 and 2");
    expect(() => cosine([0, 0], [1, 2])).toThrow("length 0");
    expect(() => cosine([Number.NaN, 0], [1, 2])).toThrow(RangeError);
  });
});
