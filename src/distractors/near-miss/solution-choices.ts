import { hash32 } from "../../base/random.js";
import type { Difficulty } from "../../dataset/example.js";
import type { Triple } from "../../dataset/triple.js";
import { foldOf } from "../../question/floors/fitted-rule.js";
import type { SelectableQuestion } from "../selection/selection.js";
import { lineNumberAt } from "../solution/masked-leaf.js";
import type { ExplainedMiss } from "../solution/solution-task.js";
import { harmful } from "./harmless.js";
import { lineMisses } from "./line-misses.js";
import { costOfKind, type NearMiss } from "./near-miss.js";
import type { Revision } from "./revision.js";
import { solutionFeatures } from "./solution-features.js";
import { type Square, squaresOf } from "./squares.js";
import { tokenMisses } from "./tokens/token-misses.js";
import { treeMisses } from "./tree-misses.js";

/** Reason of a question that is not built. */
export const TOO_FEW = "no two pairs of independent near misses that somebody could have written";

/** Weight of a square's quality beside the evenness of ranks, in the unit of the balance. */
const QUALITY_WEIGHT = 8;

/** An SI question whose square is to be chosen. */
export interface SolutionChoice extends SelectableQuestion {
  readonly squares: readonly Square[];
}

/** Near misses of a revision that code and review tell; those of a surrogate aside. */
export function nearMissesOf(revision: Revision): NearMiss[] {
  return harmful([...tokenMisses(revision), ...treeMisses(revision), ...lineMisses(revision)], revision).map(
    (miss) => ({
      ...miss,
      cost: miss.cost + costOfKind(miss),
    }),
  );
}

/**
 * Squares of two near misses, of each difficulty (spec §3): every option has two neighbours and one opposite, and the
 * requested edit is whole in one alone. `Selection` takes those that give nothing away to who does not read.
 * @returns `null` where there is none of either difficulty
 */
export function solutionChoices(
  misses: readonly NearMiss[],
  revision: Revision,
  triple: Triple,
  seed: number,
): Record<Difficulty, SolutionChoice> | null {
  const { easy, hard } = squaresOf(misses, revision, triple, hash32(triple.id, seed));
  if (easy.length === 0 || hard.length === 0) return null;
  return { easy: choiceOf("easy", easy, triple), hard: choiceOf("hard", hard, triple) };
}

/** Names of the parts of a benchmark that an SI question counts in. */
export function solutionParts(difficulty: Difficulty, id: string): string[] {
  return [difficulty, `${difficulty} fold ${foldOf(id)}`];
}

function choiceOf(
  difficulty: Difficulty,
  squares: readonly Square[],
  { id, preReviewLines, review }: Triple,
): SolutionChoice {
  return {
    parts: solutionParts(difficulty, id),
    fold: foldOf(id),
    squares,
    sets: squares.map(({ solutions, cost }) => ({
      scores: () => solutionFeatures({ solutions, preReviewLines, review }),
      cost: QUALITY_WEIGHT * cost,
    })),
  };
}

/** A near miss for the human check. */
export function explained({ kind, edits, isAsked }: NearMiss, text: string): ExplainedMiss {
  return {
    kind,
    asked: isAsked,
    edits: edits.map(({ start, end, to }) => ({ line: lineNumberAt(text, start), from: text.slice(start, end), to })),
  };
}
