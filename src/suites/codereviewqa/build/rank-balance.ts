import { mean, standardDeviation } from "simple-statistics";

/** Of one question: by rule, a score for each option; option 0 is the right one. */
export type RuleScores = readonly (readonly number[])[];

/**
 * How far the truth's average score may lead, beside its ranks: a fitted model adds scores up. Its likelihood is flat at
 * zero exactly where the truth's standardised scores add up to zero under every rule.
 */
const SCORE_WEIGHT = 0.5;

interface Tally {
  /** How often the truth had each rank, best first; a tie of m options counts 1/m for each of their ranks. */
  readonly ranks: readonly number[];
  /** Sum over the questions of (score − mean)/SD within the question. */
  readonly lead: number;
}

const NONE: Tally = { ranks: [], lead: 0 };

/**
 * The ranks that the truth had under each rule in the questions so far. The fairest next question keeps them uniform, so
 * that no rule finds the truth more often than by chance, nor less often.
 */
export class RankBalance {
  readonly #tallies: Tally[] = [];

  /**
   * How uneven the ranks would be with this question: over rules and ranks, the squares of what is too many or too few, and
   * of the truth's lead. 0 is even; a difference between two questions' costs is what one spares.
   */
  cost(scores: RuleScores): number {
    return scores.reduce((sum, own, rule) => sum + costOf(entered(this.#tallies[rule] ?? NONE, own)), 0);
  }

  add(scores: RuleScores): void {
    scores.forEach((own, rule) => {
      this.#tallies[rule] = entered(this.#tallies[rule] ?? NONE, own);
    });
  }
}

/**
 * The probabilities of the ranks of option 0, best first, with ties broken evenly.
 * @returns as many as options, sum 1
 */
export function rankShares(scores: readonly number[]): number[] {
  const [own = 0] = scores;
  const better = scores.filter((score) => score > own).length;
  const equal = scores.filter((score) => score === own).length;
  return scores.map((_, rank) => (rank >= better && rank < better + equal ? 1 / equal : 0));
}

/** (score of option 0 − mean)/SD (n in the divisor); 0 where all are equal. */
export function standardisedLead(scores: readonly number[]): number {
  const spread = standardDeviation([...scores]);
  return spread < 1e-9 ? 0 : ((scores[0] ?? 0) - mean([...scores])) / spread;
}

function entered({ ranks, lead }: Tally, scores: readonly number[]): Tally {
  return {
    ranks: rankShares(scores).map((share, rank) => (ranks[rank] ?? 0) + share),
    lead: lead + standardisedLead(scores),
  };
}

function costOf({ ranks, lead }: Tally): number {
  const fair = mean([...ranks]);
  return ranks.reduce((sum, count) => sum + (count - fair) ** 2, 0) + SCORE_WEIGHT * lead ** 2;
}
