import { errorFunction, sum } from "simple-statistics";
import { KeptOnce } from "../../../base/grouping.js";
import { sumOfDraws } from "../../../stats/p-values.js";
import type { QuestionScore } from "./question-score.js";

/** Largest probability, under uniform guessing, of a plurality agreement that still passes. */
const GATE_ALPHA = 0.01;

/**
 * Multiple-choice symbol binding: tells if a model binds symbols to options at all (paper §5.2); only then do its
 * answers say anything about its comprehension.
 */
export type Gate =
  | { readonly status: "passed" | "failed"; readonly measured: GateMeasure }
  /** No question was answered under all its orders, or so few were that guessing explains full agreement too. */
  | { readonly status: "unknown" };

/** Measurements that the gate judges by. */
export interface GateMeasure {
  /** Mean plurality agreement. */
  readonly agreement: number;
  /** Plurality agreement of uniform guessing on average, and its range in 95 of 100 cases, over as many questions. */
  readonly nullMean: number;
  readonly nullLow: number;
  readonly nullHigh: number;
  /** Probability of an agreement this high under uniform guessing. */
  readonly pValue: number;
  /** Questions with all orders answered. */
  readonly n: number;
}

/**
 * The gate: plurality agreement must be higher than uniform guessing explains, p < 0.01 by its exact distribution.
 * Being above 1/N is not enough: guessing itself gives 0.358 with four options.
 */
export function symbolBindingGate(scores: readonly QuestionScore[], optionCount: number): Gate {
  const agreements = scores.flatMap(({ pluralityAgreement }) =>
    pluralityAgreement === null ? [] : [pluralityAgreement],
  );
  const permutations = scores[0]?.permutations;
  if (agreements.length === 0 || permutations === undefined) return { status: "unknown" };
  const n = agreements.length;
  const guessing = pluralityNull(optionCount, permutations, n);
  if (guessing.pValue(n * permutations) >= GATE_ALPHA) return { status: "unknown" };
  const pValue = guessing.pValue(Math.round(sum(agreements) * permutations));
  return {
    status: pValue < GATE_ALPHA ? "passed" : "failed",
    measured: {
      agreement: sum(agreements) / n,
      nullMean: guessing.mean,
      nullLow: guessing.low,
      nullHigh: guessing.high,
      pValue,
      n,
    },
  };
}

/** Distribution of PPA over `n` questions when every answer is a uniform guess. */
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
  return NULLS.made(`${optionCount} ${permutations} ${n}`, () => makeNull(optionCount, permutations, n));
}

/** The forms of a run and its languages have few sizes, and each is looked at several times. At most some megabytes. */
const NULLS = new KeptOnce<PluralityNull>(64);

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
  // Summed from the far end, where the numbers are small: the last is that of the least total.
  const tail = probabilities.toReversed();
  for (const [i, p] of tail.entries()) tail[i] = p + (tail[i - 1] ?? 0);
  return (total) => {
    if (total > highest) return 0;
    return total <= from ? 1 : Math.min(1, Math.max(LEAST_P, tail.at(from - total - 1) ?? 0));
  };
}

/** Normal tail for too many orders to count out: the sum of many draws is nearly normal. */
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

/** Up to so many draws (the orders of five options) the distribution is summed out; above, approximated. */
export const MAX_EXACT_DRAWS = 120;

const LAWS = new KeptOnce<readonly number[]>(64);

/**
 * Distribution of k, the largest count among N options in M independent uniform draws, as probabilities of 0…M. With
 * M = N! this is what plurality agreement is under uniform guessing. Exact up to 120 draws; above by Levin's
 * approximation, which is off by less than 0.002 there.
 */
export function largestCountDistribution(optionCount: number, draws: number): readonly number[] {
  return LAWS.made(`${optionCount} ${draws}`, () =>
    draws <= MAX_EXACT_DRAWS ? exactDistribution(optionCount, draws) : approximateDistribution(optionCount, draws),
  );
}

/**
 * For each m, options are added one at a time, each
 * taking a binomial share of the draws that are left: P(k = m) is that all counts are at most m and one of them is m.
 * Sums of positive terms only, so small probabilities keep their digits. Time: N M³ / 2 steps, 35 ms for 5 options.
 */
function exactDistribution(optionCount: number, draws: number): number[] {
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
  let below = Float64Array.of(1);
  let reached = new Float64Array();
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

function approximateDistribution(optionCount: number, draws: number): number[] {
  const cumulative = approximateCumulative(optionCount, draws);
  return cumulative.map((p, m) => Math.max(0, p - (cumulative[m - 1] ?? 0)));
}

/**
 * P(k <= m) for all m by Levin (1981, Annals of Statistics 9:1123): independent Poisson counts of mean M/N, none above
 * m, given that they sum to M; the density of their sum by an Edgeworth expansion.
 */
export function approximateCumulative(optionCount: number, draws: number): number[] {
  const mean = draws / optionCount;
  // Σ p(k) (k − mean)^i over k <= m, for i = 0…4.
  const sums = [0, 0, 0, 0, 0];
  let logP = -mean;
  const raw = Array.from({ length: draws + 1 }, (_, m) => {
    if (m > 0) logP += Math.log(mean) - Math.log(m);
    for (let i = 0, power = Math.exp(logP); i < sums.length; i++, power *= m - mean) sums[i] = (sums[i] ?? 0) + power;
    return m * optionCount < draws ? 0 : levinWeight(sums, optionCount);
  });
  // The constants that the expansion leaves out are those that make the last one 1.
  const last = raw.at(-1) ?? 1;
  const cumulative: number[] = [];
  for (const value of raw) cumulative.push(Math.min(1, Math.max(cumulative.at(-1) ?? 0, value / last)));
  return cumulative;
}

/** F^N times the density of the truncated counts' sum at M, both by their moments. */
function levinWeight([s0 = 0, s1 = 0, s2 = 0, s3 = 0, s4 = 0]: readonly number[], n: number): number {
  const [a, b, c, d] = [s1 / s0, s2 / s0, s3 / s0, s4 / s0];
  const variance = b - a * a;
  const third = c - 3 * a * b + 2 * a ** 3;
  const fourth = d - 4 * a * c + 6 * a * a * b - 3 * a ** 4;
  const deviation = Math.sqrt(n * variance);
  const z = (-n * a) / deviation;
  const skew = third / variance ** 1.5 / Math.sqrt(n);
  const excess = (fourth / variance ** 2 - 3) / n;
  const edgeworth =
    1 +
    (skew / 6) * (z ** 3 - 3 * z) +
    (excess / 24) * (z ** 4 - 6 * z ** 2 + 3) +
    (skew ** 2 / 72) * (z ** 6 - 15 * z ** 4 + 45 * z ** 2 - 15);
  return Math.max(0, ((s0 ** n * Math.exp((-z * z) / 2)) / deviation) * edgeworth);
}
