import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { batchSizes } from "../../../src/model/llama/cached-sequence.js";

describe("batchSizes", () => {
  it("is one batch where all tokens fit", () => {
    expect(batchSizes(5, 8)).toEqual([5]);
    expect(batchSizes(8, 8)).toEqual([8]);
  });

  it("fills batches from the front", () => {
    expect(batchSizes(20, 8)).toEqual([8, 8, 4]);
  });

  it("takes one token from the batch before the last where the last would be of one", () => {
    // 17 = 8 + 8 + 1
    expect(batchSizes(17, 8)).toEqual([8, 7, 2]);
    expect(batchSizes(9, 8)).toEqual([7, 2]);
  });

  it("is nothing for no tokens, and one token for one", () => {
    expect(batchSizes(0, 8)).toEqual([]);
    expect(batchSizes(1, 8)).toEqual([1]);
  });

  it("loses no token, exceeds no batch and leaves no token alone", () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 5000 }), fc.integer({ min: 3, max: 600 }), (count, size) => {
        const sizes = batchSizes(count, size);
        expect(sizes.reduce((sum, batch) => sum + batch, 0)).toBe(count);
        expect(Math.max(...sizes)).toBeLessThanOrEqual(size);
        expect(Math.min(...sizes)).toBeGreaterThanOrEqual(2);
      }),
      { seed: 1, numRuns: 500 },
    );
  });
});
