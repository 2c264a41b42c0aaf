import { sum } from "simple-statistics";
import { sumOfDraws } from "../../../stats/sum-of-draws.js";

/**
 * Distribution of k, the largest count among N options in M independent uniform draws, as probabilities of 0…M. With
 * M = N! this is what plurality agreement is under uniform guessing. For each m, options are added one at a time, each
 * taking a binomial share of the draws that are left: P(k = m) is that all counts are at most m and one of them is m.
 * Sums of positive terms only, so small probabilities keep their digits. Time: N M³ / 2 steps, 35 ms for 5 options.
 */
export function largestCountDistribution(optionCount: number, draws: number): number[] {
  const shares = Array.from({ length: optionCount }, (_, i) => binomialRows(draws, 1 / (i + 1)));
  const law = Array.from({ length: draws + 1 }, (_, most) => probabilityOfLargest(most, shares, draws));
  // Shares such as 1/3 are rounded: over thousands of questions a sum of 1 + 1e-14 would count.
  const total = sum(law);
  return law.map((p) => p / total);
}

/** `rows[t][j]`: probability of j successes in t trials. */
function binomialRows(trials: number, p: number): Float64Array[] {
  const rows = [Float64Array.of(1)];
  for (let t = 1; t <= trials; t++) {
    const last = rows[t - 1] ?? new Float64Array();
    rows.push(Float64Array.from({ length: t + 1 }, (_, j) => (last[j] ?? 0) * (1 - p) + (last[j - 1] ?? 0) * p));
  }
  return rows;
}

/** @param shares by option: how many of t draws go to it, when it is one of that many options that are left */
function probabilityOfLargest(most: number, shares: readonly (readonly Float64Array[])[], draws: number): number {
  // Over t draws among the options so far: no count reaches `most`; none is above it, and one reaches it.
  let below = Float64Array.from({ length: draws + 1 }, (_, t) => (t === 0 && most > 0 ? 1 : 0));
  let reached = Float64Array.from({ length: draws + 1 }, (_, t) => (t === 0 && most === 0 ? 1 : 0));
  for (const rows of shares) {
    const reach = (t: number, row: Float64Array) => (row[most] ?? 0) * (below[t - most] ?? 0);
    const nextReached = rows.map((row, t) => mixed(row, reached, t, most) + reach(t, row));
    below = Float64Array.from(rows, (row, t) => mixed(row, below, t, most - 1));
    reached = Float64Array.from(nextReached);
  }
  return reached[draws] ?? 0;
}

/** Σ row[j] · before[t − j] over j up to `last`. */
function mixed(row: Float64Array, before: Float64Array, t: number, last: number): number {
  let total = 0;
  for (let j = Math.min(last, t); j >= 0; j--) total += (row[j] ?? 0) * (before[t - j] ?? 0);
  return total;
}

/** How PPA over `n` questions is distributed when every answer is a uniform guess. */
export interface PluralityNull {
  /** 0.3584 for four options, 0.5391 for three: well above 1/N. */
  readonly mean: number;
  /** 2.5 % and 97.5 % points of the mean over n questions. */
  readonly low: number;
  readonly high: number;
  /** Probability of a total of k at least this large; 1e-80 stands for everything that is less but possible. */
  pValue(totalK: number): number;
}

/** Rarer totals are not told apart: the law of their sum is cut off there. */
const LEAST_P = 1e-80;

/**
 * Exact at every n: the distribution of one question's k, convolved n times. 900 questions take 15 ms with three or four
 * options, 0.1 s with five; memory grows with √n.
 * @param permutations orders a question, N! when all are asked
 * @param n questions, at least 1
 */
export function pluralityNull(optionCount: number, permutations: number, n: number): PluralityNull {
  const single = largestCountDistribution(optionCount, permutations);
  const highest = n * permutations;
  const { from, probabilities } = sumOfDraws(single, n);
  // Summed from the far end, where the numbers are small.
  const tail = probabilities.slice();
  for (let i = tail.length - 2; i >= 0; i--) tail[i] = (tail[i] ?? 0) + (tail[i + 1] ?? 0);
  const pValue = (total: number) => {
    if (total > highest) return 0;
    return total <= from ? 1 : Math.min(1, Math.max(LEAST_P, tail[total - from] ?? 0));
  };
  const quantile = (q: number) => smallestWith((total) => 1 - pValue(total + 1) >= q, highest) / highest;
  return {
    mean: sum(single.map((p, k) => p * k)) / permutations,
    low: quantile(0.025),
    high: quantile(0.975),
    pValue,
  };
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
