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
