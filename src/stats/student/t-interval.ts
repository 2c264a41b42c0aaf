import { mean, sampleStandardDeviation } from "simple-statistics";
import type { ClusteredValues } from "../cluster-bootstrap.js";
import type { Estimate } from "../interval.js";
import { studentPoint } from "./student-t.js";

/** What a mean can be at all; an interval is cut there. */
export interface Bounds {
  readonly least: number;
  readonly most: number;
}

const UNBOUNDED: Bounds = { least: Number.NEGATIVE_INFINITY, most: Number.POSITIVE_INFINITY };

/**
 * A mean with its 95 % interval x̄ ± t(.975, n − 1) · s / √n, s with divisor n − 1 ("Student" 1908), in the unit of the
 * values and cut at the bounds. Wider than the normal one where n is small: 6.5 times at 2, 1.07 times at 20. No interval
 * at n = 1: one value has no spread. `null` when there is no value. Values are taken as independent.
 */
export function tInterval(values: readonly number[], bounds: Bounds = UNBOUNDED): Estimate | null {
  if (values.length === 0) return null;
  const value = mean([...values]);
  if (values.length === 1) return { value, low: null, high: null };
  return around(value, sampleStandardDeviation([...values]) / Math.sqrt(values.length), values.length - 1, bounds);
}

/**
 * The t interval over the means of clusters, such as the trials of one task: df = clusters − 1, every cluster counts
 * alike however many values it has (Cameron & Miller 2015, §VI: few clusters, critical values of t). Empty clusters are
 * left out. `null` when all are.
 */
export function clusteredInterval(clusters: readonly (readonly number[])[], bounds?: Bounds): Estimate | null {
  const means = clusters.filter(({ length }) => length > 0).map((values) => mean([...values]));
  return tInterval(means, bounds);
}

/**
 * The mean Σ sums / Σ counts over all values with the t interval of a ratio of cluster totals (Cochran 1977, chapter 6): with
 * e_i = sum_i − mean · count_i, SE = √(m / (m − 1) · Σ e_i²) / Σ counts over the m clusters that have values, df = m − 1.
 * With one value a cluster this is `tInterval`. No interval at m = 1; `null` at m = 0.
 */
export function clusteredMean({ sums, counts }: ClusteredValues, bounds: Bounds = UNBOUNDED): Estimate | null {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  const value = sums.reduce((sum, each) => sum + each, 0) / total;
  const clusters = counts.filter((count) => count > 0).length;
  if (clusters === 1) return { value, low: null, high: null };
  const squares = sums.reduce((sum, each, i) => sum + (each - value * (counts[i] ?? 0)) ** 2, 0);
  return around(value, Math.sqrt((clusters / (clusters - 1)) * squares) / total, clusters - 1, bounds);
}

/**
 * Mean of `mine` minus mean of `theirs`, two independent samples of unequal variance (Welch 1947): SE² = s₁²/n₁ + s₂²/n₂,
 * df by Welch & Satterthwaite, rounded down, which widens the interval a little. No interval where a sample has fewer
 * than two values; `null` where one has none.
 */
export function differenceByT(mine: readonly number[], theirs: readonly number[]): Estimate | null {
  if (mine.length === 0 || theirs.length === 0) return null;
  const value = mean([...mine]) - mean([...theirs]);
  if (mine.length < 2 || theirs.length < 2) return { value, low: null, high: null };
  const errors = [mine, theirs].map((values) => sampleStandardDeviation([...values]) ** 2 / values.length);
  const [first = 0, second = 0] = errors;
  const variance = first + second;
  if (variance === 0) return { value, low: value, high: value };
  // In shares of the variance, which cannot underflow; and a whole number stays whole whatever rounding does.
  const weight = first / variance;
  const freedom = 1 / (weight ** 2 / (mine.length - 1) + (1 - weight) ** 2 / (theirs.length - 1));
  return around(value, Math.sqrt(variance), Math.floor(freedom + 1e-9), UNBOUNDED);
}

function around(value: number, standardError: number, degreesOfFreedom: number, { least, most }: Bounds): Estimate {
  const half = studentPoint(degreesOfFreedom) * standardError;
  // A mean may pass its bound by rounding: the interval holds it all the same.
  return {
    value,
    low: Math.min(value, Math.max(least, value - half)),
    high: Math.max(value, Math.min(most, value + half)),
  };
}
