import { hash32 } from "../../base/random.js";
import { DIFFICULTIES, type Difficulty } from "../../dataset/example.js";
import type { HunkDiff } from "../../dataset/hunk-diff.js";
import type { Triple } from "../../dataset/triple.js";
import { lineNumberAt } from "../solution/masked-leaf.js";
import type { SolutionBalance } from "../solution/solution-balance.js";
import type { NearMissExplanation, SolutionResult } from "../solution/solution-task.js";
import { lineMisses } from "./line-misses.js";
import type { NearMiss } from "./near-miss.js";
import { type Revision, readRevision } from "./revision.js";
import { type Square, squaresOf } from "./squares.js";
import { tokenMisses } from "./token-misses.js";
import { treeMisses } from "./tree-misses.js";

/** Reason of a question that is not built. */
const TOO_FEW = "no two pairs of independent near misses that somebody could have written";

/** Squares of a revision: of two near misses a and b, none, a, b, both; the right one is the first option of each. */
export async function solutionSquares(
  triple: Triple,
  diff: HunkDiff,
  seed: number,
): Promise<Record<Difficulty, readonly Square[]>> {
  return squaresIn(await readRevision(triple, diff), triple, seed);
}

function squaresIn(revision: Revision, triple: Triple, seed: number) {
  const misses = [...tokenMisses(revision), ...treeMisses(revision), ...lineMisses(revision)];
  return squaresOf(misses, revision, triple, hash32(triple.id, seed));
}

/**
 * Wrong revisions without a surrogate (spec §3): two near misses of the revision two by two, so that every option has two
 * neighbours and one opposite, and the requested edit is whole in one alone. Of the squares of each difficulty the one is
 * taken that keeps the ranks of the right option under every rule most even over the benchmark so far.
 */
export async function nearMissSolutions(
  { triple, diff, seed }: { readonly triple: Triple; readonly diff: HunkDiff; readonly seed: number },
  balance: Pick<SolutionBalance, "cost">,
): Promise<SolutionResult<NearMissExplanation>> {
  const revision = await readRevision(triple, diff);
  const squares = squaresIn(revision, triple, seed);
  const hard = fairest("hard", squares.hard, triple, balance);
  const easy = fairest(
    "easy",
    squares.easy.filter((square) => square !== hard),
    triple,
    balance,
  );
  if (hard === null || easy === null) return { status: "not_built", reason: TOO_FEW };
  const chosen = { easy, hard };
  const explanation: NearMissExplanation = {
    method: "matched",
    squares: DIFFICULTIES.map((difficulty) => {
      const [a, b] = chosen[difficulty].misses;
      return { difficulty, a: described(a, revision), b: described(b, revision), options: ["a", "b", "a and b"] };
    }),
  };
  return { status: "built", easy: easy.solutions.slice(1), hard: hard.solutions.slice(1), explanation };
}

/** Weight of a square's quality beside the evenness of ranks, in the unit of the balance. */
const QUALITY_WEIGHT = 4;

function fairest(
  difficulty: Difficulty,
  squares: readonly Square[],
  { preReviewLines, review }: Triple,
  balance: Pick<SolutionBalance, "cost">,
): Square | null {
  let best: { readonly square: Square; readonly cost: number } | null = null;
  for (const square of squares) {
    const view = { solutions: square.solutions, preReviewLines, review };
    const cost = balance.cost(difficulty, view) + QUALITY_WEIGHT * square.cost;
    if (best === null || cost < best.cost) best = { square, cost };
  }
  return best?.square ?? null;
}

function described(
  { kind, edits, isAsked }: NearMiss,
  { text }: Revision,
): NearMissExplanation["squares"][number]["a"] {
  return {
    kind,
    asked: isAsked,
    edits: edits.map(({ start, end, to }) => ({ line: lineNumberAt(text, start), from: text.slice(start, end), to })),
  };
}
