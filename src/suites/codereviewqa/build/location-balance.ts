import type { Difficulty } from "../example/example.js";
import type { LocationHunk } from "./location-lines.js";
import { RankBalance, type RuleScores } from "./rank-balance.js";

/**
 * The ranks that the truth had in the CL questions of a benchmark so far, by difficulty; for all together and for those
 * of one line, of more lines, and of each change type by themselves: what is even over all need not be so in a part.
 */
export class LocationBalance {
  readonly #parts = new Map<string, RankBalance>();

  /** How uneven the ranks would be with this question, summed over the parts it belongs to. */
  cost(difficulty: Difficulty, hunk: LocationHunk, scores: RuleScores): number {
    return this.#partsOf(difficulty, hunk).reduce((sum, part) => sum + part.cost(scores), 0);
  }

  add(difficulty: Difficulty, hunk: LocationHunk, scores: RuleScores): void {
    for (const part of this.#partsOf(difficulty, hunk)) part.add(scores);
  }

  #partsOf(difficulty: Difficulty, { truth, changeType }: LocationHunk): RankBalance[] {
    const size = truth.length === 1 ? "one line" : "more lines";
    return [difficulty, `${difficulty} ${size}`, `${difficulty} ${changeType}`].map((name) => {
      const part = this.#parts.get(name) ?? new RankBalance();
      this.#parts.set(name, part);
      return part;
    });
  }
}
