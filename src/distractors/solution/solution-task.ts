import { DIFFICULTIES, type Difficulty } from "../../dataset/example.js";
import type { HunkDiff } from "../../dataset/hunk-diff.js";
import type { Triple } from "../../dataset/triple.js";
import type { PromptTemplate } from "../../question/prompt.js";
import { cosine } from "../../stats/linear-algebra.js";
import type { NearMissKind } from "../near-miss/near-miss.js";
import { NotBuilt, type Surrogate } from "../surrogate.js";

/** A question to be given wrong revisions, and the model that helps. */
export interface SolutionTask {
  readonly triple: Triple;
  readonly diff: HunkDiff;
  /** Template of the generative task: the context in which surprisal is measured. */
  readonly template: PromptTemplate;
  readonly seed: number;
  readonly surrogate: Surrogate;
  readonly signal: AbortSignal;
}

/** A wrong revision: the right one with another text at one place. */
export interface Candidate {
  readonly replacement: string;
  readonly revision: string;
  /** Diff as the question shows it. */
  readonly solution: string;
  /** Number of the infill of its place that brought it, from 1; `null` where none did. */
  readonly tries: number | null;
  /** Origin of its replacement. */
  readonly source: "surrogate";
}

/** A candidate with the cosine of its embedding and the right revision's. */
export type Rated<C extends Candidate = Candidate> = C & { readonly cosine: number };

/** Origin of one distractor. */
type ExplainedDistractor = Pick<Rated, "replacement" | "cosine" | "tries" | "source"> & {
  readonly difficulty: Difficulty;
};

/** Origin of the distractors of a question, for the human check. */
export interface SolutionExplanation {
  readonly method: "paper";
  /** Masked text, its place in the revision (line from 1) and the surrogate's mean surprisal of it. */
  readonly leaf: { readonly text: string; readonly kind: string; readonly line: number };
  readonly surprisalBits: number;
  /** 1: the leaf of the highest surprisal; 2: the next, since that one gave too few candidates; … */
  readonly leafRank: number;
  /** Infills of this leaf. */
  readonly tries: number;
  /** Pooling of the token states to embeddings. */
  readonly pooling: string;
  readonly distractors: readonly ExplainedDistractor[];
}

/** A near miss of a square, for the human check; lines from 1, of the post-review code. */
export interface ExplainedMiss {
  readonly kind: NearMissKind;
  /** Tells whether it changes what the revision introduces. */
  readonly asked: boolean;
  readonly edits: readonly { readonly line: number; readonly from: string; readonly to: string }[];
}

/** Origin of the options of a question that was built of near misses, for the human check. */
export interface NearMissExplanation {
  readonly method: "matched";
  readonly squares: readonly {
    readonly difficulty: Difficulty;
    readonly a: ExplainedMiss;
    readonly b: ExplainedMiss;
    /** Near misses of each wrong option, in their order. */
    readonly options: readonly string[];
  }[];
}

export type SolutionResult<Explanation = SolutionExplanation> =
  | {
      readonly status: "built";
      readonly easy: readonly string[];
      readonly hard: readonly string[];
      readonly explanation: Explanation;
    }
  | { readonly status: "not_built"; readonly reason: string };

/** Result of a build that throws `NotBuilt` where there is no question. */
export async function resultOf(build: () => Promise<SolutionResult>): Promise<SolutionResult> {
  try {
    return await build();
  } catch (error) {
    if (error instanceof NotBuilt) return { status: "not_built", reason: error.message };
    throw error;
  }
}

/** The question with these distractors. */
export function builtWith(
  chosen: Readonly<Record<Difficulty, readonly Rated[]>>,
  explanation: Omit<SolutionExplanation, "distractors">,
): SolutionResult {
  const distractors = DIFFICULTIES.flatMap((difficulty) =>
    chosen[difficulty].map(({ replacement, cosine, tries, source }) => {
      return { difficulty, replacement, cosine, tries, source };
    }),
  );
  const [easy = [], hard = []] = DIFFICULTIES.map((difficulty) => chosen[difficulty].map(({ solution }) => solution));
  return { status: "built", easy, hard, explanation: { ...explanation, distractors } };
}

/** Candidates by likeness to the right revision, the least like it first; of equally like ones the one found first. */
export async function byLikeness<C extends Candidate>(
  revision: string,
  candidates: readonly C[],
  { surrogate, signal }: SolutionTask,
): Promise<{ readonly pooling: string; readonly rated: readonly Rated<C>[] }> {
  const truth = await surrogate.embed(revision, signal);
  const rated: Rated<C>[] = [];
  for (const candidate of candidates) {
    const { vector } = await surrogate.embed(candidate.revision, signal);
    rated.push({ ...candidate, cosine: cosine(vector, truth.vector) });
  }
  return { pooling: truth.pooling, rated: rated.sort((a, b) => a.cosine - b.cosine) };
}
