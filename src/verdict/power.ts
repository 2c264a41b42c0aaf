import { groupBy } from "../base/grouping.js";
import { type DrawInteger, seededIntegers } from "../base/random.js";
import { clusterDifferences, isClaimed, logWealth, type Rival, testRung } from "./rung.js";

/** Questions of a form, before anybody is asked. */
interface UnaskedForm {
  readonly optionCount: number;
  /** Orders that each question has. */
  readonly orders: number;
  /** Mean accuracy is of one order a question, as where questions stop at their first wrong order. */
  readonly isOneOrder: boolean;
  /** Asked until the verdict is decided: bets on all questions are the tests, of which fewer may have been enough. */
  readonly isSequential: boolean;
  /** The cluster of each question. */
  readonly clusters: readonly string[];
  /** Every rule that a score is held against. */
  readonly rivals: readonly Rival[];
}

/** Least share of questions that a reader must know, 0–1; `null`: one who knows all is not told so 80 times in 100. */
export interface ReaderNeeds {
  /** To be told `unsteady` or better: mean accuracy above every rule. */
  readonly unsteady: number | null;
  /** To be told `above_floor`: invariant accuracy above every rule. */
  readonly aboveFloor: number | null;
}

const READERS = 50;
const POWER = 0.8;
/** With more clusters than this the sign flip is taken by its normal limit, good to a point of the share. */
const MOST_EXACT = 40;
/** The 99 % point of the normal distribution: that of a rung, one-sided. */
const Z = 2.3263478740408408;
const PERCENT = 100;

/**
 * Knowledge that these questions take: 50 readers are drawn (seeded), who know each question with the same probability,
 * answer those under every order, and guess each order of the others; for each the least share known is found, to a point,
 * at which the tests of the verdict are passed; given is the share at which 80 % of them pass.
 */
export function readerNeeds(form: UnaskedForm): ReaderNeeds {
  const draw = seededIntegers(0);
  const readers = Array.from({ length: READERS }, () => drawReader(form, draw));
  const passes = passTest(form);
  const shareFor = (guessOf: (question: DrawnQuestion) => number): number | null => {
    const least = readers.map((reader) =>
      leastPercent((percent) =>
        passes(reader.map((question) => (percent >= question.isKnownFrom ? 1 : guessOf(question)))),
      ),
    );
    const found = least.sort((a, b) => a - b)[Math.ceil(POWER * READERS) - 1] ?? PERCENT + 1;
    return found > PERCENT ? null : found / PERCENT;
  };
  return { unsteady: shareFor(({ guessed }) => guessed), aboveFloor: shareFor(({ isAllRight }) => Number(isAllRight)) };
}

interface DrawnQuestion {
  /** Percent of questions known from which on this one is among them. */
  readonly isKnownFrom: number;
  /** Mean accuracy by guessing. */
  readonly guessed: number;
  readonly isAllRight: boolean;
}

function drawReader({ clusters, optionCount, orders, isOneOrder }: UnaskedForm, draw: DrawInteger): DrawnQuestion[] {
  return clusters.map(() => {
    const guesses = Array.from({ length: orders }, () => Number(draw(1, optionCount) === 1));
    const right = guesses.reduce((sum, guess) => sum + guess, 0);
    const guessed = isOneOrder ? (guesses[0] ?? 0) : right / orders;
    return { isKnownFrom: draw(1, PERCENT), guessed, isAllRight: right === orders };
  });
}

/** The least percent that passes, by bisection; 101: none does. */
function leastPercent(passes: (percent: number) => boolean): number {
  let [low, high] = [0, PERCENT + 1];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (middle > PERCENT || passes(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The test of a rung of the ladder, for the values of all questions. */
function passTest({ clusters, rivals, isSequential }: UnaskedForm): (values: readonly number[]) => boolean {
  if (isSequential)
    return (values) =>
      rivals.every(({ shares }) => isClaimed(logWealth(clusterDifferences({ values, clusters }, shares))));
  const groups = [...groupBy([...clusters.keys()], (item) => clusters[item] ?? "").values()];
  if (groups.length <= MOST_EXACT) return (values) => testRung({ values, clusters }, rivals)?.isReached === true;
  const totals = (values: readonly number[]) =>
    groups.map((items) => items.reduce((sum, item) => sum + (values[item] ?? 0), 0));
  const others = rivals.map(({ shares }) => totals(shares));
  return (values) => {
    const own = totals(values);
    return others.every((other) => {
      let [sum, squares] = [0, 0];
      for (let i = 0; i < own.length; i++) {
        const difference = (own[i] ?? 0) - (other[i] ?? 0);
        sum += difference;
        squares += difference * difference;
      }
      return sum > Z * Math.sqrt(squares);
    });
  };
}

/** Level of the test, two-sided, and how often a difference is to be found. */
const ALPHA = 0.05;
const PAIRED_POWER = 0.8;
/** 2 · (1/2)^6 = 0.03125 is the first p below 0.05: with fewer discordant pairs McNemar's exact test finds nothing. */
const LEAST_DISCORDANT = 6;
const STANDARD_DEVIATIONS = 9;
const BISECTIONS = 40;

/**
 * The least true difference in invariant accuracy that McNemar's exact test at the 5 % level finds in 80 % of samples
 * of `n` pairs, a fraction 0–1. The discordance rate ψ is the observed one; a difference δ above it needs more, so
 * ψ = max(observed, δ). Exact power (Duffy 1984): Σ_d Bin(d; n, ψ) · P(X <= k_d), X binomial over the d discordant
 * pairs with probability (ψ − δ) / 2ψ, k_d the largest count that the test still finds significant at d. One test:
 * adjusting for several needs larger differences. `null` where even δ = 1 would not be found: n < 6.
 * @param n pairs
 * @param discordant pairs that just one run has right
 */
export function detectableDifference(n: number, discordant: number): number | null {
  if (n < LEAST_DISCORDANT) return null;
  const test = new ExactTest(n);
  let [low, high] = [0, 1];
  for (let step = 0; step < BISECTIONS; step++) {
    const middle = (low + high) / 2;
    if (test.power(middle, Math.max(middle, discordant / n)) >= PAIRED_POWER) high = middle;
    else low = middle;
  }
  return high;
}

/** McNemar's exact test on up to `n` discordant pairs. */
class ExactTest {
  readonly #n: number;
  readonly #binomial: Binomial;
  readonly #critical = new Map<number, number>();

  constructor(n: number) {
    this.#n = n;
    this.#binomial = new Binomial(n);
  }

  /** Probability of finding a difference, in its direction. */
  power(difference: number, discordance: number): number {
    const against = (discordance - difference) / (2 * discordance);
    const expected = this.#n * discordance;
    const reach = STANDARD_DEVIATIONS * (Math.sqrt(expected * (1 - discordance)) + 1);
    const last = Math.min(this.#n, Math.ceil(expected + reach));
    let power = 0;
    for (let d = Math.max(LEAST_DISCORDANT, Math.floor(expected - reach)); d <= last; d++) {
      const found = this.#binomial.upTo(this.#criticalCount(d), d, against);
      power += this.#binomial.at(d, this.#n, discordance) * found;
    }
    return power;
  }

  /** The largest count of the rarer kind, among `d` discordant pairs, that is significant; −1 when none is. */
  #criticalCount(d: number): number {
    const known = this.#critical.get(d);
    if (known !== undefined) return known;
    let count = -1;
    let tail = this.#binomial.at(0, d, 0.5);
    while (2 * tail <= ALPHA) tail += this.#binomial.at(++count + 1, d, 0.5);
    this.#critical.set(d, count);
    return count;
  }
}

/** Binomial probabilities up to `largest` trials, by a table of log factorials. */
export class Binomial {
  readonly #logFactorial: Float64Array;

  constructor(largest: number) {
    this.#logFactorial = new Float64Array(largest + 1);
    for (let i = 1; i <= largest; i++) this.#logFactorial[i] = (this.#logFactorial[i - 1] ?? 0) + Math.log(i);
  }

  /** P(X = k) of `trials` with probability `p`. */
  at(k: number, trials: number, p: number): number {
    if (k < 0 || k > trials) return 0;
    if (p === 0) return k === 0 ? 1 : 0;
    if (p === 1) return k === trials ? 1 : 0;
    const log = (i: number) => this.#logFactorial[i] ?? 0;
    const ways = log(trials) - log(k) - log(trials - k);
    return Math.exp(ways + k * Math.log(p) + (trials - k) * Math.log1p(-p));
  }

  /** P(X <= k). Sums downwards from k, to where the terms no longer count. */
  upTo(k: number, trials: number, p: number): number {
    if (k < 0) return 0;
    if (k >= trials || p === 0) return 1;
    let sum = 0;
    for (let j = k; j >= 0; j--) {
      const term = this.at(j, trials, p);
      sum += term;
      if (j < trials * p && term < sum * 1e-14) break;
    }
    return Math.min(1, sum);
  }
}
