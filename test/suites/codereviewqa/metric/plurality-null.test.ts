import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { largestCountDistribution, pluralityNull } from "../../../../src/suites/codereviewqa/metric/symbol-binding.js";

/**
 * The 3^6 = 729 outcomes of 6 draws among 3 options, by largest count:
 * 6: (6,0,0) 3; 5: (5,1,0) 3*2*6 = 36; 4: (4,2,0) 6*15 = 90 and (4,1,1) 3*30 = 90, together 180;
 * 3: (3,3,0) 3*20 = 60 and (3,2,1) 6*60 = 360, together 420; 2: (2,2,2) 90.
 */
const OUTCOMES_3_6 = [0, 0, 90, 420, 180, 36, 3];

describe("pluralityNull", () => {
  it("has the mean that a simulation of 720 guesses among six options finds", () => {
    // Standard error of the simulation about 0.0003; 1/N would be 0.1667.
    expect(Math.abs(pluralityNull(6, 720, 1).mean - simulateMean(6, 720, 1000))).toBeLessThan(0.001);
  });

  it("has the mean of the 729 outcomes for three options", () => {
    // (2*90 + 3*420 + 4*180 + 5*36 + 6*3) / 729 / 6 = 2358/729/6 = 0.539094…
    expect(pluralityNull(3, 6, 1).mean).toBeCloseTo(2358 / 729 / 6, 12);
    expect(pluralityNull(3, 6, 1).mean).toBeCloseTo(0.5390947, 6);
  });

  it("has the mean that a simulation of 24 guesses among four options finds", () => {
    // Standard error of the simulation about 0.00012; 1/N would be 0.25.
    const mean = pluralityNull(4, 24, 1).mean;
    expect(Math.abs(mean - simulateMean(4, 24, 200_000))).toBeLessThan(0.0004);
    expect(mean).toBeCloseTo(0.3584, 4);
  });

  it("gives the p-values of one question by counting outcomes", () => {
    const { pValue } = pluralityNull(3, 6, 1);
    expect(pValue(2)).toBe(1);
    expect(pValue(3)).toBeCloseTo(639 / 729, 12); // all but the 90 outcomes (2,2,2)
    expect(pValue(5)).toBeCloseTo(39 / 729, 12); // 36 + 3
    expect(pValue(6)).toBeCloseTo(3 / 729, 12);
    expect(pValue(7)).toBe(0);
  });

  it("gives the p-values of two questions by counting pairs of outcomes", () => {
    const { pValue } = pluralityNull(3, 6, 2);
    // 12 = 6+6: 3*3 = 9; 11 = 5+6 or 6+5: 2*36*3 = 216; of 729² = 531441
    expect(pValue(12)).toBeCloseTo(9 / 531_441, 12);
    expect(pValue(11)).toBeCloseTo(225 / 531_441, 12);
    // all but 2+2 (90*90 = 8100)
    expect(pValue(5)).toBeCloseTo(1 - 8100 / 531_441, 12);
  });

  it("has the 2.5 % and 97.5 % points of two draws between two options", () => {
    // n = 2: totals 2, 3, 4 with probabilities 1/4, 1/2, 1/4. 2 is reached by 25 %, 4 only by the last quarter.
    expect(pluralityNull(2, 2, 2)).toMatchObject({ mean: 0.75, low: 2 / 4, high: 4 / 4 });
  });

  it("has the 2.5 % and 97.5 % points of one question with three options", () => {
    // cumulative outcomes of 729: k=2 90 (12 %), 3 510, 4 690 (94.7 %), 5 726 (99.6 %)
    expect(pluralityNull(3, 6, 1)).toMatchObject({ low: 2 / 6, high: 5 / 6 });
  });

  it.each([200, 201, 900])("is exact for %i questions", (n) => {
    // 201 was where a normal approximation took over, 0.0039 off in p; 900 is the benchmark of the paper.
    const { pValue } = pluralityNull(3, 6, n);
    upperTails(n).forEach((p, total) => {
      if (p < 1e-70) return;
      expect(Math.abs(pValue(total) / p - 1)).toBeLessThan(1e-11);
    });
  });

  it("gives agreement that is possible a p-value, and more than all none", () => {
    // 100 questions of 6 in 6: (3/729)^100 = 10^-238, too rare to be told from the rest of its kind.
    const { pValue } = pluralityNull(3, 6, 100);
    expect(pValue(600)).toBe(1e-80);
    expect(pValue(601)).toBe(0);
  });

  it("knows five options under 120 orders too, as a simulation finds them", () => {
    // Standard error of the simulation about 0.00017 (a standard deviation of 3 in 120 over 20,000 trials); 1/N is 0.2.
    const { mean, low, high, pValue } = pluralityNull(5, 120, 900);
    expect(Math.abs(mean - simulateMean(5, 120, 20_000))).toBeLessThan(0.0007);
    expect(low).toBeLessThan(mean);
    expect(high).toBeGreaterThan(mean);
    expect(pValue(Math.round(high * 900 * 120) + 1)).toBeLessThanOrEqual(0.025);
  });

  it("counts outcomes of five options under 120 orders", () => {
    const { pValue } = pluralityNull(5, 120, 1);
    // 118 or more of one option: the others share at most two orders, 1 + 120 · 4 + 7140 · 16 ways, of 5^120.
    expect(pValue(118) / ((5 * 114_721) / 5 ** 120)).toBeCloseTo(1, 9);
    // Some option has at least 120/5.
    expect(pValue(24)).toBe(1);
  });

  it("of too many orders to count out is a normal law whose totals stand for what rounds to them", () => {
    const { mean, low, high, pValue } = pluralityNull(6, 720, 50);
    const total = 50 * 720;
    // Half of it lies above its mean, which the totals from `middle` − ½ on hold.
    const middle = Math.round(mean * total);
    expect(pValue(middle)).toBeGreaterThanOrEqual(0.5);
    expect(pValue(middle + 1)).toBeLessThan(0.5);
    // Its middle 95 % is 2 · 1.96 standard deviations wide, those of one question times √50; points are whole totals.
    const law = largestCountDistribution(6, 720);
    const variance = law.reduce((sum, p, k) => sum + p * (k - mean * 720) ** 2, 0);
    const half = 1.96 * Math.sqrt(50 * variance);
    expect(Math.abs(low * total - (mean * total - half))).toBeLessThanOrEqual(1);
    expect(Math.abs(high * total - (mean * total + half))).toBeLessThanOrEqual(1);
  });

  it("never gives a larger p-value to a larger agreement", () => {
    fc.assert(
      fc.property(fc.constantFrom([3, 6] as const, [4, 24] as const), fc.integer({ min: 1, max: 40 }), (form, n) => {
        const [options, orders] = form;
        const { pValue } = pluralityNull(options, orders, n);
        expect(pValue(0)).toBe(1);
        for (let total = 1; total <= n * orders; total++) expect(pValue(total)).toBeLessThanOrEqual(pValue(total - 1));
      }),
      { seed: 1, numRuns: 20 },
    );
  });
});

function simulateMean(options: number, draws: number, trials: number): number {
  let state = 12_345;
  // mulberry32
  const random = () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  let total = 0;
  for (let trial = 0; trial < trials; trial++) {
    const counts = new Array<number>(options).fill(0);
    for (let i = 0; i < draws; i++) counts[Math.floor(random() * options)]! += 1;
    total += Math.max(...counts);
  }
  return total / trials / draws;
}

/** P(total >= t) over n questions of three options, from the hand-counted outcomes. */
function upperTails(n: number): number[] {
  let totals = [1];
  for (let i = 0; i < n; i++) {
    const next = new Array<number>(totals.length + 6).fill(0);
    for (const [t, p] of totals.entries()) {
      for (const [k, outcomes] of OUTCOMES_3_6.entries()) next[t + k]! += (p * outcomes) / 729;
    }
    totals = next;
  }
  return totals.map((_, t) => totals.slice(t).reduce((sum, p) => sum + p, 0));
}
