import { describe, expect, it } from "vitest";
import { partialRankCorrelation } from "../../src/stats/partial-correlation.js";

type Case = readonly [number, number, number];

describe("the partial rank correlation", () => {
  it("is Spearman's own where the third measure does not vary", () => {
    // Ranks 1 2 3 4 against 1 2 4 3: 1 − 6·2/(4·15) = 0.8.
    const cases: Case[] = [
      [10, 1, 5],
      [20, 2, 5],
      [30, 40, 5],
      [40, 3, 5],
    ];
    expect(partialRankCorrelation(cases)).toEqual({ value: expect.closeTo(0.8, 12), low: null, high: null });
  });

  it("takes away what the third measure explains", () => {
    // r_xy = r_xz = .8 (one swap of neighbours in four ranks), r_yz = .4 (ranks of y 1 2 4 3, of z 2 1 3 4: 1 − 6·4/60 = .6).
    const cases: Case[] = [
      [1, 1, 2],
      [2, 2, 1],
      [3, 4, 3],
      [4, 3, 4],
    ];
    // (.8 − .8 · .6) / √((1 − .64)(1 − .36)) = .32 / .48.
    expect(partialRankCorrelation(cases)?.value).toBeCloseTo(0.32 / 0.48, 12);
  });

  it("gives equal values the mean of their ranks", () => {
    // x: 1.5 1.5 3; y: 1 2 3: covariance 1.5/√(1.5 · 2) = .866.
    const cases: Case[] = [
      [7, 1, 0],
      [7, 2, 0],
      [9, 3, 0],
    ];
    expect(partialRankCorrelation(cases)?.value).toBeCloseTo(Math.sqrt(3) / 2, 12);
  });

  it("has an interval from ten cases on, which holds it and stays within −1 and 1", () => {
    const cases = Array.from({ length: 40 }, (_, i): Case => [i, (i * 7) % 40, (i * 11) % 13]);
    const found = partialRankCorrelation(cases);
    expect(found?.low).toBeLessThan(found?.value ?? 0);
    expect(found?.high).toBeGreaterThan(found?.value ?? 0);
    expect(Math.abs(found?.low ?? 9)).toBeLessThan(1);
    expect(partialRankCorrelation(cases.slice(0, 9))?.low).toBeNull();
  });

  it("is not defined where a measure does not vary, or the third one tells it", () => {
    expect(partialRankCorrelation([])).toBeNull();
    expect(
      partialRankCorrelation([
        [1, 1, 1],
        [1, 2, 3],
      ]),
    ).toBeNull();
    expect(
      partialRankCorrelation([
        [1, 1, 1],
        [2, 3, 2],
        [3, 2, 3],
      ]),
    ).toBeNull();
  });
});
