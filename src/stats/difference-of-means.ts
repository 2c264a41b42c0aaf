import { mean, quantileSorted } from "simple-statistics";
import type { DrawInteger } from "../base/random.js";
import type { Interval } from "./cluster-bootstrap.js";

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
