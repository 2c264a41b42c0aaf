import { describe, expect, it } from "vitest";
import { seededIntegers } from "../../src/base/random.js";
import { agreeingInterval, clusterIntervals } from "../../src/stats/bootstrap.js";
import { clusteredMean, clusterTotals, DIFFERENCE, proportion, SHARE, tInterval } from "../../src/stats/interval.js";

const singles = (values: readonly number[]) => clusterTotals(values.map((value) => [value]));
const options = (examples: number) => ({ examples, resamples: 500, draw: seededIntegers(0) });

describe("intervals by cluster", () => {
  it("are Student's t below 30 clusters and drawn from 30 on", () => {
    const values = Array.from({ length: 30 }, (_, i) => Number(i % 3 === 0));
    const [few] = clusterIntervals([{ ...singles(values.slice(0, 29)), bounds: SHARE }], options(29));
    const { low, high } = tInterval(values.slice(0, 29), SHARE)!;
    expect(few?.low).toBeCloseTo(low!, 12);
    expect(few?.high).toBeCloseTo(high!, 12);
    const [many] = clusterIntervals([{ ...singles(values), bounds: SHARE }], options(30));
    // Means of 30 values 0 or 1 are thirtieths; Student's bounds are none.
    expect(30 * many!.low).toBeCloseTo(Math.round(30 * many!.low), 9);
  });

  it("have a width where all clusters are alike, however many", () => {
    const alike = { ...clusterTotals(Array.from({ length: 40 }, () => [1, 1])), bounds: SHARE };
    const [found] = clusterIntervals([alike], options(40));
    expect(found?.low).toBeCloseTo(proportion(40, 40)!.low!, 12);
    expect(found?.high).toBe(1);
  });

  it("are none of one cluster", () => {
    expect(clusterIntervals([{ ...clusterTotals([[1, 0]]), bounds: SHARE }], options(1))).toEqual([null]);
  });
});

describe("the interval beside an exact test", () => {
  it("of three examples, two of which differ, does not begin at +50 points where p = .25", () => {
    // 1, 1, 0: 2/3 ± t(.975, 2) · .5774/√3 = 4.3027 · .3333 = 1.4342, cut at 1. A bootstrap has .5 to 1 or so.
    const totals = { ...singles([1, 1, 0]), bounds: DIFFERENCE };
    const [found = null] = clusterIntervals([totals], options(3));
    const agreeing = agreeingInterval(found, 2 / 3, 0.5);
    expect(agreeing?.low).toBeCloseTo(2 / 3 - 1.434218, 5);
    expect(agreeing?.high).toBe(1);
  });

  it("is widened to hold 0 where the test finds nothing", () => {
    // Five of 50 for one side: p = 2/32 = .0625, z = 1.8627; by t .014 to .186. Test-based .1 ± .1 · 1.95996/1.8627.
    const found = { low: 0.014, high: 0.186 };
    const agreeing = agreeingInterval(found, 0.1, 0.0625)!;
    expect(agreeing.low).toBeCloseTo(0.1 - 0.10522, 4);
    expect(agreeing.high).toBeCloseTo(0.1 + 0.10522, 4);
    // p = 1 has no width of its own: all that there can be.
    expect(agreeingInterval(found, 0.1, 1)).toEqual({ low: -1, high: 1 });
  });

  it("is narrowed to leave 0 out where the test finds a difference, and else left as it is", () => {
    // p = .03125: z = 2.1539, so −.5 ± .45499.
    const narrowed = agreeingInterval({ low: -1, high: 0.1 }, -0.5, 0.03125)!;
    expect(narrowed.high).toBeCloseTo(-0.5 + 0.45499, 3);
    expect(agreeingInterval({ low: 0.1, high: 0.4 }, 0.2, 0.01)).toEqual({ low: 0.1, high: 0.4 });
    expect(agreeingInterval({ low: -0.1, high: 0.1 }, 0, 1)).toEqual({ low: -0.1, high: 0.1 });
    expect(agreeingInterval(null, 1, 1)).toBeNull();
  });

  it("agrees at the level itself", () => {
    const wide = { low: -0.9, high: 0.9 };
    expect(agreeingInterval(wide, 0.1, 0.05)!.low).toBeGreaterThan(0);
    expect(agreeingInterval({ low: 0.05, high: 0.9 }, 0.1, 0.0500001)!.low).toBeLessThanOrEqual(0);
  });
});

/** Share of 2,000 samples whose interval holds the true mean. */
function coverage(clusters: number, draw: () => readonly number[], mean: number): number {
  let held = 0;
  for (let sample = 0; sample < 2000; sample++) {
    const totals = clusterTotals(Array.from({ length: clusters }, draw));
    const { low, high } = clusteredMean(totals, SHARE)!;
    if ((low ?? 0) <= mean && (high ?? 1) >= mean) held++;
  }
  return held / 2000;
}

describe("coverage over 2,000 seeded samples", () => {
  // A reader knows half of the questions and is right in 1/4 of the orders of others: mean .625. Counts of 24 orders.
  const knows = (draw: (least: number, most: number) => number): number => {
    if (draw(0, 1) === 1) return 1;
    return Array.from({ length: 24 }, () => Number(draw(0, 3) === 0)).reduce((sum, each) => sum + each, 0) / 24;
  };

  it.each([
    // With the normal quantile it was .77. One of eight samples knows none of the three, and cannot tell that others exist.
    [3, 0.88],
    [12, 0.93],
    [29, 0.93],
  ])("of the mean accuracy of %i questions is at least %f", (questions, least) => {
    const draw = seededIntegers(questions);
    expect(coverage(questions, () => [knows(draw)], 0.625)).toBeGreaterThanOrEqual(least);
  });

  it("of trials of one task that go together is that of tasks, not of trials", () => {
    // Three trials of each of twelve tasks; a task is passed in all of them, or none, with probability 1/2.
    const draw = seededIntegers(1);
    const task = () => (draw(0, 1) === 1 ? [1, 1, 1] : [0, 0, 0]);
    expect(coverage(12, task, 0.5)).toBeGreaterThanOrEqual(0.93);
  });
});
