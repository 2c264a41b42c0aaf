/** Level of the test, two-sided, and how often a difference is to be found. */
const ALPHA = 0.05;
const POWER = 0.8;
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
    if (test.power(middle, Math.max(middle, discordant / n)) >= POWER) high = middle;
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
