import type { DrawInteger } from "../base/random.js";

/** A sign-flip test of differences that need not be whole. */
export interface RealSignFlip {
  readonly pValue: number;
  /** `exact`: all sign patterns. `drawn`: a random sample of them, so that p is right to about √(p / draws). */
  readonly method: "exact" | "drawn";
  /** Differences that are not 0. */
  readonly n: number;
}

/** 2^20 patterns, of which one half mirrors the other. */
const MOST_EXACT = 20;
const DRAWS = 100_000;
/** Of the sum of all sizes: sums that differ by less are equal but for rounding. */
const ROUNDING = 1e-12;
/** Signs a drawn number holds. */
const SIGNS = 30;

/**
 * Fisher's randomisation test of paired differences that are real numbers (Fisher 1935, §21; `signFlipTest` for whole
 * ones): two-sided p = P(|T| >= |t|), T = Σ ±dᵢ, every sign pattern as probable as the next. Exact to 20 differences
 * that are not 0; of more, 100,000 patterns are drawn and p = (hits + 1) / (draws + 1) (Davison & Hinkley 1997, §4.2),
 * which is never 0. Equal sums count as at least as large, rounding allowed for. 0 < p <= 1; t = 0 gives 1, and so do no
 * differences.
 * @param differences one an example or task: what is measured on it in the second run minus that in the first
 * @param draw of a seed that is reported
 */
export function realSignFlipTest(differences: readonly number[], draw: DrawInteger): RealSignFlip {
  const sizes = differences.map(Math.abs).filter((size) => size !== 0);
  const n = sizes.length;
  const reach = sizes.reduce((sum, size) => sum + size, 0);
  const observed = Math.abs(differences.reduce((sum, difference) => sum + difference, 0)) - ROUNDING * reach;
  if (n <= MOST_EXACT) return { pValue: shareOfPatterns(sizes, observed), method: "exact", n };
  let hits = 0;
  for (let i = 0; i < DRAWS; i++) if (Math.abs(drawnSum(sizes, draw)) >= observed) hits++;
  return { pValue: (hits + 1) / (DRAWS + 1), method: "drawn", n };
}

/** The first sign is always plus: the patterns with a minus there are the mirror images of the others. */
function shareOfPatterns([first = 0, ...rest]: readonly number[], observed: number): number {
  const sums = new Float64Array(2 ** rest.length).fill(first);
  let known = 1;
  for (const size of rest) {
    for (let i = 0; i < known; i++) {
      const sum = sums[i] ?? 0;
      sums[i] = sum + size;
      sums[i + known] = sum - size;
    }
    known *= 2;
  }
  return sums.reduce((hits, sum) => (Math.abs(sum) >= observed ? hits + 1 : hits), 0) / sums.length;
}

function drawnSum(sizes: readonly number[], draw: DrawInteger): number {
  let sum = 0;
  let signs = 0;
  for (let i = 0; i < sizes.length; i++) {
    if (i % SIGNS === 0) signs = draw(0, 2 ** SIGNS - 1);
    const size = sizes[i] ?? 0;
    sum += (signs & 1) === 0 ? size : -size;
    signs >>= 1;
  }
  return sum;
}
