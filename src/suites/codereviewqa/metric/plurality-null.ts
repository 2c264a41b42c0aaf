import { errorFunction, sum } from "simple-statistics";

/**
 * Distribution of k, the largest count among N options in M independent uniform draws, as probabilities of 0…M. With
 * M = N! this is what plurality agreement is under uniform guessing. P(k <= m) is M!/N^M times the coefficient of x^M
 * in (Σ_{j<=m} x^j/j!)^N.
 */
export function largestCountDistribution(optionCount: number, draws: number): number[] {
  const cumulative = Array.from({ length: draws + 1 }, (_, m) => probabilityAllAtMost(m, optionCount, draws));
  return cumulative.map((p, m) => Math.max(0, p - (cumulative[m - 1] ?? 0)));
}

function probabilityAllAtMost(most: number, optionCount: number, draws: number): number {
  // Adds one option at a time; `reach[t]` is Π 1/j! summed over the ways to spend t draws, times t!/N^t.
  let reach = [1, ...Array.from({ length: draws }, () => 0)];
  for (let option = 0; option < optionCount; option++) {
    reach = reach.map((_, total) =>
      sum(Array.from({ length: Math.min(most, total) + 1 }, (_x, j) => (reach[total - j] ?? 0) * choose(total, j))),
    );
  }
  return (reach[draws] ?? 0) / optionCount ** draws;
}

function choose(n: number, k: number): number {
  let result = 1;
  for (let i = 1; i <= k; i++) result = (result * (n - k + i)) / i;
  return result;
}

/** How PPA over `n` questions is distributed when every answer is a uniform guess. */
interface PluralityNull {
  /** 0.3584 for four options, 0.5391 for three: well above 1/N. */
  readonly mean: number;
  /** 2.5 % and 97.5 % points of the mean over n questions. */
  readonly low: number;
  readonly high: number;
  /** Probability of a total of k at least this large. */
  pValue(totalK: number): number;
}

/** Above this many questions the normal approximation is exact enough: its error in p is below 0.003. */
const MAX_EXACT_QUESTIONS = 200;

/** @param n questions, at least 1 */
export function pluralityNull(optionCount: number, permutations: number, n: number): PluralityNull {
  const single = largestCountDistribution(optionCount, permutations);
  const meanK = sum(single.map((p, k) => p * k));
  const variance = sum(single.map((p, k) => p * (k - meanK) ** 2));
  const upperTail =
    n <= MAX_EXACT_QUESTIONS ? exactUpperTail(single, n) : normalUpperTail(n * meanK, Math.sqrt(n * variance));
  const quantile = (q: number) =>
    smallestWith((total) => 1 - upperTail(total + 1) >= q, n * permutations) / (n * permutations);
  return { mean: meanK / permutations, low: quantile(0.025), high: quantile(0.975), pValue: upperTail };
}

function exactUpperTail(single: readonly number[], n: number): (total: number) => number {
  let totals = [1];
  for (let i = 0; i < n; i++) totals = convolve(totals, single);
  // Summed from the far end, where the numbers are small.
  const tail = totals.slice();
  for (let i = tail.length - 2; i >= 0; i--) tail[i] = (tail[i] ?? 0) + (tail[i + 1] ?? 0);
  return (total) => (total <= 0 ? 1 : Math.min(1, tail[total] ?? 0));
}

function convolve(a: readonly number[], b: readonly number[]): number[] {
  const result = new Array<number>(a.length + b.length - 1).fill(0);
  for (let i = 0; i < a.length; i++) {
    const left = a[i] ?? 0;
    if (left === 0) continue;
    for (let j = 0; j < b.length; j++) result[i + j] = (result[i + j] ?? 0) + left * (b[j] ?? 0);
  }
  return result;
}

function normalUpperTail(mean: number, deviation: number): (total: number) => number {
  return (total) => (1 - errorFunction((total - 0.5 - mean) / deviation / Math.SQRT2)) / 2;
}

function smallestWith(holds: (total: number) => boolean, highest: number): number {
  let [low, high] = [0, highest];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
