import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Binomial, detectableDifference, readerNeeds } from "../../src/verdict/power.js";

/** So many questions, a rule that is right in the first of them, and guessing. */
function needs(
  questions: number,
  right: number,
  clusters: (item: number) => number = (item) => item,
  isSequential = false,
) {
  const items = Array.from({ length: questions }, (_, item) => item);
  return readerNeeds({
    optionCount: 4,
    orders: 24,
    isOneOrder: false,
    isSequential,
    clusters: items.map((item) => String(clusters(item))),
    rivals: [
      { rule: "medoid", shares: items.map((item) => Number(item < right)) },
      { rule: "random", shares: items.map(() => 1 / 4) },
    ],
  });
}

describe("the knowledge that a verdict takes", () => {
  it("is none where too few questions are left above the rule, whatever is known", () => {
    // Twelve of which a rule has six: 2^-6 > .01 for who knows all.
    expect(needs(12, 6)).toEqual({ unsteady: null, aboveFloor: null });
  });

  it("is about what the power of the test says by hand", () => {
    // 200 questions, a rule at .4. Invariant accuracy k against it, independent: d is 1 in .6k, -1 in .4(1 - k). For 80 % at
    // one-sided .01, mean = (2.326 + .842) sd/sqrt(200), k - .4 = 3.168 sqrt(.6k + .4(1 - k) - (k - .4)^2)/14.14: k = .557.
    const { aboveFloor, unsteady } = needs(200, 80);
    expect(aboveFloor).toBeGreaterThanOrEqual(0.53);
    expect(aboveFloor).toBeLessThanOrEqual(0.59);
    // Guesses give a quarter of the rest: k + (1 - k)/4 is as high at about a third less.
    expect(unsteady).toBeLessThan(aboveFloor!);
    expect(unsteady).toBeGreaterThanOrEqual(0.34);
    expect(unsteady).toBeLessThanOrEqual(0.44);
  });

  it("is more until decided, whose tests are bets: ten questions that no rule answers are too few", () => {
    // Who knows all: 2^-10 < .01 of a fixed number; bets are worth (1 + λ)^10 on average over λ, about 2^11/11 = 186 < 300.
    const itself = (item: number) => item;
    expect(needs(10, 0).aboveFloor).not.toBeNull();
    expect(needs(10, 0, itself, true)).toEqual({ unsteady: null, aboveFloor: null });
    expect(needs(200, 80, itself, true).aboveFloor).toBeGreaterThan(needs(200, 80).aboveFloor!);
  });

  it("is less with more questions, and more where questions are hunks of few tasks", () => {
    const [few, many, hunks] = [needs(60, 24), needs(600, 240), needs(60, 24, (item) => item % 12)];
    expect(many.aboveFloor).toBeLessThan(few.aboveFloor!);
    expect(hunks.aboveFloor ?? 1).toBeGreaterThanOrEqual(few.aboveFloor!);
  });

  it("is the same by the exact test and by its limit, to a few points", () => {
    // 40 clusters are tested exactly, 41 by the limit.
    expect(Math.abs((needs(40, 16).aboveFloor ?? 1) - (needs(41, 16).aboveFloor ?? 1))).toBeLessThanOrEqual(0.06);
  });
});

describe("detectableDifference", () => {
  it("is absent where no outcome could be significant: fewer than six pairs", () => {
    // 2 / 2^5 = 0.0625 > 0.05, 2 / 2^6 = 0.03125.
    expect(detectableDifference(0, 0)).toBeNull();
    expect(detectableDifference(5, 5)).toBeNull();
    expect(detectableDifference(6, 0)).not.toBeNull();
  });

  it("of six pairs without discordance is where all six differ in 80 %: δ^6 = 0.8", () => {
    expect(detectableDifference(6, 0)).toBeCloseTo(0.8 ** (1 / 6), 9);
  });

  it("of seven is where six or seven differ in 80 %: 7 δ^6 (1 − δ) + δ^7 = 0.8", () => {
    const d = detectableDifference(7, 0)!;
    expect(7 * d ** 6 * (1 - d) + d ** 7).toBeCloseTo(0.8, 9);
  });

  it("of six that all differ is where all six favour one run in 80 %: ((1 + δ) / 2)^6 = 0.8", () => {
    expect(detectableDifference(6, 6)).toBeCloseTo(2 * 0.8 ** (1 / 6) - 1, 9);
  });

  it("agrees with published exact power: 144 pairs, 45 % against 25 %, find 0.20 in 80 %", () => {
    // MESS::power_mcnemar_test(144, paid = 0.25, psi = 45/25, method = "exact"), one-sided 0.025: 0.80.
    // 70 % of 144 pairs are discordant: 101.
    expect(detectableDifference(144, 101)).toBeCloseTo(0.2, 2);
  });

  it("is a little above the normal approximation (Connor 1987), which the exact test approaches", () => {
    // δ = √ψ (1.95996 √n + 0.84162 √(n + 0.84162² − 1.95996²)) / (n + 0.84162²), ψ = 0.3, n = 900:
    // 0.547723 · (58.7989 + 25.2047) / 900.708 = 0.051083.
    const exact = detectableDifference(900, 270)!;
    expect(exact).toBeGreaterThan(0.051083);
    expect(exact).toBeLessThan(0.051083 * 1.04);
  });

  it("is smaller for more pairs, and larger for more discordance", () => {
    const sizes = fc.tuple(fc.integer({ min: 6, max: 120 }), fc.integer({ min: 0, max: 10 }));
    fc.assert(
      fc.property(sizes, ([n, tenths]) => {
        const discordant = Math.round((n * tenths) / 10);
        expect(detectableDifference(4 * n, 4 * discordant)!).toBeLessThan(detectableDifference(n, discordant)!);
        const denser = detectableDifference(100, 10 * Math.min(10, tenths + 1))!;
        expect(denser).toBeGreaterThanOrEqual(detectableDifference(100, 10 * tenths)! - 1e-9);
      }),
      { seed: 1, numRuns: 40 },
    );
  });
});

describe("Binomial", () => {
  const binomial = new Binomial(60);

  it("is the binomial law", () => {
    // C(4,2) / 16; (1 + 4) / 16
    expect(binomial.at(2, 4, 0.5)).toBeCloseTo(6 / 16, 12);
    expect(binomial.upTo(1, 4, 0.5)).toBeCloseTo(5 / 16, 12);
    expect(binomial.upTo(-1, 4, 0.5)).toBe(0);
    expect(binomial.upTo(4, 4, 0.5)).toBe(1);
    expect([binomial.at(0, 4, 0), binomial.at(1, 4, 0), binomial.at(4, 4, 1), binomial.at(3, 4, 1)]).toEqual([
      1, 0, 1, 0,
    ]);
  });

  it("sums to what its terms sum to", () => {
    const cases = fc.tuple(
      fc.integer({ min: 1, max: 60 }),
      fc.integer({ min: 0, max: 60 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
    );
    fc.assert(
      fc.property(cases, ([trials, k, p]) => {
        const sum = Array.from({ length: Math.min(k, trials) + 1 }, (_, j) => binomial.at(j, trials, p)).reduce(
          (a, b) => a + b,
        );
        expect(binomial.upTo(k, trials, p)).toBeCloseTo(sum, 10);
      }),
      { seed: 1 },
    );
  });
});
