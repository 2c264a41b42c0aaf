import fc from "fast-check";
import { Combination } from "js-combinatorics";
import { describe, expect, it } from "vitest";
import { type LineRange, locationDistractors } from "../../../src/dataset/build/location-distractors.js";
import type { Location } from "../../../src/domain/example.js";
import { seededIntegers } from "../../../src/domain/random.js";

interface Hunk {
  readonly truth: Location;
  readonly range: LineRange;
  readonly seed: number;
}

function linesOf({ first, last }: LineRange): number[] {
  return Array.from({ length: last - first + 1 }, (_, i) => first + i);
}

/** A hunk of up to this many lines, some of them the truth. */
function hunks(maxLines: number): fc.Arbitrary<Hunk> {
  return fc
    .tuple(fc.constantFrom<0 | 1>(0, 1), fc.integer({ min: 1, max: maxLines }))
    .map(([first, count]) => ({ first, last: first + count - 1 }))
    .chain((range) =>
      fc.record({
        truth: fc.subarray(linesOf(range), { minLength: 1 }),
        range: fc.constant(range),
        seed: fc.integer(),
      }),
    );
}

function build({ truth, range, seed }: Hunk) {
  return locationDistractors(truth, range, seededIntegers(seed));
}

function overlap(a: Location, b: Location): number {
  return a.filter((line) => b.includes(line)).length;
}

function totalOverlap(sets: readonly Location[]): number {
  return [...new Combination(sets, 2)].reduce((sum, [a, b]) => sum + overlap(a!, b!), 0);
}

/** The least total overlap of the truth and any three other sets of its size, by trying them all. */
function leastTotalOverlap(truth: Location, range: LineRange): number {
  const others = [...new Combination(linesOf(range), truth.length)].filter((set) => overlap(set, truth) < truth.length);
  return Math.min(...[...new Combination(others, 3)].map((three) => totalOverlap([truth, ...three])));
}

describe("locationDistractors", () => {
  it("gives three sets of each difficulty: of the truth's size, ascending, in range, distinct and wrong", () => {
    fc.assert(
      fc.property(hunks(30), (hunk) => {
        const built = build(hunk);
        for (const sets of built === null ? [] : [built.easy, built.hard]) {
          expect(sets).toHaveLength(3);
          for (const set of sets) {
            expect(set).toHaveLength(hunk.truth.length);
            expect(set).toEqual([...new Set(set)].toSorted((a, b) => a - b));
            expect(set.every((line) => line >= hunk.range.first && line <= hunk.range.last)).toBe(true);
          }
          expect(new Set([hunk.truth, ...sets].map(String)).size).toBe(4);
        }
      }),
      { seed: 1, numRuns: 300 },
    );
  });

  it("gives none exactly when fewer than three sets share all lines but one with the truth", () => {
    fc.assert(
      fc.property(hunks(8), (hunk) => {
        // One of k lines is swapped for one of the n − k others.
        const lines = linesOf(hunk.range).length;
        const size = hunk.truth.length;
        expect(build(hunk) === null).toBe(size * (lines - size) < 3);
      }),
      { seed: 1, numRuns: 300 },
    );
  });

  it("makes hard sets whose Jaccard similarity with the truth is (k − 1)/(k + 1)", () => {
    fc.assert(
      fc.property(hunks(30), (hunk) => {
        const size = hunk.truth.length;
        for (const set of build(hunk)?.hard ?? []) {
          const shared = overlap(set, hunk.truth);
          expect(shared / (2 * size - shared)).toBe((size - 1) / (size + 1));
        }
      }),
      { seed: 1, numRuns: 300 },
    );
  });

  it("makes easy sets whose total pairwise overlap is the least of all, found by trying all", () => {
    for (const first of [0, 1] as const) {
      for (let count = 4; count <= 7; count++) {
        const range = { first, last: first + count - 1 };
        for (let size = 1; size < count; size++) {
          // By symmetry, the least does not depend on which lines are the truth.
          const least = leastTotalOverlap(linesOf(range).slice(0, size), range);
          for (let seed = 0; seed < 20; seed++) {
            const truth = linesOf(range)
              .slice(seed % (count - size + 1))
              .slice(0, size);
            const built = build({ truth, range, seed });
            expect(totalOverlap([truth, ...built!.easy])).toBe(least);
          }
        }
      }
    }
  });

  it("makes easy sets that share no line with the truth or each other when there are 4k lines", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 12 }), fc.nat({ max: 9 }), fc.integer(), (size, more, seed) => {
        const range: LineRange = { first: 1, last: 4 * size + more };
        const truth = linesOf(range).slice(more, more + size);
        expect(totalOverlap([truth, ...build({ truth, range, seed })!.easy])).toBe(0);
      }),
      { seed: 1, numRuns: 300 },
    );
  });

  it("spreads what overlap there must be over the pairs of easy sets", () => {
    // Four of eight lines: the second set is all that the truth is not; the third takes two lines of each, and the
    // fourth the other two. Three lines of one would be the same total, but one pair of sets nearly alike.
    const [truth, range] = [[1, 2, 3, 4], { first: 1, last: 8 } as const];
    for (let seed = 0; seed < 50; seed++) {
      const sets = [truth, ...build({ truth, range, seed })!.easy];
      const overlaps = [...new Combination(sets, 2)].map(([a, b]) => overlap(a!, b!));
      expect(overlaps.toSorted()).toEqual([0, 0, 2, 2, 2, 2]);
    }
  });

  it("gives the same sets for the same seed", () => {
    fc.assert(
      fc.property(hunks(30), (hunk) => {
        expect(build(hunk)).toEqual(build(hunk));
      }),
      { seed: 1 },
    );
  });

  it("draws among the admissible sets: every wrong line gets its turn, none is favoured", () => {
    const counts = { easy: new Map<number, number>(), hard: new Map<number, number>() };
    for (let seed = 0; seed < 3000; seed++) {
      const built = build({ truth: [5], range: { first: 1, last: 10 }, seed })!;
      for (const difficulty of ["easy", "hard"] as const) {
        const count = counts[difficulty];
        for (const line of built[difficulty].flat()) count.set(line, (count.get(line) ?? 0) + 1);
      }
    }
    // Three of nine lines, 3,000 times: 1,000 a line expected, standard deviation √(3000·⅓·⅔) ≈ 26; five are 129.
    for (const count of Object.values(counts)) {
      expect([...count.keys()].toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 6, 7, 8, 9, 10]);
      for (const times of count.values()) expect(Math.abs(times - 1000)).toBeLessThan(129);
    }
  });

  it("takes the truth in any order", () => {
    const built = locationDistractors([9, 2, 5], { first: 1, last: 20 }, seededIntegers(1))!;
    expect(built.hard.map((set) => overlap(set, [2, 5, 9]))).toEqual([2, 2, 2]);
    expect(totalOverlap([[2, 5, 9], ...built.easy])).toBe(0);
  });

  it("may name line 0 only where the range begins there", () => {
    const zeros = (first: 0 | 1) =>
      Array.from({ length: 100 }, (_, seed) => build({ truth: [2], range: { first, last: 4 }, seed })!).filter(
        ({ easy, hard }) => [...easy, ...hard].flat().includes(0),
      );
    expect(zeros(1)).toEqual([]);
    // From 0 to 4 there are four wrong lines, three of which are drawn twice: 0 is missed in 1 of 16.
    expect(zeros(0).length).toBeGreaterThan(50);
  });

  it("copes with a hunk of 400 lines of which 150 changed", () => {
    const truth = linesOf({ first: 1, last: 400 }).filter((line) => line % 8 < 3);
    expect(truth).toHaveLength(150);
    const { easy, hard } = build({ truth, range: { first: 1, last: 400 }, seed: 3 })!;
    for (const set of hard) expect(overlap(set, truth)).toBe(149);
    // 4 × 150 = 600 uses of 400 lines: at best 200 lines are used twice, each an overlap of 1.
    expect(totalOverlap([truth, ...easy])).toBe(200);
  });

  it("copes with the published 49 lines of which 15 changed, for which there are 10^12 sets", () => {
    const truth = linesOf({ first: 1, last: 25 }).slice(10);
    const { easy } = build({ truth, range: { first: 1, last: 49 }, seed: 3 })!;
    // 4 × 15 = 60 uses of 49 lines: 11 lines are used twice.
    expect(totalOverlap([truth, ...easy])).toBe(11);
  });
});
