import type { ClusteredValues, Interval } from "../stats/bootstrap.js";
import type { Verdict } from "./verdict.js";

/** What two runs made of the same item. */
export interface VerdictPair {
  readonly baseline: Verdict;
  readonly candidate: Verdict;
}

/** Two means over the same items, and their difference. */
export interface PairedMeans {
  /** Items for which both runs have the value; at least one. */
  readonly n: number;
  readonly baseline: number;
  readonly candidate: number;
  /** Candidate minus baseline. */
  readonly difference: number;
  /** 95 % interval of the difference, bootstrapped by cluster; `null` with fewer than two clusters. */
  readonly interval: Interval | null;
}

/** The place of each cluster among all clusters, from 0. */
export type ClusterIndices = ReadonlyMap<string, number>;

export function clusterIndices(pairs: readonly VerdictPair[]): ClusterIndices {
  const clusters = new Set(pairs.map(({ baseline }) => baseline.cluster));
  return new Map([...clusters].map((cluster, index) => [cluster, index]));
}

/** A value of both runs over the items that have it in both, and its differences by cluster. */
export interface PairedMeasure extends ClusteredValues {
  readonly means: Omit<PairedMeans, "interval">;
}

/** @returns `null` where no item has the value in both runs */
export function measurePairs(
  pairs: readonly VerdictPair[],
  clusters: ClusterIndices,
  value: (verdict: Verdict) => number | null,
): PairedMeasure | null {
  const sums = new Float64Array(clusters.size);
  const counts = new Float64Array(clusters.size);
  let [n, ofBaseline, ofCandidate, ofDifference] = [0, 0, 0, 0];
  for (const pair of pairs) {
    const [before, after] = [value(pair.baseline), value(pair.candidate)];
    const cluster = clusters.get(pair.baseline.cluster);
    if (before === null || after === null || cluster === undefined) continue;
    sums[cluster] = (sums[cluster] ?? 0) + after - before;
    counts[cluster] = (counts[cluster] ?? 0) + 1;
    n++;
    ofBaseline += before;
    ofCandidate += after;
    ofDifference += after - before;
  }
  if (n === 0) return null;
  return {
    sums,
    counts,
    means: { n, baseline: ofBaseline / n, candidate: ofCandidate / n, difference: ofDifference / n },
  };
}
