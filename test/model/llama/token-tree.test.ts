import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { depthFirstOrder, sharedPrefixLength, treeNodeCount } from "../../../src/model/llama/symbol-scorer.js";

const sequences = fc.array(fc.array(fc.nat(3), { maxLength: 6 }), { maxLength: 12 });

function prefixesOf(tokens: readonly number[]): string[] {
  return tokens.map((_, i) => tokens.slice(0, i + 1).join());
}

describe("sharedPrefixLength", () => {
  it("counts equal tokens from the start", () => {
    expect(sharedPrefixLength([1, 2, 3], [1, 2, 4])).toBe(2);
    expect(sharedPrefixLength([1, 2], [1, 2, 4])).toBe(2);
    expect(sharedPrefixLength([5, 2], [1, 2])).toBe(0);
    expect(sharedPrefixLength([], [1])).toBe(0);
  });
});

describe("depthFirstOrder", () => {
  it("compares tokens as numbers, and puts a prefix before what it begins", () => {
    // [1, 10] after [1, 2]: as texts they would be the other way round
    expect(
      depthFirstOrder([
        [1, 10],
        [1, 2, 0],
        [0, 9],
        [1, 2],
      ]),
    ).toEqual([2, 3, 1, 0]);
  });

  it("keeps equal sequences in their order", () => {
    expect(depthFirstOrder([[1], [0], [1]])).toEqual([1, 0, 2]);
  });

  it("is an order of all, in which sequences that share a prefix follow each other", () => {
    fc.assert(
      fc.property(sequences, (all) => {
        const order = depthFirstOrder(all);
        expect([...order].sort((a, b) => a - b)).toEqual(all.map((_, i) => i));
        const visited = order.map((index) => prefixesOf(all[index]!));
        // Wherever a prefix occurs, it occurs in one stretch: once left it does not come back.
        for (const prefix of new Set(visited.flat())) {
          const places = visited.flatMap((prefixes, place) => (prefixes.includes(prefix) ? [place] : []));
          expect(places.at(-1)! - places[0]!).toBe(places.length - 1);
        }
      }),
      { seed: 1 },
    );
  });
});

describe("treeNodeCount", () => {
  it("counts every shared prefix once", () => {
    // 1, 12, 123, 124, 15: five prefixes
    expect(
      treeNodeCount([
        [1, 2, 3],
        [1, 5],
        [1, 2, 4],
      ]),
    ).toBe(5);
    expect(treeNodeCount([])).toBe(0);
  });

  it("is the number of distinct prefixes", () => {
    fc.assert(
      fc.property(sequences, (all) => {
        const prefixes = new Set(all.flatMap(prefixesOf));
        expect(treeNodeCount(all)).toBe(prefixes.size);
      }),
      { seed: 1 },
    );
  });
});
