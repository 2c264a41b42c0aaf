import { describe, expect, it } from "vitest";
import { isInShard, shardText } from "../../src/base/shard.js";

describe("isInShard", () => {
  it("deals units out in turn, each to one share", () => {
    // Seven units, three shares: 0 3 6 · 1 4 · 2 5.
    const units = [0, 1, 2, 3, 4, 5, 6];
    const share = (index: number) => units.filter((unit) => isInShard({ index, count: 3 }, unit));
    expect([share(1), share(2), share(3)]).toEqual([
      [0, 3, 6],
      [1, 4],
      [2, 5],
    ]);
  });

  it("has every unit where nothing is split", () => {
    expect([isInShard(null, 5), isInShard(undefined, 5), isInShard({ index: 1, count: 1 }, 5)]).toEqual([
      true,
      true,
      true,
    ]);
  });
});

describe("shardText", () => {
  it("is what --shard takes", () => {
    expect(shardText({ index: 2, count: 4 })).toBe("2/4");
  });
});
