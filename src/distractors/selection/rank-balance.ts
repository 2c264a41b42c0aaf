import { mean, standardDeviation } from "simple-statistics";
import { addScaled, invertPositive } from "../../stats/linear-algebra.js";

/** Scores of one question: by rule, one for each option; option 0 is the right one. */
export type RuleScores = readonly (readonly number[])[];

/** Rules that questions are balanced under. */
export interface RuleWeights {
  /** By rule, what its unevenness counts; 1 where there is none. */
  readonly weights: readonly number[];
  /** How many of the rules, the first ones, could be fitted together. */
  readonly fitted: number;
  /** By fitted rule that is chosen against, the numbers of the rules that it is fitted over. */
  readonly groups: readonly (readonly number[])[];
}

/** Place at which each rule puts the truth of one question. */
export interface Standings {
  /** Rule by rule, the probability of each rank, best first: a tie of m options is 1/m for each of their ranks. */
  readonly ranks: Float64Array;
  /** By rule, the truth's score in standard deviations from the mean of the options. */
  readonly leads: Float64Array;
}

/** Weight of the truth's lead, its deviations added up: 0 where its scores are as high as the others' on average. */
const SCORE_WEIGHT = 1;
/** Weight of the first rank beside another: it is what a rule's accuracy is made of. */
const FIRST_RANK_WEIGHT = 8;
/** Weight of what rules fitted together would find. */
const FIT_WEIGHT = 3;

/** Standings and deviations by scores: a question is put in and taken out many times. */
const ENTERED = new WeakMap<RuleScores, Standings & { readonly deviations: Deviations }>();

function enteredOf(scores: RuleScores) {
  const known = ENTERED.get(scores) ?? { ...standingsOf(scores), deviations: scores.map(standardised) };
  ENTERED.set(scores, known);
  return known;
}

export function standingsOf(scores: RuleScores): Standings {
  return {
    ranks: Float64Array.from(scores.flatMap(rankShares)),
    leads: Float64Array.from(scores, (own) => standardised(own)[0] ?? 0),
  };
}

/**
 * The ranks that the truth has under each rule in a set of questions. The fairest next question keeps them uniform, so
 * that no rule finds the truth more often than by chance, nor less often.
 */
export class RankBalance {
  readonly #weights: readonly number[];
  readonly #fit: FitBalance;
  #ranks = new Float64Array(0);
  #leads = new Float64Array(0);
  #questions = 0;

  constructor(
    { weights, fitted }: Pick<RuleWeights, "weights" | "fitted"> = { weights: [], fitted: 0 },
    fit = new FitBalance(fitted),
  ) {
    this.#weights = weights;
    this.#fit = fit;
  }

  /**
   * Unevenness of the ranks with this question: over rules and ranks, the squares of what is too many or too few, most
   * for the first rank, and of the truth's lead; and what is found by the rules fitted together, in the same unit: squared
   * questions. 0 is even; a difference between two questions' costs is what one spares.
   */
  cost({ ranks, leads }: Standings): number {
    const options = ranks.length / leads.length;
    const fair = (this.#questions + 1) / options;
    let cost = FIT_WEIGHT * (this.#questions + 1) * this.#fit.cost(leads);
    for (let rule = 0; rule < leads.length; rule++) {
      let own = SCORE_WEIGHT * ((this.#leads[rule] ?? 0) + (leads[rule] ?? 0)) ** 2;
      for (let rank = 0; rank < options; rank++) {
        const at = rule * options + rank;
        const excess = (this.#ranks[at] ?? 0) + (ranks[at] ?? 0) - fair;
        own += (rank === 0 ? FIRST_RANK_WEIGHT : 1) * excess ** 2;
      }
      cost += (this.#weights[rule] ?? 1) * own;
    }
    return cost;
  }

  /** A balance of the same questions, which goes its own way. */
  copy(): RankBalance {
    const copy = new RankBalance({ weights: this.#weights, fitted: 0 }, this.#fit.copy());
    copy.#ranks = this.#ranks.slice();
    copy.#leads = this.#leads.slice();
    copy.#questions = this.#questions;
    return copy;
  }

  /** @param sign −1 takes a question out again */
  add(scores: RuleScores, sign: 1 | -1 = 1): void {
    const { ranks, leads, deviations } = enteredOf(scores);
    if (this.#questions === 0) [this.#ranks, this.#leads] = [ranks.map(() => 0), leads.map(() => 0)];
    this.#questions += sign;
    this.#fit.add(deviations, sign);
    this.#ranks = this.#ranks.map((count, at) => count + sign * (ranks[at] ?? 0));
    this.#leads = this.#leads.map((lead, rule) => lead + sign * (leads[rule] ?? 0));
  }
}

/**
 * The probabilities of the ranks of option 0, best first, with ties broken evenly.
 * @returns as many as options, sum 1
 */
export function rankShares(scores: readonly number[]): number[] {
  const [own = 0] = scores;
  let [better, equal] = [0, 0];
  for (const score of scores) {
    if (score > own) better++;
    else if (score === own) equal++;
  }
  return scores.map((_, rank) => (rank >= better && rank < better + equal ? 1 / equal : 0));
}

/** Deviation of each option, (score − mean)/SD (n in the divisor); 0 where all are equal. */
export function standardised(scores: readonly number[]): number[] {
  const [centre, spread] = [mean([...scores]), standardDeviation([...scores])];
  return scores.map((score) => (spread < 1e-9 ? 0 : (score - centre) / spread));
}

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
