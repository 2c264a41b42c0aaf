import { mean, probit, quantileSorted } from "simple-statistics";
import type { DrawInteger } from "../base/random.js";
import {
  type Bounds,
  type ClusteredValues,
  clusteredMean,
  DIFFERENCE,
  differenceByT,
  type Estimate,
  type Interval,
} from "./interval.js";

interface BootstrapOptions {
  readonly examples: number;
  readonly resamples: number;
  readonly draw: DrawInteger;
}

/** From so many clusters on, means are bootstrapped; percentiles of fewer are too narrow. */
export const LEAST_RESAMPLED = 30;

/** Values with the range of their mean; absent: any. */
export type BoundedValues = ClusteredValues & { readonly bounds?: Bounds };

/**
 * 95 % intervals of means over clusters: bootstrapped from 30 clusters on, the same draw for every measure; Student's t
 * below (`clusteredMean`), and its rule where all clusters are alike. `null` for fewer than two clusters with values.
 */
export function clusterIntervals(measures: readonly BoundedValues[], options: BootstrapOptions): (Interval | null)[] {
  const many = measures.filter(({ counts }) => counts.filter((count) => count > 0).length >= LEAST_RESAMPLED);
  const drawn = many.length === 0 ? [] : bootstrapMeans(many, options);
  return measures.map((measure) => {
    const found = drawn[many.indexOf(measure)] ?? null;
    const isFlat = found === null || found.high - found.low < FLAT;
    return isFlat ? boundsOf(clusteredMean(measure, measure.bounds)) : found;
  });
}

/** Level of the two-sided test that an interval of 95 % is to agree with. */
const ALPHA = 0.05;

/**
 * The 95 % interval of a paired difference, made to say what its exact test says: 0 lies in it just where p > 0.05. One that
 * does not, as percentiles and t of few unequal pairs, gives way to the test-based one (Miettinen 1976): difference ±
 * |difference| · 1.96 / z, z the normal quantile of p; cut at −1 and 1.
 */
export function agreeingInterval(interval: Interval | null, difference: number, pValue: number): Interval | null {
  if (interval === null || difference === 0) return interval;
  const isDifferent = pValue <= ALPHA;
  if (isDifferent === (interval.low > 0 || interval.high < 0)) return interval;
  const ratio = probit(1 - ALPHA / 2) / probit(1 - pValue / 2);
  // The quantiles are good to four digits: at the level itself the test decides.
  const half = Math.abs(difference) * (isDifferent ? Math.min(ratio, INSIDE) : Math.max(ratio, 1));
  const { least, most } = DIFFERENCE;
  return { low: Math.max(least, difference - half), high: Math.min(most, difference + half) };
}

const INSIDE = 0.9999;

/** Percentiles closer than this differ by rounding. */
const FLAT = 1e-9;

function boundsOf(estimate: Estimate | null): Interval | null {
  return estimate?.low == null || estimate.high === null ? null : { low: estimate.low, high: estimate.high };
}

/**
 * 95 % percentile intervals of means, bootstrapped by example (Efron & Tibshirani 1993, §13.3; resampling clusters:
 * Davison & Hinkley 1997, §3.8): each resample draws as many examples as there are, with replacement, and takes each
 * with all its values, the same draw for every measure. The mean is Σ sums / Σ counts. A resample without a value of a
 * measure tells nothing of it and is left out. `null` where fewer than two examples have values: one has no spread.
 */
export function bootstrapMeans(measures: readonly ClusteredValues[], options: BootstrapOptions): (Interval | null)[] {
  const measurable = measures.map(({ counts }) => counts.filter((count) => count > 0).length >= 2);
  const means = measures.map((_, i) => new Float64Array(measurable[i] === true ? options.resamples : 0));
  const weights = new Float64Array(options.examples);
  for (let resample = 0; resample < options.resamples; resample++) {
    drawExamples(weights, options.draw);
    for (const [i, measure] of measures.entries()) {
      const own = means[i];
      if (own !== undefined && measurable[i] === true) own[resample] = weightedMean(measure, weights);
    }
  }
  return means.map((own, i) => (measurable[i] === true ? percentiles(own) : null));
}

/** Fills in how often each example was drawn. */
function drawExamples(weights: Float64Array, draw: DrawInteger): void {
  weights.fill(0);
  for (let i = 0; i < weights.length; i++) {
    const drawn = draw(0, weights.length - 1);
    weights[drawn] = (weights[drawn] ?? 0) + 1;
  }
}

/** NaN when no drawn example has a value; `percentiles` leaves it out. */
function weightedMean({ sums, counts }: ClusteredValues, weights: Float64Array): number {
  let sum = 0;
  let count = 0;
  for (let i = 0; i < weights.length; i++) {
    const weight = weights[i] ?? 0;
    sum += weight * (sums[i] ?? 0);
    count += weight * (counts[i] ?? 0);
  }
  return sum / count;
}

function percentiles(means: Float64Array): Interval | null {
  const sorted = [...means.filter((mean) => !Number.isNaN(mean)).sort()];
  if (sorted.length === 0) return null;
  return { low: quantileSorted(sorted, 0.025), high: quantileSorted(sorted, 0.975) };
}

/**
 * Mean of `mine` minus mean of `theirs`, two independent samples, with a 95 % percentile interval: each resample draws
 * from both, with replacement (Efron & Tibshirani 1993, §8.3); by Student's t where a sample has fewer than 30 values
 * (`differenceByT`). No interval where a sample has fewer than two, or neither has any spread.
 */
export function differenceOfMeans(
  mine: readonly number[],
  theirs: readonly number[],
  { resamples, draw }: { readonly resamples: number; readonly draw: DrawInteger },
): { readonly value: number; readonly interval: Interval | null } {
  const byT = differenceByT(mine, theirs);
  const value = byT?.value ?? mean([...mine]) - mean([...theirs]);
  const interval = boundsOf(byT);
  if (interval === null || Math.min(mine.length, theirs.length) < LEAST_RESAMPLED) return { value, interval };
  const differences = Array.from({ length: resamples }, () => drawnMean(mine, draw) - drawnMean(theirs, draw));
  differences.sort((a, b) => a - b);
  return { value, interval: { low: quantileSorted(differences, 0.025), high: quantileSorted(differences, 0.975) } };
}

function drawnMean(values: readonly number[], draw: DrawInteger): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[draw(0, values.length - 1)] ?? 0;
  return sum / values.length;
}
