import type { ClusteredValues } from "./cluster-bootstrap.js";
import { type Estimate, proportion, Z } from "./interval.js";
import { studentPoint } from "./student/student-t.js";

/**
 * A proportion of cases that come in clusters, such as the hunks of one task: Wilson's interval at the effective number of
 * cases n / deff · (z / t(.975, m − 1))², deff = the variance between the m clusters (of a ratio of totals: Cochran 1977,
 * chapter 6) over p(1 − p)/n, at least 1 (Korn & Graubard 1998). Where p is 0 or 1 there is no such variance: a cluster is
 * then one case. With one case a cluster it is Wilson's own. No interval at m = 1; `null` without a case.
 * @param clusters how many cases each has, and how many of these count
 */
export function clusteredProportion({ sums, counts }: ClusteredValues): Estimate | null {
  const n = total(counts);
  if (n === 0) return null;
  const clusters = counts.filter((count) => count > 0).length;
  const hits = total(sums);
  const value = hits / n;
  if (clusters === n) return proportion(hits, n);
  if (clusters === 1) return { value, low: null, high: null };
  if (hits === 0 || hits === n) return proportion(value * clusters, clusters);
  const squares = sums.reduce((sum, each, i) => sum + (each - value * (counts[i] ?? 0)) ** 2, 0);
  const variance = ((clusters / (clusters - 1)) * squares) / n ** 2;
  const effect = Math.max(1, variance / ((value * (1 - value)) / n));
  const effective = (n / effect) * (Z / studentPoint(clusters - 1)) ** 2;
  const { low = null, high = null } = proportion(value * effective, effective) ?? {};
  return { value, low, high };
}

function total(values: Float64Array): number {
  return values.reduce((sum, each) => sum + each, 0);
}
