import { combination } from "js-combinatorics";
import { errorFunction, sum } from "simple-statistics";
import type { DrawInteger } from "../base/random.js";

/**
 * McNemar's exact test for two runs over the same questions (McNemar 1947): two-sided p = min(1, 2 P(X <= min(b, c))),
 * X binomial over the b + c discordant pairs with probability 1/2. 0 < p <= 1; b = c gives 1, and so does no discordant
 * pair: the only outcome there could be. Not mid-p: the error rate is at most the level, whatever n. Pairs must be
 * independent: at most one an example; see `signFlipTest` for more.
 * @param b pairs that only the first run has right
 * @param c pairs that only the second run has right
 */
export function mcNemarExact(b: number, c: number): number {
  const fewer = Math.min(b, c);
  if (b === c) return 1;
  let ways = 1n;
  let total = 1n;
  for (let k = 1; k <= fewer; k++) {
    ways = (ways * BigInt(b + c - k + 1)) / BigInt(k);
    total += ways;
  }
  return Math.min(1, timesPowerOfHalf(total, b + c - 1));
}

/** value / 2^halvings, rounded once; never 0, which an exact p cannot be. */
function timesPowerOfHalf(value: bigint, halvings: number): number {
  const shift = Math.max(0, value.toString(2).length - 64);
  return Math.max(Number.MIN_VALUE, Number(value >> BigInt(shift)) * 2 ** (shift - halvings));
}

/**
 * Fisher's exact test of a 2×2 table, two-sided: with all four margins fixed, the sum of the probabilities of all tables
 * that are no more probable than the one found (Fisher 1935; Freeman & Halton 1951). Computed in whole numbers, so that
 * equally probable tables are told apart from nearly equal ones. 0 < p <= 1; 1 where a margin is empty, and so without
 * observations: there is but one table.
 * @param table whole numbers, [[a, b], [c, d]]
 */
export function fisherExact([[a, b], [c, d]]: readonly [readonly [number, number], readonly [number, number]]): number {
  const [row, other, column] = [a + b, c + d, a + c];
  const least = Math.max(0, column - other);
  const most = Math.min(row, column);
  const ways = [combination(row, least) * combination(other, column - least)];
  for (let k = least; k < most; k++) {
    // From C(row, k) C(other, column − k) to the next: the division leaves no rest.
    const next = (ways[k - least] ?? 0n) * BigInt((row - k) * (column - k));
    ways.push(next / BigInt((k + 1) * (other - column + k + 1)));
  }
  const found = ways[a - least] ?? 0n;
  const atMost = ways.reduce((sum, count) => (count <= found ? sum + count : sum), 0n);
  return shareOf(atMost, combination(row + other, column));
}

/** More than the digits of a double. */
const BITS = 64;

/** part / whole, for numbers too large for a double; never 0, which an exact p cannot be. */
function shareOf(part: bigint, whole: bigint): number {
  const shift = Math.max(0, bitsOf(whole) - bitsOf(part)) + BITS;
  const scaled = Number((part << BigInt(shift)) / whole) / 2 ** BITS;
  return Math.max(Number.MIN_VALUE, scaled * 2 ** (BITS - shift));
}

function bitsOf(value: bigint): number {
  return value.toString(2).length;
}

/**
 * p-values adjusted for how many tests there are (Benjamini & Hochberg 1995): with p ranked upwards, the adjusted value
 * of rank i is the least of m/j · p(j) over j >= i, at most 1. Calling what is at most q a difference keeps the
 * expected share of false ones among them at q or below. In the order given; ties get the same value; none for none.
 */
export function benjaminiHochberg(pValues: readonly number[]): number[] {
  const byRank = pValues.map((p, index) => ({ p, index })).sort((left, right) => left.p - right.p);
  const adjusted = pValues.map(() => 1);
  let least = 1;
  for (let rank = byRank.length; rank >= 1; rank--) {
    const entry = byRank[rank - 1];
    if (entry === undefined) continue;
    // The factor is at least 1, so that rounding never lowers a value.
    least = Math.min(least, entry.p * (byRank.length / rank));
    adjusted[entry.index] = least;
  }
  return adjusted;
}

/** Probabilities of the whole numbers from `from` on. */
interface Law {
  readonly from: number;
  readonly probabilities: Float64Array;
}

/** Ends of a law below this are cut off: together far less than 1e-80, for any number of draws that can be computed. */
const NEGLIGIBLE = 1e-100;

/**
 * The law of the sum of `n` independent draws from `single`, by repeated squaring: about 2 log2(n) convolutions, each
 * as wide as the law spreads (43 standard deviations, whatever the range). Only positive terms are added, so that small
 * probabilities keep their digits. Sums whose probability is below 1e-100 may be missing at both ends.
 * @param single probabilities of 0, 1, 2, …
 * @param n at least 0; the sum of no draws is 0
 */
export function sumOfDraws(single: readonly number[], n: number): Law {
  let sum: Law = { from: 0, probabilities: Float64Array.of(1) };
  let power = withoutEnds({ from: 0, probabilities: Float64Array.from(single) });
  for (let left = n; left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) sum = added(sum, power);
    if (left > 1) power = doubled(power);
  }
  return sum;
}

/** The law of the sum of two independent numbers. */
function added(a: Law, b: Law): Law {
  const probabilities = new Float64Array(a.probabilities.length + b.probabilities.length - 1);
  for (let i = 0; i < a.probabilities.length; i++) {
    const left = a.probabilities[i] ?? 0;
    for (let j = 0; j < b.probabilities.length; j++) {
      probabilities[i + j] = (probabilities[i + j] ?? 0) + left * (b.probabilities[j] ?? 0);
    }
  }
  return withoutEnds({ from: a.from + b.from, probabilities });
}

/** The law of the sum of two independent numbers of the same law: each pair of different places counts twice. */
function doubled({ from, probabilities: own }: Law): Law {
  const probabilities = new Float64Array(2 * own.length - 1);
  for (let i = 0; i < own.length; i++) {
    const left = own[i] ?? 0;
    probabilities[2 * i] = (probabilities[2 * i] ?? 0) + left * left;
    for (let j = i + 1; j < own.length; j++) {
      probabilities[i + j] = (probabilities[i + j] ?? 0) + 2 * left * (own[j] ?? 0);
    }
  }
  return withoutEnds({ from: 2 * from, probabilities });
}

function withoutEnds({ from, probabilities }: Law): Law {
  let [first, last] = [0, probabilities.length - 1];
  while (first < last && (probabilities[first] ?? 0) < NEGLIGIBLE) first++;
  while (last > first && (probabilities[last] ?? 0) < NEGLIGIBLE) last--;
  return { from: from + first, probabilities: probabilities.slice(first, last + 1) };
}

/**
 * Fisher's randomisation test of paired differences, exact, by example: if the two runs were equally good, each
 * example's difference would as likely have the other sign. Two-sided p = P(|T| >= |t|), T = Σ ±dᵢ over all 2^n sign
 * patterns, each as probable; all questions of an example change sign together, so that they need not be independent.
 * 0 < p <= 1; t = 0 gives 1. With one question an example this is McNemar's exact test. Time: examples × Σ|dᵢ|; of more
 * than 4,000 examples the normal law is taken.
 * @param differences one whole number an example: questions right in the second run, minus those right in the first
 */
export function signFlipTest(differences: readonly number[]): number {
  const observed = Math.abs(sum([...differences]));
  return observed === 0 ? 1 : Math.min(1, 2 * upperTail(differences, observed));
}

/**
 * One-sided version: p = P(T >= t), the probability of differences that speak for the second side as much as these do,
 * or more. 0 < p <= 1; without differences 1; 2^−n at least, n = examples that differ.
 * @param differences one whole number an example; shares are to be multiplied to whole numbers first
 */
export function signFlipUpperTest(differences: readonly number[]): number {
  return upperTail(differences, sum([...differences]));
}

/** P(T >= observed); never 0, though a double may be too coarse for it. */
function upperTail(differences: readonly number[], observed: number): number {
  const sizes = differences.map(Math.abs).filter((size) => size !== 0);
  // Sizes in their largest common unit, small ones first: the fewer sums there are, the faster.
  const unit = sizes.reduce(commonDivisor, 0) || 1;
  const steps = sizes.map((size) => size / unit).sort((a, b) => a - b);
  if (steps.length > MOST_COUNTED) return normalTail(steps, observed / unit);
  // T is the sum of all sizes less twice those whose sign is negative.
  const most = (sum(steps) - observed / unit) / 2;
  const tail = lawOfSum(steps, most).reduceRight((total, p) => total + p, 0);
  return Math.max(Number.MIN_VALUE, Math.min(1, tail));
}

/** With more examples the law is so nearly normal that counting it out tells nothing more: off by less than 1e-4. */
const MOST_COUNTED = 4000;

/** P(T >= observed) of many ±steps, by the normal law of the same variance; sums are two steps apart. */
function normalTail(steps: readonly number[], observed: number): number {
  const deviation = Math.sqrt(steps.reduce((squares, step) => squares + step * step, 0));
  return Math.max(Number.MIN_VALUE, (1 - errorFunction((observed - 1) / deviation / Math.SQRT2)) / 2);
}

function commonDivisor(a: number, b: number): number {
  return b === 0 ? a : commonDivisor(b, a % b);
}

/**
 * Probability of each sum from 0 to `most` of the sizes that a fair coin picks. In place, as the examples may be many; sums
 * whose probability is too small for a double, which with many examples are most, are passed over.
 */
function lawOfSum(sizes: readonly number[], most: number): Float64Array {
  const law = new Float64Array(most + 1);
  law[0] = 1;
  // All that is not 0 stands between these, both included.
  let [first, last] = [0, 0];
  for (const size of sizes) {
    last = Math.min(most, last + size);
    for (let at = last; at >= first + size; at--) law[at] = (law[at] ?? 0) / 2 + (law[at - size] ?? 0) / 2;
    for (let at = Math.min(last, first + size - 1); at >= first; at--) law[at] = (law[at] ?? 0) / 2;
    while (first < last && law[first] === 0) first++;
    while (last > first && law[last] === 0) last--;
  }
  return law;
}

/** A sign-flip test of differences that need not be whole. */
interface RealSignFlip {
  readonly pValue: number;
  /** `exact`: all sign patterns. `drawn`: a random sample of them, so that p is right to about √(p / draws). */
  readonly method: "exact" | "drawn";
  /** Differences that are not 0. */
  readonly n: number;
}

/** 2^20 patterns, of which one half mirrors the other. */
const MOST_EXACT = 20;
const DRAWS = 100_000;
/** Share of the sum of all sizes: sums that differ by less are equal but for rounding. */
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
