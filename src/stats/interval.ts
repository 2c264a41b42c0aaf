import { bisect, mean, product, sampleStandardDeviation, sum } from "simple-statistics";

/** Values that were measured on examples, several on each or none; all arrays in the same order of examples. */
export interface ClusteredValues {
  /** Sum of the values of each example. */
  readonly sums: Float64Array;
  /** Number of values of each example. */
  readonly counts: Float64Array;
}

/** Values by cluster, summed up. */
export function clusterTotals(clusters: readonly (readonly number[])[]): ClusteredValues {
  return {
    sums: Float64Array.from(clusters, (values) => values.reduce((sum, value) => sum + value, 0)),
    counts: Float64Array.from(clusters, ({ length }) => length),
  };
}

/** A confidence interval. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** An estimate with its 95 % interval; the interval is absent where it is not defined. */
export interface Estimate {
  readonly value: number;
  readonly low: number | null;
  readonly high: number | null;
}

/** The 97.5 % point of the standard normal distribution. */
const Z = 1.959963984540054;

/**
 * A proportion with its Wilson score interval (Wilson 1927): the p for which |successes/n − p| <= z √(p(1−p)/n).
 * Within 0–1, holds its value, and of use at 0 and n too. `null` when n = 0.
 */
export function proportion(successes: number, n: number): Estimate | null {
  if (n === 0) return null;
  const p = successes / n;
  const centre = (p + (Z * Z) / (2 * n)) / (1 + (Z * Z) / n);
  const half = (Z / (1 + (Z * Z) / n)) * Math.sqrt((p * (1 - p)) / n + (Z * Z) / (4 * n * n));
  // At 0 and n a bound is p itself; rounding must not push it past.
  const low = successes === 0 ? 0 : Math.max(0, centre - half);
  const high = successes === n ? 1 : Math.min(1, centre + half);
  return { value: p, low: Math.min(p, low), high: Math.max(p, high) };
}

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
  return sum(Array.from(values));
}

/** Range of a mean; an interval is cut there. */
export interface Bounds {
  readonly least: number;
  readonly most: number;
}

/** Range of a share, and of a mean of shares. */
export const SHARE: Bounds = { least: 0, most: 1 };
/** Range of the difference of two. */
export const DIFFERENCE: Bounds = { least: -1, most: 1 };

const UNBOUNDED: Bounds = { least: Number.NEGATIVE_INFINITY, most: Number.POSITIVE_INFINITY };

/**
 * A mean with its 95 % interval x̄ ± t(.975, n − 1) · s / √n, s with divisor n − 1 ("Student" 1908), in the unit of the
 * values and cut at the bounds. Wider than the normal one where n is small: 6.5 times at 2, 1.07 times at 20. Equal values
 * have the interval of {@link unlikeNone}. No interval at n = 1: one value has no spread. `null` when there is no value.
 * Values are taken as independent.
 */
export function tInterval(values: readonly number[], bounds: Bounds = UNBOUNDED): Estimate | null {
  if (values.length === 0) return null;
  const value = mean([...values]);
  if (values.length === 1) return { value, low: null, high: null };
  return tAround(value, sampleStandardDeviation([...values]) / Math.sqrt(values.length), values.length, bounds);
}

/**
 * The t interval over the means of clusters, such as the trials of one task: df = clusters − 1, every cluster counts
 * alike however many values it has (Cameron & Miller 2015, §VI: few clusters, critical values of t). Empty clusters are
 * left out. `null` when all are.
 */
export function clusteredInterval(clusters: readonly (readonly number[])[], bounds?: Bounds): Estimate | null {
  return tInterval(clusterMeans(clusters), bounds);
}

/** The mean of each cluster that is not empty. */
export function clusterMeans(clusters: readonly (readonly number[])[]): number[] {
  return clusters.filter(({ length }) => length > 0).map((values) => mean([...values]));
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
  return tAround(value, Math.sqrt((clusters / (clusters - 1)) * squares) / total, clusters, bounds);
}

/**
 * Mean of `mine` minus mean of `theirs`, two independent samples of unequal variance (Welch 1947): SE² = s₁²/n₁ + s₂²/n₂,
 * df by Welch & Satterthwaite, rounded down, which widens the interval a little. No interval where a sample has fewer
 * than two values, or neither has any spread; `null` where one has none.
 */
export function differenceByT(mine: readonly number[], theirs: readonly number[]): Estimate | null {
  if (mine.length === 0 || theirs.length === 0) return null;
  const value = mean([...mine]) - mean([...theirs]);
  if (mine.length < 2 || theirs.length < 2) return { value, low: null, high: null };
  const errors = [mine, theirs].map((values) => sampleStandardDeviation([...values]) ** 2 / values.length);
  const [first = 0, second = 0] = errors;
  const variance = first + second;
  if (variance === 0) return { value, low: null, high: null };
  // Shares of the variance cannot underflow; and a whole number stays whole whatever rounding does.
  const weight = first / variance;
  const freedom = 1 / (weight ** 2 / (mine.length - 1) + (1 - weight) ** 2 / (theirs.length - 1));
  return tAround(value, Math.sqrt(variance), Math.floor(freedom + 1e-9) + 1, UNBOUNDED);
}

/** Standard errors below this share of the value are rounding. */
const ROUNDING = 1e-12;

/** @param clusters one more than the degrees of freedom */
function tAround(value: number, standardError: number, clusters: number, bounds: Bounds): Estimate {
  if (standardError <= ROUNDING * Math.max(1, Math.abs(value))) return unlikeNone(value, clusters, bounds);
  const half = studentPoint(clusters - 1) * standardError;
  // A mean may pass its bound by rounding: the interval holds it all the same.
  return {
    value,
    low: Math.min(value, Math.max(bounds.least, value - half)),
    high: Math.max(value, Math.min(bounds.most, value + half)),
  };
}

/**
 * The interval of a mean over m clusters that are all alike, which tells nothing of their spread: of all clusters there are,
 * a share of u = z²/(m + z²) may be unlike them (Wilson's upper bound at none of m) and have any value within the bounds. So
 * Wilson's interval on clusters where all are right, or none is; never of width 0. Without bounds no interval.
 */
function unlikeNone(value: number, clusters: number, { least, most }: Bounds): Estimate {
  if (!Number.isFinite(least) || !Number.isFinite(most)) return { value, low: null, high: null };
  const unlike = (Z * Z) / (clusters + Z * Z);
  return { value, low: value - unlike * (value - least), high: value + unlike * (most - value) };
}

/** `true`: values have no spread but for rounding, so that no t interval is theirs. */
export function areAlike(values: readonly number[]): boolean {
  const reach = Math.max(1, ...values.map(Math.abs));
  return Math.max(...values) - Math.min(...values) <= ROUNDING * reach;
}

/** Error of the angle whose tangent the quantile is, in radians. */
const TOLERANCE = 1e-15;
const BISECTIONS = 100;

/**
 * The 97.5 % point of Student's t distribution ("Student" 1908): the t with P(|T| <= t) = 0.95. Found by bisection over
 * θ = arctan(t / √df), in which that probability rises from 0 to 1.
 * @param degreesOfFreedom a whole number of at least 1; 12.706 at 1, falling to 1.960
 */
export function studentPoint(degreesOfFreedom: number): number {
  const angle = bisect((theta) => within(theta, degreesOfFreedom) - 0.95, 0, Math.PI / 2, BISECTIONS, TOLERANCE);
  return Math.tan(angle) * Math.sqrt(degreesOfFreedom);
}

/**
 * P(|T| <= √df tan θ), a finite sum for whole degrees of freedom (Abramowitz & Stegun 1964, 26.7.3 and 26.7.4): for even
 * df sin θ {1 + 1/2 cos²θ + 1·3/(2·4) cos⁴θ + … }, for odd ones 2/π [θ + sin θ {cos θ + 2/3 cos³θ + … }], up to
 * cos^(df − 2) θ.
 */
function within(theta: number, degreesOfFreedom: number): number {
  const isOdd = degreesOfFreedom % 2 === 1;
  const [sine, cosine] = [Math.sin(theta), Math.cos(theta)];
  let term = isOdd ? cosine : 1;
  let series = 0;
  for (let power = isOdd ? 1 : 0; power <= degreesOfFreedom - 2; power += 2) {
    series += term;
    term *= (cosine * cosine * (power + 1)) / (power + 2);
  }
  return isOdd ? (2 / Math.PI) * (theta + sine * series) : sine * series;
}

/**
 * Pass@k: probability that at least one of k trials passes, k drawn without replacement from the n that were made:
 * 1 − C(n − c, k) / C(n, k), 0–1 (Chen et al. 2021, "Evaluating large language models trained on code", Eq. 1), by their
 * product, which cannot overflow. `null` for n < k: fewer trials than are to be drawn.
 * @param passed c, of `trials` n
 * @param k at least 1
 */
export function passAtK(passed: number, trials: number, k: number): number | null {
  if (trials < k) return null;
  const failed = trials - passed;
  return 1 - product(Array.from({ length: passed }, (_, i) => 1 - k / (failed + 1 + i)));
}

/**
 * Pass^k: probability that all of k trials pass, drawn likewise: C(c, k) / C(n, k), 0–1 (Yao et al. 2024, "τ-bench"). `null` for n < k.
 * @param passed c, of `trials` n
 * @param k at least 1
 */
export function passHatK(passed: number, trials: number, k: number): number | null {
  if (trials < k) return null;
  if (passed < k) return 0;
  return product(Array.from({ length: k }, (_, i) => (passed - i) / (trials - i)));
}

/** Result of trying again up to a number of attempts, if attempts are independent and equally good. */
interface RetryModel {
  /** P: probability of a success within the attempts, 0–1. */
  readonly success: number;
  /** E: attempts made on average, stopping at the first success. */
  readonly attempts: number;
  /** E / P = 1 / p, whatever the limit: times the cost of an attempt the cost of a success. `null` at p = 0. */
  readonly attemptsPerSuccess: number | null;
}

/**
 * The retry model of RefactorBench-JS (Table 13; the geometric law cut off at the limit): with three attempts
 * P = 1 − (1 − p)³ and E = p + 2 (1 − p) p + 3 (1 − p)², in general E = Σ (1 − p)^i over i below the limit.
 * @param p success rate of one attempt, 0–1
 */
export function retryModel(p: number, attempts = 3): RetryModel {
  return {
    success: 1 - (1 - p) ** attempts,
    attempts: sum(Array.from({ length: attempts }, (_, i) => (1 - p) ** i)),
    attemptsPerSuccess: p === 0 ? null : 1 / p,
  };
}

/**
 * False confidence (RefactorBench-JS, Table 5): share of the reported successes that failed, 0–1, with Wilson's 95 %
 * interval. `null` when no success was reported.
 * @param failed of them, how many failed
 */
export function falseConfidence({
  reported,
  failed,
}: {
  readonly reported: number;
  readonly failed: number;
}): Estimate | null {
  return proportion(failed, reported);
}
