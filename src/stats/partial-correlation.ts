import { sampleCorrelation } from "simple-statistics";
import type { Estimate } from "./interval.js";

/** The 97.5 % point of the standard normal distribution. */
const Z = 1.959963984540054;

/** Fewer cases than this have no interval worth its name. */
const LEAST = 10;

/**
 * Spearman's rank correlation of x and y, a third measure held fixed: (r_xy − r_xz r_yz) / √((1 − r_xz²)(1 − r_yz²)) over
 * mid-ranks, −1 to 1. Its 95 % interval by Fisher's z with variance (1 + r²/2) / (n − 4) (Bonett & Wright 2000; one
 * covariate). Where z does not vary nothing has to be held fixed.
 * @param cases independent ones, such as questions: x, y, z
 * @returns `null` where x or y does not vary, or z tells one of them; no interval below 10 cases
 */
export function partialRankCorrelation(cases: readonly (readonly [number, number, number])[]): Estimate | null {
  const [x, y, z] = [0, 1, 2].map((k) => midRanks(cases.map((each) => each[k] ?? 0))) as [number[], number[], number[]];
  if (!varies(x) || !varies(y)) return null;
  const correlation = sampleCorrelation(x, y);
  const [xz, yz] = varies(z) ? [sampleCorrelation(x, z), sampleCorrelation(y, z)] : [0, 0];
  const left = (1 - xz ** 2) * (1 - yz ** 2);
  if (left < 1e-12) return null;
  const value = Math.max(-1, Math.min(1, (correlation - xz * yz) / Math.sqrt(left)));
  if (cases.length < LEAST || Math.abs(value) > 1 - 1e-12) return { value, low: null, high: null };
  const half = Z * Math.sqrt((1 + value ** 2 / 2) / (cases.length - 4));
  return { value, low: Math.tanh(Math.atanh(value) - half), high: Math.tanh(Math.atanh(value) + half) };
}

function varies(values: readonly number[]): boolean {
  return values.some((value) => value !== values[0]);
}

/** Ranks from 1; equal values have the mean of their ranks. */
function midRanks(values: readonly number[]): number[] {
  const sorted = values.toSorted((a, b) => a - b);
  const ranks = new Map<number, number>();
  for (let i = 0; i < sorted.length; ) {
    const value = sorted[i] ?? 0;
    let end = i;
    while (end < sorted.length && sorted[end] === value) end++;
    ranks.set(value, (i + 1 + end) / 2);
    i = end;
  }
  return values.map((value) => ranks.get(value) ?? 0);
}
