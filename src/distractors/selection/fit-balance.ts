import { addScaled, invertPositive } from "../../stats/linear-algebra.js";

/** Deviations of one question: by rule, each option's score in standard deviations from the mean of the options; option 0 is the right one. */
export type Deviations = readonly (readonly number[])[];

/** Ridge as strong as the one of the fitted rule; it also makes the matrix one that has an inverse. */
const RIDGE = 1;

/**
 * Findings of a conditional logit fitted on rules, in a set of questions: gᵀ I⁻¹ g, the statistic of its score test
 * (Rao 1948), twice the likelihood that its first step gains. g is the sum of the truths' deviations, I the information at
 * weights of zero: the covariances of the rules' deviations among options, summed over questions. Rules that say much the
 * same count once, and rules that tell something only together are seen.
 */
export class FitBalance {
  readonly #gradient: number[];
  readonly #information: number[][];
  #inverse: number[][] | null = null;

  /** @param rules how many of them the fitted rule has: the first of those that are given */
  constructor(rules: number) {
    this.#gradient = Array.from({ length: rules }, () => 0);
    this.#information = this.#gradient.map((_, k) => this.#gradient.map((_other, l) => (k === l ? RIDGE : 0)));
  }

  copy(): FitBalance {
    const copy = new FitBalance(0);
    copy.#gradient.push(...this.#gradient);
    copy.#information.push(...this.#information.map((row) => [...row]));
    return copy;
  }

  /**
   * The statistic with one more question.
   * @param leads by rule, the deviation of its right option
   */
  cost(leads: readonly number[] | Float64Array): number {
    this.#inverse ??= invertPositive(this.#information);
    const gradient = this.#gradient.map((sum, k) => sum + (leads[k] ?? 0));
    return this.#inverse.reduce((total, row, k) => total + (gradient[k] ?? 0) * product(row, gradient), 0);
  }

  /** @param sign −1 takes a question out again */
  add(deviations: Deviations, sign: 1 | -1 = 1): void {
    this.#inverse = null;
    const own = deviations.slice(0, this.#gradient.length);
    addScaled(
      this.#gradient,
      own.map(([truth = 0]) => truth),
      sign,
    );
    for (const [k, row] of this.#information.entries()) {
      const scores = own[k] ?? [];
      const covariances = own.map((other) => product(scores, other) / Math.max(1, scores.length));
      addScaled(row, covariances, sign);
    }
  }
}

function product(a: readonly number[], b: readonly number[]): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0);
  return sum;
}
