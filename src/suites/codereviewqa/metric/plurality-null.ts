import { errorFunction, sum } from "simple-statistics";
import { sumOfDraws } from "../../../stats/sum-of-draws.js";
import { largestCountDistribution, MAX_EXACT_DRAWS } from "./largest-count.js";

/** How PPA over `n` questions is distributed when every answer is a uniform guess. */
interface PluralityNull {
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
 * Exact at every n up to the orders of five options: the distribution of one question's k, convolved n times. 900 questions take 15 ms with three or four
 * options, 0.1 s with five; memory grows with √n.
 * @param permutations orders a question, N! when all are asked
 * @param n questions, at least 1
 */
export function pluralityNull(optionCount: number, permutations: number, n: number): PluralityNull {
  const key = `${optionCount} ${permutations} ${n}`;
  const known = knownNulls.get(key);
  if (known !== undefined) return known;
  const made = makeNull(optionCount, permutations, n);
  if (knownNulls.size >= MOST_KNOWN) knownNulls.clear();
  knownNulls.set(key, made);
  return made;
}

/** The forms of a run and its languages have few sizes, and each is looked at several times. At most some megabytes. */
const knownNulls = new Map<string, PluralityNull>();
const MOST_KNOWN = 64;

function makeNull(optionCount: number, permutations: number, n: number): PluralityNull {
  const single = largestCountDistribution(optionCount, permutations);
  const highest = n * permutations;
  const pValue = permutations <= MAX_EXACT_DRAWS ? exactTail(single, n, highest) : normalTail(single, n);
  const quantile = (q: number) => smallestWith((total) => 1 - pValue(total + 1) >= q, highest) / highest;
  return {
    mean: sum(single.map((p, k) => p * k)) / permutations,
    low: quantile(0.025),
    high: quantile(0.975),
    pValue,
  };
}

function exactTail(single: readonly number[], n: number, highest: number): PluralityNull["pValue"] {
  const { from, probabilities } = sumOfDraws([...single], n);
  // Summed from the far end, where the numbers are small.
  const tail = probabilities.slice();
  for (let i = tail.length - 2; i >= 0; i--) tail[i] = (tail[i] ?? 0) + (tail[i + 1] ?? 0);
  return (total) => {
    if (total > highest) return 0;
    return total <= from ? 1 : Math.min(1, Math.max(LEAST_P, tail[total - from] ?? 0));
  };
}

/** Where there are too many orders to count out: the sum of many draws is nearly normal. */
function normalTail(single: readonly number[], n: number): PluralityNull["pValue"] {
  const mean = sum(single.map((p, k) => p * k));
  const deviation = Math.sqrt(n * sum(single.map((p, k) => p * (k - mean) ** 2)));
  return (total) => (1 - errorFunction((total - 0.5 - n * mean) / deviation / Math.SQRT2)) / 2;
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
