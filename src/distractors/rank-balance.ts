import { mean, standardDeviation } from "simple-statistics";
import { addScaled, invertPositive } from "../stats/linear-algebra.js";

/** Scores of one question: by rule, one for each option; option 0 is the right one. */
export type RuleScores = readonly (readonly number[])[];

/** Place at which a rule puts the truth of one question. */
export interface Standing {
  /** Probability of each rank, best first: a tie of m options is 1/m for each of their ranks. */
  readonly ranks: readonly number[];
  /** Deviation of each option, (score − mean)/SD within the question. */
  readonly deviations: readonly number[];
}

/** Weight of the truth's lead, its deviations added up: 0 where its scores are as high as the others' on average. */
const SCORE_WEIGHT = 1;
/** Weight of the first rank beside another: it is what a rule's accuracy is made of. */
const FIRST_RANK_WEIGHT = 8;
/** Weight of what rules fitted together would find. */
const FIT_WEIGHT = 3;

/** Standings by rule. */
export function standingsOf(scores: RuleScores): Standing[] {
  return scores.map((own) => ({ ranks: rankShares(own), deviations: standardised(own) }));
}

/**
 * The ranks that the truth had under each rule in the questions so far. The fairest next question keeps them uniform, so
 * that no rule finds the truth more often than by chance, nor less often.
 */
export class RankBalance {
  readonly #weights: readonly number[];
  readonly #fit: FitBalance;
  readonly #tallies: Tally[] = [];
  #questions = 0;

  /**
   * @param weights by rule, what its unevenness counts; 1 where there is none
   * @param fitted how many of the rules, the first ones, could be fitted together
   */
  constructor(weights: readonly number[] = [], fitted = 0) {
    this.#weights = weights;
    this.#fit = new FitBalance(fitted);
  }

  /**
   * Unevenness of the ranks with this question: over rules and ranks, the squares of what is too many or too few, most
   * for the first rank, and of the truth's lead; and what is found by the rules fitted together, in the same unit: squared
   * questions. 0 is even; a difference between two questions' costs is what one spares.
   */
  cost(standings: readonly Standing[]): number {
    let cost = FIT_WEIGHT * (this.#questions + 1) * this.#fit.cost(standings.map(({ deviations }) => deviations));
    for (const [rule, standing] of standings.entries()) {
      cost += (this.#weights[rule] ?? 1) * costOf(this.#tallies[rule] ?? NONE, standing);
    }
    return cost;
  }

  add(standings: readonly Standing[]): void {
    this.#questions++;
    this.#fit.add(standings.map(({ deviations }) => deviations));
    for (const [rule, { ranks, deviations }] of standings.entries()) {
      const tally = this.#tallies[rule] ?? NONE;
      this.#tallies[rule] = {
        ranks: ranks.map((share, rank) => share + (tally.ranks[rank] ?? 0)),
        lead: tally.lead + (deviations[0] ?? 0),
      };
    }
  }
}

/** Counts of one rule, over the questions so far. */
interface Tally {
  readonly ranks: readonly number[];
  readonly lead: number;
}

const NONE: Tally = { ranks: [], lead: 0 };

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

/** Cost of a rule, with one more question. */
function costOf(tally: Tally, { ranks, deviations: [lead = 0] }: Standing): number {
  const questions = tally.ranks.reduce((sum, count) => sum + count, 1);
  const fair = questions / Math.max(1, ranks.length);
  let cost = SCORE_WEIGHT * (tally.lead + lead) ** 2;
  for (const [rank, share] of ranks.entries()) {
    const excess = (tally.ranks[rank] ?? 0) + share - fair;
    cost += (rank === 0 ? FIRST_RANK_WEIGHT : 1) * excess ** 2;
  }
  return cost;
}

/** Deviations of one question: by rule, each option's score in standard deviations from the mean of the options; option 0 is the right one. */
type Deviations = readonly (readonly number[])[];

/** Ridge as strong as the one of the fitted rule; it also makes the matrix one that has an inverse. */
const RIDGE = 1;

/**
 * Findings of a conditional logit fitted on rules, in the questions so far: gᵀ I⁻¹ g, the statistic of its score test
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
