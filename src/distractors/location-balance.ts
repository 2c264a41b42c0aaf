import type { Difficulty } from "../dataset/example.js";
import { FEATURE_WEIGHTS, REPORTED } from "./location-features.js";
import type { LocationHunk } from "./location-lines.js";
import { RankBalance, type RuleScores, standingsOf } from "./rank-balance.js";

/**
 * The ranks that the truth had in the CL questions of a benchmark so far, by difficulty; for all together and for those
 * of one line, of more lines, and of each change type by themselves: what is even over all need not be so in a part.
 */
export class LocationBalance {
  readonly #parts = new Map<string, RankBalance>();

  /** How uneven the ranks would be with this question, summed over the parts it belongs to. */
  cost(difficulty: Difficulty, hunk: LocationHunk, scores: RuleScores): number {
    const standings = standingsOf(scores);
    return this.#partsOf(difficulty, hunk).reduce((sum, part) => sum + part.cost(standings), 0);
  }

  add(difficulty: Difficulty, hunk: LocationHunk, scores: RuleScores): void {
    const standings = standingsOf(scores);
    for (const part of this.#partsOf(difficulty, hunk)) part.add(standings);
  }

  #partsOf(difficulty: Difficulty, { truth, changeType }: LocationHunk): RankBalance[] {
    const size = truth.length === 1 ? "one line" : "more lines";
    return [difficulty, `${difficulty} ${size}`, `${difficulty} ${changeType}`].map((name) => {
      const part = this.#parts.get(name) ?? new RankBalance(FEATURE_WEIGHTS, REPORTED);
      this.#parts.set(name, part);
      return part;
    });
  }
}
