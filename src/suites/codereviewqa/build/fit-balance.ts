import { addScaled, invertPositive } from "../../../stats/linear-equations.js";

/** Of one question: by rule, each option's score in standard deviations from the mean of the options; option 0 is the right one. */
export type Deviations = readonly (readonly number[])[];

/** As strong as the one that the fitted rule has; it also makes the matrix one that has an inverse. */
const RIDGE = 1;

/**
 * What a conditional logit fitted on rules would find in the questions so far: gᵀ I⁻¹ g, the statistic of its score test
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

  /** The statistic with one more question. */
  cost(deviations: Deviations): number {
    this.#inverse ??= invertPositive(this.#information);
    const gradient = this.#gradient.map((sum, k) => sum + (deviations[k]?.[0] ?? 0));
    return this.#inverse.reduce((total, row, k) => total + (gradient[k] ?? 0) * product(row, gradient), 0);
  }

  add(deviations: Deviations): void {
    this.#inverse = null;
    const own = deviations.slice(0, this.#gradient.length);
    addScaled(
      this.#gradient,
      own.map(([truth = 0]) => truth),
      1,
    );
    for (const [k, row] of this.#information.entries()) {
      const scores = own[k] ?? [];
      const covariances = own.map((other) => product(scores, other) / Math.max(1, scores.length));
      addScaled(row, covariances, 1);
    }
  }
}

function product(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, x, i) => sum + x * (b[i] ?? 0), 0);
}
