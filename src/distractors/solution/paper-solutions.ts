import { loadSyntax } from "../../syntax/load.js";
import { DISTRACTORS } from "../build-files.js";
import { NotBuilt } from "../surrogate.js";
import { findCandidates } from "./infilled-candidates.js";
import { changedLeaves, lineNumberAt, type RankedLeaf, rankLeaves, revisedCode } from "./masked-leaf.js";
import {
  builtWith,
  byLikeness,
  type Candidate,
  resultOf,
  type SolutionResult,
  type SolutionTask,
} from "./solution-task.js";

/** Leaves that are tried before the question is given up. */
const MAX_LEAVES = 8;
/** Candidates of a question. */
const WANTED = 2 * DISTRACTORS;

/**
 * Wrong revisions by Algorithm 1 of the paper: the leaf of the highest mean surprisal on the changed lines is masked and
 * infilled until there are 2N candidates; the N least like the right revision are easy, the N most like it hard.
 * @throws ProbeError `model_unavailable` when the surrogate fails
 */
export function paperSolutions(task: SolutionTask): Promise<SolutionResult> {
  return resultOf(async () => {
    const syntax = await loadSyntax(task.triple.language);
    const code = revisedCode(task.diff.new);
    const { text } = code;
    const leaves = changedLeaves(code, syntax);
    if (leaves.length === 0) throw new NotBuilt("no code element on the changed lines");
    const ranking = await rankLeaves(text, leaves, task);
    const parsed = syntax.parse(text);
    for (const [i, ranked] of ranking.slice(0, MAX_LEAVES).entries()) {
      task.signal.throwIfAborted();
      const { leaf } = ranked;
      const key = `${task.triple.id} ${leaf.start}`;
      const candidates = await findCandidates({ syntax, text, parsed, leaf }, key, WANTED, task);
      if (candidates !== null) return await select(text, ranked, i + 1, candidates, task);
    }
    throw new NotBuilt(`fewer than ${WANTED} candidates`);
  });
}

async function select(
  revision: string,
  { leaf, surprisalBits }: RankedLeaf,
  leafRank: number,
  candidates: readonly Candidate[],
  task: SolutionTask,
): Promise<SolutionResult> {
  const { pooling, rated } = await byLikeness(revision, candidates, task);
  const text = revision.slice(leaf.start, leaf.end);
  return builtWith(
    { easy: rated.slice(0, DISTRACTORS), hard: rated.slice(-DISTRACTORS).reverse() },
    {
      method: "paper",
      leaf: { text, kind: leaf.kind, line: lineNumberAt(revision, leaf.start) },
      surprisalBits,
      leafRank,
      tries: candidates.at(-1)?.tries ?? 0,
      pooling,
    },
  );
}
