import { describe, expect, it } from "vitest";
import { seededIntegers } from "../../src/base/random.js";
import { bootstrapMeans } from "../../src/stats/bootstrap.js";
import type { ClusteredValues } from "../../src/stats/interval.js";

const RESAMPLES = 2000;

const values = (sums: number[], counts: number[]): ClusteredValues => ({
  sums: Float64Array.from(sums),
  counts: Float64Array.from(counts),
});
const singles = (sums: number[]) =>
  values(
    sums,
    sums.map(() => 1),
  );

function intervalsOf(measures: readonly ClusteredValues[], seed = 0, resamples = RESAMPLES) {
  return bootstrapMeans(measures, { examples: measures[0]!.sums.length, resamples, draw: seededIntegers(seed) });
}

describe("bootstrapMeans", () => {
  it("of equal values has no width", () => {
    expect(intervalsOf([singles([-1, -1, -1, -1])])).toEqual([{ low: -1, high: -1 }]);
  });

  it("is absent for one example, however many values it has, and for none", () => {
    expect(intervalsOf([values([3, 0], [5, 0]), values([0, 0], [0, 0])])).toEqual([null, null]);
  });

  it("of 0 and 1 reaches from 0 to 1: a quarter of the resamples are all 0, a quarter all 1", () => {
    expect(intervalsOf([singles([0, 1])])).toEqual([{ low: 0, high: 1 }]);
  });

  it("draws examples with all their values, the same ones for every measure", () => {
    // Drawn: the first example twice, the third once. Sums 2·3 + 1 = 7 over 2·3 + 1 = 7 values; 2·2 + 5 = 9 over 3.
    const drawn = [0, 2, 0];
    const measures = [values([3, 0, 1], [3, 1, 1]), singles([2, 4, 5])];
    const intervals = bootstrapMeans(measures, { examples: 3, resamples: 1, draw: () => drawn.shift()! });
    expect(intervals).toEqual([
      { low: 1, high: 1 },
      { low: 3, high: 3 },
    ]);
  });

  it("is no narrower for five equal values an example than for one: examples count, not questions", () => {
    const one = [0, 1, 0, 0, 1, 1, 0, -1, 0, 1];
    const [ofOne, ofFive] = intervalsOf([
      singles(one),
      values(
        one.map((value) => 5 * value),
        one.map(() => 5),
      ),
    ]);
    expect(ofFive).toEqual(ofOne);
    const [asIfIndependent] = intervalsOf([singles(one.flatMap((value) => Array<number>(5).fill(value)))]);
    expect(asIfIndependent!.high - asIfIndependent!.low).toBeLessThan(0.6 * (ofOne!.high - ofOne!.low));
  });

  it("leaves out resamples without a value", () => {
    // Two of six examples have the measure; (4/6)^6 = 9 % of the resamples draw neither.
    expect(intervalsOf([values([0, 1, 0, 0, 0, 0], [1, 1, 0, 0, 0, 0])])).toEqual([{ low: 0, high: 1 }]);
  });

  it("is the same for the same seed, and another for another", () => {
    const measure = singles([0.1, 0.7, -0.3, 0.2, 0.05, -0.6, 0.4]);
    expect(intervalsOf([measure], 4)).toEqual(intervalsOf([measure], 4));
    expect(intervalsOf([measure], 4)).not.toEqual(intervalsOf([measure], 5));
  });

  it("covers the true difference in about 95 of 100 samples", () => {
    // Differences −1, 0, 1 with probability 0.1, 0.7, 0.2: mean 0.1. Of 300 samples 285 are expected, give or take 4.
    const draw = seededIntegers(7);
    const difference = () => [-1, 0, 0, 0, 0, 0, 0, 0, 1, 1][draw(0, 9)]!;
    let covered = 0;
    for (let sample = 0; sample < 300; sample++) {
      const [interval] = intervalsOf([singles(Array.from({ length: 80 }, difference))], sample, 500);
      if (interval!.low <= 0.1 && interval!.high >= 0.1) covered++;
    }
    expect(covered).toBeGreaterThan(300 * 0.91);
    expect(covered).toBeLessThan(300 * 0.99);
  });
});
