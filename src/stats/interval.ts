import { mean, sampleStandardDeviation } from "simple-statistics";

/** An estimate with its 95 % interval; the interval is absent where it is not defined. */
export interface Estimate {
  readonly value: number;
  readonly low: number | null;
  readonly high: number | null;
}

/** The 97.5 % point of the standard normal distribution. */
export const Z = 1.959963984540054;

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
 * A mean of values within 0–1 with its normal 95 % interval, mean ± z s/√n, cut at 0 and 1. At n = 1 there is no standard
 * error, so no interval. `null` when there is no value. Questions are taken as independent.
 */
export function meanEstimate(values: readonly number[]): Estimate | null {
  if (values.length === 0) return null;
  const value = mean([...values]);
  if (values.length === 1) return { value, low: null, high: null };
  const half = (Z * sampleStandardDeviation([...values])) / Math.sqrt(values.length);
  return { value, low: Math.min(value, Math.max(0, value - half)), high: Math.max(value, Math.min(1, value + half)) };
}
