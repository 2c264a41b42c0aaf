import { mean, standardDeviation } from "simple-statistics";

/** Of one question: by rule, a score for each option; option 0 is the right one. */
export type RuleScores = readonly (readonly number[])[];

/** Where a rule puts the truth of one question. */
export interface Standing {
  /** Probability of each rank, best first: a tie of m options is 1/m for each of their ranks. */
  readonly ranks: readonly number[];
  /** (score − mean)/SD within the question. */
  readonly lead: number;
}

/**
 * How far the truth's average score may lead, beside its ranks: a fitted model adds scores up. Its likelihood is flat at
 * zero exactly where the truth's standardised scores add up to zero under every rule.
 */
const SCORE_WEIGHT = 1;
/** The first rank is what a rule's accuracy is made of. */
const FIRST_RANK_WEIGHT = 4;

/** By rule. */
export function standingsOf(scores: RuleScores): Standing[] {
  return scores.map((own) => ({ ranks: rankShares(own), lead: standardisedLead(own) }));
}

/**
 * The ranks that the truth had under each rule in the questions so far. The fairest next question keeps them uniform, so
 * that no rule finds the truth more often than by chance, nor less often.
 */
export class RankBalance {
  readonly #weights: readonly number[];
  readonly #tallies: Standing[] = [];

  /** @param weights by rule, what its unevenness counts; 1 where there is none */
  constructor(weights: readonly number[] = []) {
    this.#weights = weights;
  }

  /**
   * How uneven the ranks would be with this question: over rules and ranks, the squares of what is too many or too few, most
   * for the first rank, and of the truth's lead. 0 is even; a difference between two questions' costs is what one spares.
   */
  cost(standings: readonly Standing[]): number {
    let cost = 0;
    for (const [rule, standing] of standings.entries()) {
      cost += (this.#weights[rule] ?? 1) * costOf(this.#tallies[rule] ?? NONE, standing);
    }
    return cost;
  }

  add(standings: readonly Standing[]): void {
    for (const [rule, { ranks, lead }] of standings.entries()) {
      const tally = this.#tallies[rule] ?? NONE;
      this.#tallies[rule] = {
        ranks: ranks.map((share, rank) => share + (tally.ranks[rank] ?? 0)),
        lead: lead + tally.lead,
      };
    }
  }
}

const NONE: Standing = { ranks: [], lead: 0 };

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

/** (score of option 0 − mean)/SD (n in the divisor); 0 where all are equal. */
export function standardisedLead(scores: readonly number[]): number {
  const spread = standardDeviation([...scores]);
  return spread < 1e-9 ? 0 : ((scores[0] ?? 0) - mean([...scores])) / spread;
}

/** Of a rule, with one more question. */
function costOf(tally: Standing, { ranks, lead }: Standing): number {
  const questions = tally.ranks.reduce((sum, count) => sum + count, 1);
  const fair = questions / Math.max(1, ranks.length);
  let cost = SCORE_WEIGHT * (tally.lead + lead) ** 2;
  for (const [rank, share] of ranks.entries()) {
    const excess = (tally.ranks[rank] ?? 0) + share - fair;
    cost += (rank === 0 ? FIRST_RANK_WEIGHT : 1) * excess ** 2;
  }
  return cost;
}
