import { describe, expect, it } from "vitest";
import { areIndependent, type NearMiss, withMisses } from "../../../src/distractors/near-miss/near-miss.js";

function miss(...edits: readonly [start: number, end: number, to: string][]): NearMiss {
  return { kind: "name", edits: edits.map(([start, end, to]) => ({ start, end, to })), isAsked: true, cost: 0 };
}

describe("near misses", () => {
  it("are made from behind, so that one does not move another's place", () => {
    // "abcdef": b for two letters, e for none, and d for x.
    expect(withMisses("abcdef", [miss([1, 2, "BB"], [4, 5, ""]), miss([3, 4, "x"])])).toBe("aBBcxf");
  });

  it("are independent where none of their ranges meet, and no two put something at one place", () => {
    expect(areIndependent(miss([0, 2, "x"]), miss([2, 3, "y"]))).toBe(true);
    expect(areIndependent(miss([0, 2, "x"]), miss([1, 3, "y"]))).toBe(false);
    expect(areIndependent(miss([0, 1, "x"], [5, 5, "x"]), miss([5, 5, "y"]))).toBe(false);
  });

  it("put something in before what is changed at that place", () => {
    // "abc": b for x, and y put in before it.
    const [put, changed] = [miss([1, 1, "y"]), miss([1, 2, "x"])];
    expect(areIndependent(put, changed)).toBe(true);
    expect(withMisses("abc", [put, changed])).toBe("ayxc");
    expect(withMisses("abc", [changed, put])).toBe("ayxc");
  });
});
