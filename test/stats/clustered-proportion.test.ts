import { expect, it } from "vitest";
import { clusteredProportion, proportion } from "../../src/stats/interval.js";

const clustered = (sums: readonly number[], counts: readonly number[]) =>
  clusteredProportion({ sums: Float64Array.from(sums), counts: Float64Array.from(counts) });

it("is Wilson's where each cluster is one case", () => {
  expect(clustered([1, 0, 1, 1], [1, 1, 1, 1])).toEqual(proportion(3, 4));
});

it("has the interval of fewer cases where those of one cluster agree", () => {
  // Ten clusters of four, all of a cluster alike, five of them right: p = 1/2, e_i = ±2, variance = 10/9 · 40/40²
  // = 1/36, over p(1 − p)/n = 1/160: deff = 160/36, so n/deff = 9 cases, and (z / t(.975, 9))² = (1.95996/2.26216)².
  const found = clustered(
    [4, 4, 4, 4, 4, 0, 0, 0, 0, 0],
    Array.from({ length: 10 }, () => 4),
  );
  const effective = 9 * (1.959963984540054 / 2.262157162740992) ** 2;
  const wilson = proportion(effective / 2, effective);
  expect(found?.value).toBe(0.5);
  expect(found?.low).toBeCloseTo(wilson?.low ?? 0, 9);
  expect(found?.high).toBeCloseTo(wilson?.high ?? 0, 9);
});

it("is never narrower than that of as many independent cases", () => {
  // One of two right in each: no variance between the clusters at all.
  const found = clustered([1, 1, 1, 1, 1, 1], [2, 2, 2, 2, 2, 2]);
  const alone = proportion(6, 12);
  expect(found?.low).toBeLessThan(alone?.low ?? 0);
  expect(found?.high).toBeGreaterThan(alone?.high ?? 1);
});

it("takes a cluster for one case where all are right, or none", () => {
  expect(clustered([3, 3, 2], [3, 3, 2])).toEqual(proportion(3, 3));
  expect(clustered([0, 0, 0], [3, 3, 2])).toEqual(proportion(0, 3));
});

it("has no interval of one cluster, and is nothing without cases", () => {
  expect(clustered([2], [3])).toEqual({ value: 2 / 3, low: null, high: null });
  expect(clustered([], [])).toBeNull();
});
