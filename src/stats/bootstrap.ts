import { mean, quantileSorted } from "simple-statistics";
import type { DrawInteger } from "../base/random.js";

/** Values that were measured on examples, several on each or none; all arrays in the same order of examples. */
export interface ClusteredValues {
  /** Sum of the values of each example. */
  readonly sums: Float64Array;
  /** Number of values of each example. */
  readonly counts: Float64Array;
}

/** A confidence interval. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

interface BootstrapOptions {
  readonly examples: number;
  readonly resamples: number;
  readonly draw: DrawInteger;
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
 * from both, with replacement (Efron & Tibshirani 1993, §8.3). No interval where a sample has fewer than two values.
 */
export function differenceOfMeans(
  mine: readonly number[],
  theirs: readonly number[],
  { resamples, draw }: { readonly resamples: number; readonly draw: DrawInteger },
): { readonly value: number; readonly interval: Interval | null } {
  const value = mean([...mine]) - mean([...theirs]);
  if (mine.length < 2 || theirs.length < 2) return { value, interval: null };
  const differences = Array.from({ length: resamples }, () => drawnMean(mine, draw) - drawnMean(theirs, draw));
  differences.sort((a, b) => a - b);
  return { value, interval: { low: quantileSorted(differences, 0.025), high: quantileSorted(differences, 0.975) } };
}

function drawnMean(values: readonly number[], draw: DrawInteger): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[draw(0, values.length - 1)] ?? 0;
  return sum / values.length;
}
