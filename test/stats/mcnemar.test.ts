import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { benjaminiHochberg, mcNemarExact, signFlipTest } from "../../src/stats/p-values.js";

const counts = fc.tuple(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 40 }));

describe("mcNemarExact", () => {
  it.each([
    // 2 · (1/2)^5
    { b: 0, c: 5, p: 2 / 32 },
    // 2 · (C(9,0) + C(9,1)) / 2^9 = 2 · (1 + 9) / 512
    { b: 1, c: 8, p: 0.0390625 },
    // 2 · (1 + 13 + 78 + 286) / 8192
    { b: 3, c: 10, p: 756 / 8192 },
    // 2 · (1 + 5 + 10) / 32 = 1
    { b: 2, c: 3, p: 1 },
    { b: 0, c: 1, p: 1 },
  ])("of $b and $c is the two-sided binomial probability $p, whichever run is first", ({ b, c, p }) => {
    expect(mcNemarExact(b, c)).toBe(p);
    expect(mcNemarExact(c, b)).toBe(p);
  });

  it("is 1 when both kinds of discordant pairs are as many, and when there are none", () => {
    expect(mcNemarExact(7, 7)).toBe(1);
    expect(mcNemarExact(0, 0)).toBe(1);
  });

  it("is never 0 and never rounds away, however many pairs", () => {
    expect(mcNemarExact(0, 1000)).toBe(2 ** -999);
    expect(mcNemarExact(0, 5000)).toBeGreaterThan(0);
    // Beyond the range of a double's factorials: the normal law gives 2 Φ(−(100 − 1)/√2000) = 2 Φ(−2.21371) = 0.02685.
    expect(mcNemarExact(950, 1050)).toBeCloseTo(0.0268, 3);
  });

  it("falls as the same number of discordant pairs becomes more lopsided", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 60 }), (fewer, more) => {
        fc.pre(fewer < more);
        expect(mcNemarExact(fewer - 1, more + 1)).toBeLessThan(mcNemarExact(fewer, more));
      }),
      { seed: 1 },
    );
  });
});

describe("the seven pairs of RefactorBench-JS, with and without a test runner (Table 4)", () => {
  // Only with it, only without, and the printed p.
  const PAIRS = [
    [13, 1, "0.001831"],
    [8, 1, "0.03906"],
    [1, 0, "1.000"],
    [1, 4, "0.3750"],
    [4, 1, "0.3750"],
    [5, 6, "1.000"],
    [9, 0, "0.003906"],
  ] as const;

  it.each(PAIRS)("%i against %i has p = %s, by McNemar and by flipping signs", (b, c, p) => {
    expect(mcNemarExact(b, c).toPrecision(4)).toBe(p);
    expect(signFlipTest([...Array(b).fill(1), ...Array(c).fill(-1)]).toPrecision(4)).toBe(p);
  });

  it("keep two differences and nearly a third after Benjamini and Hochberg", () => {
    // Sorted .001831, .003906, .03906, .375, .375, 1, 1, times 7/rank, least from the right.
    const adjusted = benjaminiHochberg(PAIRS.map(([b, c]) => mcNemarExact(b, c)));
    expect(adjusted.map((p) => p.toPrecision(3))).toEqual([
      "0.0128",
      "0.0911",
      "1.00",
      "0.525",
      "0.525",
      "1.00",
      "0.0137",
    ]);
  });
});

describe("signFlipTest", () => {
  it("with one question an example is McNemar's exact test", () => {
    fc.assert(
      fc.property(counts, fc.integer({ min: 0, max: 5 }), ([b, c], alike) => {
        const differences = [...Array(b).fill(-1), ...Array(c).fill(1), ...Array(alike).fill(0)];
        expect(signFlipTest(differences)).toBeCloseTo(mcNemarExact(b, c), 12);
      }),
      { seed: 1 },
    );
  });

  it.each([
    // One example alone: its difference has this size whatever the sign.
    { differences: [2], p: 1 },
    // Sums ±3, ±1, each 1/4; |sum| >= 3 in two of four.
    { differences: [2, 1], p: 0.5 },
    { differences: [2, -1], p: 1 },
    // Sums 3 ± 1 ± 1 and their opposites; |sum| >= 3 in six of eight.
    { differences: [3, 1, -1], p: 0.75 },
    { differences: [1, -1], p: 1 },
    { differences: [], p: 1 },
  ])("of $differences is $p", ({ differences, p }) => {
    expect(signFlipTest(differences)).toBe(p);
    expect(signFlipTest(differences.map((difference) => -difference))).toBe(p);
  });

  it("takes three examples with two questions each for three observations, not six", () => {
    // All patterns of one sign: 2 of 2^3. As six independent pairs it would be 2 / 2^6.
    expect(signFlipTest([2, 2, 2])).toBe(0.25);
    expect(mcNemarExact(0, 6)).toBe(0.03125);
  });
});
