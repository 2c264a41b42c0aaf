import fc from "fast-check";
import { Combination } from "js-combinatorics";
import { describe, expect, it } from "vitest";
import { seededIntegers } from "../../../src/base/random.js";
import type { Location } from "../../../src/dataset/example.js";
import type { LocationOrder } from "../../../src/distractors/location/hard-locations.js";
import { type LineRange, locationDistractors } from "../../../src/distractors/location/paper-locations.js";
import {
  jaccard,
  leastSimilarity,
  leastSimilarThrees,
  linesOf,
  overlap,
  overlaps,
  similarity,
  smallHunks,
  wrongSets,
} from "../../fixtures/location-sets.js";

interface Hunk {
  readonly truth: Location;
  readonly range: LineRange;
  readonly order: LocationOrder;
}

const FIRST: LocationOrder = { kind: "first" };

function sampled(seed: number): LocationOrder {
  return { kind: "sampled", draw: seededIntegers(seed) };
}

/** A hunk of up to this many lines, some of them the truth. */
function hunks(maxLines: number): fc.Arbitrary<Hunk> {
  return fc
    .tuple(fc.constantFrom<0 | 1>(0, 1), fc.integer({ min: 1, max: maxLines }))
    .map(([first, count]): LineRange => ({ first, last: first + count - 1 }))
    .chain((range) =>
      fc.record({
        truth: fc.subarray(linesOf(range), { minLength: 1 }),
        range: fc.constant(range),
        order: fc.oneof(fc.constant(FIRST), fc.integer().map(sampled)),
      }),
    );
}

/** The distractors of a hunk that has enough lines for them. */
function build(truth: Location, range: LineRange, order: LocationOrder) {
  const built = locationDistractors(truth, range, order);
  if (built.status !== "built") throw new Error(`${truth} of ${range.first}..${range.last}: ${built.status}`);
  return built;
}

/** Runs `check` on the distractors of many random hunks, those with too few lines left out. */
function forHunks(maxLines: number, check: (hunk: Hunk, built: ReturnType<typeof build>) => void) {
  fc.assert(
    fc.property(hunks(maxLines), (hunk) => {
      const built = locationDistractors(hunk.truth, hunk.range, hunk.order);
      if (built.status === "built") check(hunk, built);
    }),
    { seed: 1, numRuns: 500 },
  );
}

/** Counts how often each outcome comes up, over this many seeds. */
function tally(seeds: number, outcome: (order: LocationOrder) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (let seed = 0; seed < seeds; seed++) {
    const found = outcome(sampled(seed));
    counts.set(found, (counts.get(found) ?? 0) + 1);
  }
  return counts;
}

/** Whether every two share all lines but one. */
function areAlike(sets: readonly Location[], size: number): boolean {
  return [...new Combination([...sets], 2)].every(([a, b]) => overlap(a!, b!) === size - 1);
}

function hasAlikeThree(sets: readonly Location[], size: number): boolean {
  return sets.length >= 3 && [...new Combination([...sets], 3)].some((three) => areAlike(three, size));
}

function named(sets: readonly Location[]): string {
  return sets.map(String).toSorted().join(" | ");
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}

describe("location distractors, sampled or first", () => {
  it("are three of each difficulty: of the truth's size, ascending, in range, distinct and wrong", () => {
    forHunks(40, ({ truth, range }, { easy, hard }) => {
      for (const sets of [easy, hard]) {
        expect(sets).toHaveLength(3);
        for (const set of sets) {
          expect(set).toHaveLength(truth.length);
          expect(set).toEqual([...new Set(set)].toSorted((a, b) => a - b));
          expect(set.every((line) => line >= range.first && line <= range.last)).toBe(true);
        }
        expect(new Set([truth, ...sets].map(String)).size).toBe(4);
      }
    });
  });

  it("are built exactly when four sets of the truth's size share all lines but one with each other, found by trying all", () => {
    for (const { truth, range } of smallHunks(1, 7)) {
      const near = wrongSets(truth, range).filter((set) => overlap(set, truth) === truth.length - 1);
      const exists = hasAlikeThree(near, truth.length);
      for (const order of [FIRST, sampled(1)]) {
        const { status } = locationDistractors(truth, range, order);
        expect(status).toBe(exists ? "built" : "too_few_lines");
      }
    }
  });

  it("are, when hard, as similar to the truth and to each other as sets can be: (k − 1)/(k + 1)", () => {
    forHunks(40, ({ truth }, { hard }) => {
      for (const [a, b] of new Combination([truth, ...hard], 2)) {
        expect(jaccard(a!, b!)).toBe((truth.length - 1) / (truth.length + 1));
      }
    });
  });

  it("have, when easy, the lowest highest similarity and the lowest sum of all threes, found by trying all", () => {
    // From five lines on: two of four lines have no four hard sets.
    for (let last = 5; last <= 10; last++) {
      const range: LineRange = { first: 1, last };
      for (let size = 1; size < last; size++) {
        // By symmetry, the least does not depend on which lines are the truth.
        const least = leastSimilarity(linesOf(range).slice(0, size), range);
        for (let seed = 0; seed < 20; seed++) {
          const truth = [...new Combination(linesOf(range), size)].at(-1 - (seed % last))!;
          for (const order of [FIRST, sampled(seed)]) {
            expect(similarity([truth, ...build(truth, range, order).easy])).toEqual(least);
          }
        }
      }
    }
  });

  it("share, when easy, no more lines than they must, as evenly over lines and pairs as can be, in larger hunks", () => {
    forHunks(80, ({ truth, range }, { easy }) => {
      const lines = linesOf(range);
      const uses = lines.map((line) => [truth, ...easy].filter((set) => set.includes(line)).length);
      // The uses are 4k in all; Σ C(uses, 2), the total overlap, is least when no two lines differ by more than one.
      expect(Math.max(...uses) - Math.min(...uses)).toBeLessThanOrEqual(1);
      const shared = overlaps([truth, ...easy]);
      expect(shared.at(-1)! - shared[0]!).toBeLessThanOrEqual(1);
    });
  });

  it("share, when easy, what the counts say", () => {
    const overlapsOf = (size: number, last: number) =>
      overlaps([
        linesOf({ first: 1, last: size }),
        ...build(linesOf({ first: 1, last: size }), { first: 1, last }, FIRST).easy,
      ]);
    // 12 uses of 12 lines.
    expect(overlapsOf(3, 12)).toEqual([0, 0, 0, 0, 0, 0]);
    // 12 uses of 6 lines: every line in two sets, one for each of the six pairs.
    expect(overlapsOf(3, 6)).toEqual([1, 1, 1, 1, 1, 1]);
    // 16 uses of 8 lines: 8 lines in two sets, over six pairs.
    expect(overlapsOf(4, 8)).toEqual([1, 1, 1, 1, 2, 2]);
    // 16 uses of 7 lines: two lines in three sets (three pairs each), five in two: 11.
    expect(overlapsOf(4, 7)).toEqual([1, 2, 2, 2, 2, 2]);
    // Each leaves out one of five lines, another one each: two sets share the other three.
    expect(overlapsOf(4, 5)).toEqual([3, 3, 3, 3, 3, 3]);
    // 60 uses of the published 49 lines with 15 changed, of which there are 10^12 sets: 11 lines in two sets.
    expect(overlapsOf(15, 49)).toEqual([1, 2, 2, 2, 2, 2]);
    // 600 uses of 400 lines: 200 lines in two sets.
    expect(overlapsOf(150, 400)).toEqual([33, 33, 33, 33, 34, 34]);
  });

  it("do not depend on the order in which the truth is given", () => {
    for (const order of [() => FIRST, () => sampled(3)]) {
      const range: LineRange = { first: 1, last: 20 };
      expect(build([9, 2, 5], range, order())).toEqual(build([2, 5, 9], range, order()));
    }
  });

  it("name line 0 only where the range begins there", () => {
    const all = (first: 0 | 1, order: LocationOrder) => {
      const { easy, hard } = build([2], { first, last: 4 }, order);
      return [...easy, ...hard].flat();
    };
    expect(all(0, FIRST)).toContain(0);
    expect(Array.from({ length: 100 }, (_, seed) => all(1, sampled(seed))).flat()).not.toContain(0);
    // From 0 to 4 there are four wrong lines, three of which are drawn twice: 0 is missed in 1 of 16.
    const zeros = Array.from({ length: 100 }, (_, seed) => all(0, sampled(seed))).filter((lines) => lines.includes(0));
    expect(zeros.length).toBeGreaterThan(80);
  });
});

describe("sampled location distractors", () => {
  it("are the same for the same seed", () => {
    fc.assert(
      fc.property(hunks(30), fc.integer(), ({ truth, range }, seed) => {
        expect(locationDistractors(truth, range, sampled(seed))).toEqual(
          locationDistractors(truth, range, sampled(seed)),
        );
      }),
      { seed: 1 },
    );
  });

  it("are others for another seed", () => {
    // 3 of 30 lines: 80 swaps and far more disjoint sets, so 100 seeds hardly ever agree.
    for (const difficulty of ["easy", "hard"] as const) {
      const found = tally(100, (order) => named(build([4, 5, 9], { first: 1, last: 30 }, order)[difficulty]));
      expect(found.size).toBeGreaterThan(95);
    }
  });

  // 2 of 6 lines: two lines are shared, by two distinct pairs of sets or by pairs with a set in common, which are not
  // equally many ways. 3 of 4: one way only. 4 of 6: as 2 of 6, in the lines left out. 3 of 6: a line for each pair.
  it.each([
    [[2, 5], 6],
    [[2, 3, 5, 6], 6],
    [[1, 4, 6], 6],
    [[1, 2, 4], 5],
    [[3], 6],
    [[1, 2, 4], 4],
  ])("are, when easy, any of the admissible threes equally often: %j of %i lines", (truth, last) => {
    const range: LineRange = { first: 1, last };
    const admissible = leastSimilarThrees(truth, range).map(named);
    const counts = tally(400 * admissible.length, (order) => named(build(truth, range, order).easy));
    expect([...counts.keys()].toSorted()).toEqual(admissible.toSorted());
    // 400 of each expected, standard deviation 20: five of them.
    for (const times of counts.values()) expect(Math.abs(times - 400)).toBeLessThan(100);
  });

  it.each([
    // A core of 2 or 4 with 3 of the 3 others: 2 families.
    [[2, 4], 5, 2],
    // A core of two of three lines with 3 of 4 others: 12; a cover of four with any of the 4: 4.
    [[2, 3, 5], 7, 16],
  ])("are, when hard, any of the admissible threes equally often: %j of %i lines", (truth, last, families) => {
    const counts = tally(200 * families, (order) => named(build(truth, { first: 1, last }, order).hard));
    expect(counts.size).toBe(families);
    // 200 of each expected, standard deviation 14: five of them.
    for (const times of counts.values()) expect(Math.abs(times - 200)).toBeLessThan(70);
  });
});

describe("first location distractors", () => {
  it("are the lexicographically first of all that are admissible, found by trying all", () => {
    for (const { truth, range } of smallHunks(4, 7)) {
      const wrong = wrongSets(truth, range);
      if (wrong.length === 0) continue;
      const found = locationDistractors(truth, range, FIRST);
      if (found.status !== "built") continue;
      const near = wrong.filter((set) => overlap(set, truth) === truth.length - 1);
      const threes = near.length < 3 ? [] : [...new Combination(near, 3)];
      expect(found.easy).toEqual(leastSimilarThrees(truth, range)[0]);
      // In lexicographic order, so that the first found is the first.
      expect(found.hard).toEqual(threes.find((three) => areAlike(three, truth.length)));
    }
  });

  it("begin, when easy, as those of the paper's Figure 3 do, and differ from its hard ones", () => {
    const { easy, hard } = build([5, 6, 8], { first: 1, last: 12 }, FIRST);
    // The figure has 1,2,3, then 4,7,9, then 9,10,11, where line 9 comes twice.
    expect(easy).toEqual([
      [1, 2, 3],
      [4, 7, 9],
      [10, 11, 12],
    ]);
    // The figure has 1,5,6, then 3,5,6 and 3,5,8.
    expect(hard).toEqual([
      [1, 5, 6],
      [1, 5, 8],
      [1, 6, 8],
    ]);
  });

  it("favour low line numbers, which sampled ones do not", () => {
    const range: LineRange = { first: 1, last: 40 };
    const truth = [20, 21, 22];
    const first = build(truth, range, FIRST);
    const many = Array.from({ length: 1000 }, (_, seed) => build(truth, range, sampled(seed)));
    const wrongLines = (sets: readonly Location[]) => sets.flat().filter((line) => !truth.includes(line));
    // The 37 wrong lines add up to 820 − 63 = 757: mean 20.46, standard deviation 12. Nine a seed, then three.
    expect(Math.abs(mean(many.flatMap(({ easy }) => wrongLines(easy))) - 20.46)).toBeLessThan(0.6);
    expect(Math.abs(mean(many.flatMap(({ hard }) => wrongLines(hard))) - 20.46)).toBeLessThan(1.1);
    // Lines 1 to 9; line 1, three times.
    expect(mean(wrongLines(first.easy))).toBe(5);
    expect(mean(wrongLines(first.hard))).toBe(1);
  });
});
