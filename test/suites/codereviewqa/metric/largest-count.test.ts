import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  approximateCumulative,
  largestCountDistribution,
  MAX_EXACT_DRAWS,
} from "../../../../src/suites/codereviewqa/metric/symbol-binding.js";

/**
 * The 3^6 = 729 outcomes of 6 draws among 3 options, by largest count:
 * 6: (6,0,0) 3; 5: (5,1,0) 3*2*6 = 36; 4: (4,2,0) 6*15 = 90 and (4,1,1) 3*30 = 90, together 180;
 * 3: (3,3,0) 3*20 = 60 and (3,2,1) 6*60 = 360, together 420; 2: (2,2,2) 90.
 */
const OUTCOMES_3_6 = [0, 0, 90, 420, 180, 36, 3];

describe("largestCountDistribution", () => {
  it("of two draws between two options is that of the list AA, AB, BA, BB", () => {
    // largest count 2: AA, BB; 1: AB, BA
    expect(largestCountDistribution(2, 2)).toEqual([0, 0.5, 0.5]);
  });

  it("of six draws among three options counts the 729 outcomes", () => {
    const counts = largestCountDistribution(3, 6).map((p) => p * 729);
    expect(counts).toHaveLength(7);
    counts.forEach((count, k) => {
      expect(count).toBeCloseTo(OUTCOMES_3_6[k]!, 9);
    });
  });

  it("gives all 24 draws to one of four options with probability 4/4^24", () => {
    // 4 of the 4^24 outcomes
    expect(largestCountDistribution(4, 24)[24]! * 4 ** 23).toBeCloseTo(1, 12);
  });

  it("gives all 120 draws to one of five options with probability 5/5^120, which no rounding swallows", () => {
    expect(largestCountDistribution(5, 120)[120]! * 5 ** 119).toBeCloseTo(1, 12);
    // No option can have fewer than 120/5 = 24 when it has the most.
    expect(largestCountDistribution(5, 120).slice(0, 24)).toEqual(new Array(24).fill(0));
  });

  it("agrees with the enumeration of all outcomes", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 6 }), (options, draws) => {
        const expected = enumerate(options, draws);
        largestCountDistribution(options, draws).forEach((p, k) => {
          expect(p).toBeCloseTo(expected[k]! / options ** draws, 12);
        });
      }),
      { seed: 1, numRuns: 30 },
    );
  });

  it("is exact up to 120 draws, sums to 1, and is the same when asked again", () => {
    expect(MAX_EXACT_DRAWS).toBe(120);
    for (const draws of [1, 24, 120, 121, 720]) {
      const law = largestCountDistribution(5, draws);
      expect(law.reduce((sum, p) => sum + p, 0)).toBeCloseTo(1, 9);
      expect(law).toHaveLength(draws + 1);
      expect(largestCountDistribution(5, draws)).toBe(law);
    }
  });
});

describe("approximateCumulative", () => {
  it("is within 0.002 of the exact distribution for the 120 orders of five options", () => {
    let exact = 0;
    const approximate = approximateCumulative(5, 120);
    largestCountDistribution(5, 120).forEach((p, k) => {
      exact += p;
      expect(Math.abs(exact - approximate[k]!)).toBeLessThan(0.002);
    });
    expect(approximate).toHaveLength(121);
  });

  it("has a chance that all options get the same", () => {
    // Of AA, AB, BA, BB two have no letter twice: 1/2, and within 0.02 of it even for so few draws.
    expect(Math.abs(approximateCumulative(2, 2)[1]! - 1 / 2)).toBeLessThan(0.02);
  });

  it("begins at 0, never falls, and ends at 1 for the 40,320 orders of eight options", () => {
    const approximate = approximateCumulative(8, 40_320);
    // One option of eight has at least 5,040 of 40,320.
    expect(approximate[5039]).toBe(0);
    expect(approximate.at(-1)).toBe(1);
    expect(approximate.every((p, k) => p >= (approximate[k - 1] ?? 0))).toBe(true);
  });
});

/** Outcomes by largest count, one by one. */
function enumerate(options: number, draws: number): number[] {
  const found = new Array<number>(draws + 1).fill(0);
  for (let outcome = 0; outcome < options ** draws; outcome++) {
    const counts = new Array<number>(options).fill(0);
    for (let i = 0, rest = outcome; i < draws; i++, rest = Math.floor(rest / options)) {
      counts[rest % options]! += 1;
    }
    found[Math.max(...counts)]! += 1;
  }
  return found;
}
