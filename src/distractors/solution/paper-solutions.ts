import { DIFFICULTIES, type Difficulty } from "../../dataset/example.js";
import type { HunkDiff } from "../../dataset/hunk-diff.js";
import type { Triple } from "../../dataset/triple.js";
import type { PromptTemplate } from "../../question/prompt.js";
import { cosine } from "../../stats/linear-algebra.js";
import { loadSyntax, type ParsedCode, type Syntax } from "../../syntax/load.js";
import type { BuildMethod } from "../build-files.js";
import type { Surrogate } from "../surrogate.js";
import { type Candidate, type FoundCandidates, findCandidates } from "./infilled-candidates.js";
import type { Introduction } from "./introduced-tokens.js";
import { changedLeaves, lineNumberAt, type RankedLeaf, rankLeaves, revisedCode } from "./masked-leaf.js";
import type { ReplacementSource } from "./replacements.js";

/** Distractors of each difficulty (N in Algorithm 1). */
const DISTRACTORS = 3;
/** Leaves that are tried before the question is given up. */
const MAX_LEAVES = 8;

/** Origin of one distractor. */
interface ExplainedDistractor {
  readonly difficulty: Difficulty;
  readonly replacement: string;
  /** Cosine of its embedding and the right revision's. */
  readonly cosine: number;
  /** Number of the infill of its leaf that brought it, from 1; `null` where none did. */
  readonly tries: number | null;
  /** Where its replacement was found. */
  readonly source: ReplacementSource;
}

/** Origin of the distractors of a question, for the human check. */
export interface SolutionExplanation {
  readonly method: BuildMethod;
  /** Masked text, its place in the revision (line from 1) and the surrogate's mean surprisal of it. */
  readonly leaf: { readonly text: string; readonly kind: string; readonly line: number };
  /** Relation of the leaf to the removed lines; absent for `paper`, which does not ask. */
  readonly introduction?: Introduction;
  readonly surprisalBits: number;
  /** 1: the leaf of the highest surprisal; 2: the next, since that one gave too few candidates; … */
  readonly leafRank: number;
  /** Infills of this leaf. */
  readonly tries: number;
  /** Pooling of the token states to embeddings. */
  readonly pooling: string;
  readonly distractors: readonly ExplainedDistractor[];
}

export type SolutionResult =
  | {
      readonly status: "built";
      readonly easy: readonly string[];
      readonly hard: readonly string[];
      readonly explanation: SolutionExplanation;
    }
  | { readonly status: "not_built"; readonly reason: string };

export interface SolutionTask {
  readonly triple: Triple;
  readonly diff: HunkDiff;
  /** Template of the generative task: the context in which surprisal is measured. */
  readonly template: PromptTemplate;
  readonly seed: number;
}

/**
 * Wrong revisions by Algorithm 1 of the paper: the leaf of the highest mean surprisal on the changed lines is masked and
 * infilled until there are 2N candidates; the N least like the right revision are easy, the N most like it hard.
 * @throws ProbeError `model_unavailable` when the surrogate fails
 */
export async function solutionDistractors(
  task: SolutionTask,
  surrogate: Surrogate,
  signal: AbortSignal,
): Promise<SolutionResult> {
  const syntax = await loadSyntax(task.triple.language);
  const revision = revisedCode(task.diff.new);
  const leaves = changedLeaves(revision, syntax);
  if (leaves.length === 0) return { status: "not_built", reason: "no code element on the changed lines" };
  const ranking = await rankLeaves(
    { triple: task.triple, revision: revision.text, leaves },
    task.template,
    surrogate,
    signal,
  );
  if (ranking.status === "not_ranked") return { status: "not_built", reason: ranking.reason };
  const parsed = syntax.parse(revision.text);
  for (const [i, ranked] of ranking.leaves.slice(0, MAX_LEAVES).entries()) {
    signal.throwIfAborted();
    const found = await search(task, { syntax, parsed, text: revision.text, ranked }, surrogate, signal);
    if (found.status === "failed") return { status: "not_built", reason: found.reason };
    if (found.status === "found") {
      return await select(
        { revision: revision.text, ranked, leafRank: i + 1, tries: found.tries },
        found.candidates,
        surrogate,
        signal,
      );
    }
  }
  return { status: "not_built", reason: `fewer than ${2 * DISTRACTORS} candidates` };
}

interface MaskedRevision {
  readonly syntax: Syntax;
  readonly parsed: ParsedCode;
  readonly text: string;
  readonly ranked: RankedLeaf;
}

function search(
  { triple, diff, seed }: SolutionTask,
  { ranked, ...code }: MaskedRevision,
  surrogate: Surrogate,
  signal: AbortSignal,
): Promise<FoundCandidates> {
  const { leaf } = ranked;
  const { preReviewLines } = triple;
  const wanted = 2 * DISTRACTORS;
  const key = `${triple.id} ${leaf.start}`;
  return findCandidates({ gap: { ...code, leaf }, preReviewLines, diff, wanted, key, seed }, surrogate, signal);
}

interface Origin {
  readonly revision: string;
  readonly ranked: RankedLeaf;
  readonly leafRank: number;
  readonly tries: number;
}

/** Sorts candidates by likeness; of equally like ones the one found first counts as less like. */
async function select(
  { revision, ranked, leafRank, tries }: Origin,
  candidates: readonly Candidate[],
  surrogate: Pick<Surrogate, "embed">,
  signal: AbortSignal,
): Promise<SolutionResult> {
  const truth = await surrogate.embed(revision, signal);
  const rated: { candidate: Candidate; likeness: number }[] = [];
  for (const candidate of candidates) {
    const { vector } = await surrogate.embed(candidate.revision, signal);
    rated.push({ candidate, likeness: cosine(vector, truth.vector) });
  }
  rated.sort((a, b) => a.likeness - b.likeness || a.candidate.tries - b.candidate.tries);
  const chosen = { easy: rated.slice(0, DISTRACTORS), hard: rated.slice(-DISTRACTORS).reverse() };
  const distractors = DIFFICULTIES.flatMap((difficulty) =>
    chosen[difficulty].map(({ candidate, likeness }): ExplainedDistractor => {
      return {
        difficulty,
        replacement: candidate.replacement,
        cosine: likeness,
        tries: candidate.tries,
        source: "surrogate",
      };
    }),
  );
  const { leaf, surprisalBits } = ranked;
  const text = revision.slice(leaf.start, leaf.end);
  const place = { text, kind: leaf.kind, line: lineNumberAt(revision, leaf.start) };
  return {
    status: "built",
    easy: chosen.easy.map(({ candidate }) => candidate.solution),
    hard: chosen.hard.map(({ candidate }) => candidate.solution),
    explanation: { method: "paper", leaf: place, surprisalBits, leafRank, tries, pooling: truth.pooling, distractors },
  };
}
