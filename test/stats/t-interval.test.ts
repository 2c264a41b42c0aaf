import { describe, expect, it } from "vitest";
import {
  clusteredInterval,
  clusteredMean,
  DIFFERENCE,
  differenceByT,
  proportion,
  SHARE,
  tInterval,
} from "../../src/stats/interval.js";

const T1 = Math.tan(0.475 * Math.PI);
const T2 = 0.95 * Math.sqrt(2 / (1 - 0.95 ** 2));

/** This many ones, and zeros up to n. */
function passes(ones: number, n: number): number[] {
  return Array.from({ length: n }, (_, i) => (i < ones ? 1 : 0));
}

describe("the t interval of a mean", () => {
  it("of 1, 2, 3 is 2 ± t(2)/√3", () => {
    const { value, low, high } = tInterval([1, 2, 3])!;
    expect(value).toBe(2);
    expect(low).toBeCloseTo(2 - T2 / Math.sqrt(3), 9);
    expect(high).toBeCloseTo(2 + T2 / Math.sqrt(3), 9);
  });

  it.each([
    // CodeTaste, Table 5: passes of 100 and half the width in points. 76: √(.76 · .24 / 99) · 1.9842 = 0.0852.
    [76, 8.5],
    [47, 10.0],
    [43, 9.9],
    [30, 9.1],
    [87, 6.7],
    [58, 9.8],
    [35, 9.5],
    [50, 10.0],
  ])("of %i in 100 has the published half-width of %f points", (ones, points) => {
    const { low, high } = tInterval(passes(ones, 100))!;
    expect(((high! - low!) * 50).toFixed(1)).toBe(points.toFixed(1));
  });

  it("has no interval for one value, nor for equal ones that may be anything, and is absent without any", () => {
    expect(tInterval([3])).toEqual({ value: 3, low: null, high: null });
    expect(tInterval([3, 3, 3])).toEqual({ value: 3, low: null, high: null });
    expect(tInterval([])).toBeNull();
  });

  it("of equal shares is Wilson's where all are right, or none, and never of width 0", () => {
    // Three: u = z²/(3 + z²) = 3.8414588/6.8414588 = 0.5614970. All right: 1 − u; none: u; all .5: .5 ± u/2.
    const found = [1, 0, 0.5].map((each) => tInterval([each, each, each], SHARE)!);
    expect(found.map(({ low, high }) => [low, high].map((bound) => bound!.toFixed(6)))).toEqual([
      ["0.438503", "1.000000"],
      ["0.000000", "0.561497"],
      ["0.219251", "0.780749"],
    ]);
    expect(found[0]!.low).toBeCloseTo(proportion(3, 3)!.low!, 12);
    // Differences may be from −1 to 1: none of three differs, so ± u.
    expect(tInterval([0, 0, 0], DIFFERENCE)!.high).toBeCloseTo(0.561497, 6);
    // .1 + .2 is not .3: rounding is no spread.
    expect(tInterval([0.3, 0.1 + 0.2], SHARE)!.low).toBeLessThan(0.2);
  });

  it("is cut where the mean cannot be", () => {
    // 0 and 1: 0.5 ± 12.7 · 0.5.
    expect(tInterval([0, 1], { least: 0, most: 1 })).toEqual({ value: 0.5, low: 0, high: 1 });
    expect(tInterval([0, 1])!.low).toBeCloseTo(0.5 - T1 / 2, 9);
  });
});

describe("the clustered t interval", () => {
  it("is that of the means of tasks, however many trials each has", () => {
    // Means 1, 2, 3; the empty task tells nothing.
    expect(clusteredInterval([[1], [1, 3], [], [2, 3, 4]])).toEqual(tInterval([1, 2, 3]));
  });

  it("takes three equal trials of a task for one observation", () => {
    expect(
      clusteredInterval([
        [1, 1, 1],
        [0, 0, 0],
      ]),
    ).toEqual(tInterval([1, 0]));
    expect(clusteredInterval([[1, 1, 1]], SHARE)).toEqual({ value: 1, low: null, high: null });
    expect(clusteredInterval([[], []])).toBeNull();
  });
});

describe("the t interval of a mean over values in clusters", () => {
  it("weighs every value alike and follows how the cluster totals stray", () => {
    // Mean (3 + 1)/3 = 4/3. e = 3 − 8/3 = 1/3 and 1 − 4/3 = −1/3; SE = √(2 · 2/9) / 3 = 2/9; t with one degree of freedom.
    const { value, low, high } = clusteredMean({ sums: Float64Array.of(3, 1), counts: Float64Array.of(2, 1) })!;
    expect(value).toBeCloseTo(4 / 3, 12);
    expect(low).toBeCloseTo(4 / 3 - (T1 * 2) / 9, 9);
    expect(high).toBeCloseTo(4 / 3 + (T1 * 2) / 9, 9);
  });

  it("with one value a cluster is the t interval; a cluster without values counts for nothing", () => {
    const clustered = clusteredMean({ sums: Float64Array.of(1, 0, 2, 6), counts: Float64Array.of(1, 0, 1, 1) })!;
    const plain = tInterval([1, 2, 6])!;
    expect(clustered.low).toBeCloseTo(plain.low!, 10);
    expect(clustered.high).toBeCloseTo(plain.high!, 10);
  });

  it("has no interval for one cluster and is absent without values", () => {
    expect(clusteredMean({ sums: Float64Array.of(4), counts: Float64Array.of(2) })).toEqual({
      value: 2,
      low: null,
      high: null,
    });
    expect(clusteredMean({ sums: Float64Array.of(0), counts: Float64Array.of(0) })).toBeNull();
  });
});

describe("the difference of two means by t", () => {
  it("adds the squared standard errors and rounds Welch's degrees of freedom down", () => {
    // 0, 2: s² = 2, s²/n = 1. 10, 14: s² = 8, s²/n = 4. Difference −11, SE = √5; df = 25/(1 + 16) = 1.47, so 1.
    const { value, low, high } = differenceByT([0, 2], [10, 14])!;
    expect(value).toBe(-11);
    expect(low).toBeCloseTo(-11 - T1 * Math.sqrt(5), 8);
    expect(high).toBeCloseTo(-11 + T1 * Math.sqrt(5), 8);
  });

  it("with equal spread and size has the degrees of freedom of both", () => {
    // 1, 2, 3 twice: s²/n = 1/3 each, SE = √(2/3), df = (2/3)² / (2 · (1/3)²/2) = 4: t = 2.776445.
    const { low, high } = differenceByT([1, 2, 3], [1, 2, 3])!;
    expect(low).toBeCloseTo(-2.776445 * Math.sqrt(2 / 3), 5);
    expect(high).toBeCloseTo(2.776445 * Math.sqrt(2 / 3), 5);
  });

  it("has no interval where nothing varies, nor where a sample has one value, and is absent where it has none", () => {
    expect(differenceByT([3, 3], [1, 1, 1])).toEqual({ value: 2, low: null, high: null });
    expect(differenceByT([3], [1, 2])).toEqual({ value: 1.5, low: null, high: null });
    expect(differenceByT([], [1, 2])).toBeNull();
  });
});
