import { hash32 } from "../../base/random.js";
import { diffHunk, type HunkDiff } from "../../dataset/hunk-diff.js";
import { INFILL_TEMPERATURE, INFILL_TOP_K, reasonOf, type Surrogate } from "../surrogate.js";
import { type Gap, replacementFrom, withReplacement } from "./candidate.js";

/** Infills asked of the surrogate for one leaf, at most. */
const MAX_TRIES = 48;
const MAX_TOKENS = 16;

/** A wrong revision: the right one with another text in place of one leaf. */
export interface Candidate {
  readonly replacement: string;
  readonly revision: string;
  /** Its diff as the question shows it. */
  readonly solution: string;
  /** Which infill brought it, from 1. */
  readonly tries: number;
}

export type FoundCandidates =
  | { readonly status: "found"; readonly candidates: readonly Candidate[]; readonly tries: number }
  | { readonly status: "too_few"; readonly found: number; readonly tries: number }
  | { readonly status: "failed"; readonly reason: string };

interface CandidateSearch {
  readonly gap: Gap;
  readonly preReviewLines: readonly string[];
  /** Of the right revision. */
  readonly diff: HunkDiff;
  readonly wanted: number;
  /** Names the gap among all gaps of a build; with the seed it decides every draw. */
  readonly key: string;
  readonly seed: number;
}

/** Infills the gap until there are enough distinct candidates, or the tries are used up (Algorithm 1, the loop). */
export async function findCandidates(
  search: CandidateSearch,
  surrogate: Pick<Surrogate, "infill">,
  signal: AbortSignal,
): Promise<FoundCandidates> {
  const { gap } = search;
  const candidates = new Map<string, Candidate>();
  for (let tries = 1; tries <= MAX_TRIES; tries++) {
    const reply = await surrogate.infill(
      {
        prompt: gap.text.slice(0, gap.leaf.start),
        suffix: gap.text.slice(gap.leaf.end),
        maxTokens: MAX_TOKENS,
        stop: ["\n"],
        temperature: INFILL_TEMPERATURE,
        topK: INFILL_TOP_K,
        seed: hash32(`${search.key} ${tries}`, search.seed),
      },
      signal,
    );
    if (reply.status === "failed") return { status: "failed", reason: reasonOf(reply) };
    const replacement = replacementFrom(gap, reply.text);
    const solution = replacement === null ? null : solutionOf(withReplacement(gap, replacement), search);
    if (replacement === null || solution === null) continue;
    const key = replacement.replace(/\s+/g, "");
    if (candidates.has(key)) continue;
    candidates.set(key, { replacement, revision: withReplacement(gap, replacement), solution, tries });
    if (candidates.size === search.wanted) return { status: "found", candidates: [...candidates.values()], tries };
  }
  return { status: "too_few", found: candidates.size, tries: MAX_TRIES };
}

/**
 * The diff of a candidate, or `null` when it changes other lines than the right one does: a candidate that puts an old line
 * back, say, would give itself away.
 */
export function solutionOf(
  revision: string,
  { preReviewLines, diff }: Pick<CandidateSearch, "preReviewLines" | "diff">,
): string | null {
  const candidate = diffHunk(preReviewLines, revision.split("\n"));
  const isSameShape =
    candidate !== null && markers(candidate.old) === markers(diff.old) && markers(candidate.new) === markers(diff.new);
  return isSameShape ? candidate.solution : null;
}

function markers(hunk: string): string {
  return hunk
    .split("\n")
    .map((line) => line.slice(0, 1))
    .join("");
}
