import { hash32 } from "../../base/random.js";
import { diffHunk, type HunkDiff } from "../../dataset/hunk-diff.js";
import type { Leaf, ParsedCode, Syntax } from "../../syntax/load.js";
import { INFILL_TEMPERATURE, INFILL_TOP_K, reasonOf, type Surrogate } from "../surrogate.js";
import { relatedOperators } from "./introduced-tokens.js";

/** A leaf of the right revision that is to be replaced. */
export interface Gap {
  readonly syntax: Syntax;
  /** The right revision. */
  readonly text: string;
  readonly parsed: ParsedCode;
  readonly leaf: Leaf;
}

/** Kinds that stand for each other: a fixed word has a kind of its own in some grammars. */
const CONSTANTS = new Set(["true", "false", "boolean_literal", "null", "null_literal", "nil", "none", "undefined"]);
const MAX_CHARACTERS = 200;

/**
 * The part of an infill that can stand in place of the leaf: its first leaf (a surrogate at a high temperature seldom stops after
 * one), if that is of the same kind and changes nothing else: the revision then parses into the same leaves but for that one,
 * with no more errors (spec §3).
 * @returns `null` when there is none, or it is the leaf itself again (whitespace aside)
 */
export function replacementFrom(gap: Gap, infill: string): string | null {
  const { text, leaf } = gap;
  const sample =
    infill
      .trimStart()
      .split(/[\r\n]/, 1)[0]
      ?.slice(0, MAX_CHARACTERS) ?? "";
  const replacement = [firstLeafOf(gap, sample), firstWordOf(sample)].find(
    (piece) => piece !== null && isSound(gap, piece),
  );
  const isSame = replacement == null || squeezed(replacement) === squeezed(text.slice(leaf.start, leaf.end));
  return isSame ? null : replacement;
}

/** The revision with another text in place of the leaf. */
export function withReplacement({ text, leaf }: Pick<Gap, "text" | "leaf">, replacement: string): string {
  return text.slice(0, leaf.start) + replacement + text.slice(leaf.end);
}

function firstLeafOf(gap: Gap, sample: string): string | null {
  const { start } = gap.leaf;
  const first = gap.syntax.parse(withReplacement(gap, sample)).leaves.find((leaf) => leaf.start === start);
  return first === undefined || first.end > start + sample.length ? null : sample.slice(0, first.end - start);
}

function firstWordOf(sample: string): string | null {
  return /^[\p{L}\p{N}_]+/u.exec(sample)?.[0] ?? null;
}

/** Tells whether the revision with another text in place of the leaf parses into the same leaves but for that one, as well as before. */
export function isSound(gap: Gap, replacement: string): boolean {
  if (replacement.trim() === "" || !replacement.isWellFormed()) return false;
  // A forgiving parser takes a keyword for a name where it has lost its way. A constant is fixed in some grammars.
  if (gap.syntax.isFixed(replacement) && !gap.syntax.isFixed(gap.text.slice(gap.leaf.start, gap.leaf.end)))
    return false;
  const { leaves, errors } = gap.syntax.parse(withReplacement(gap, replacement));
  if (errors > gap.parsed.errors || leaves.length !== gap.parsed.leaves.length) return false;
  return leaves.every((leaf, i) => {
    const right = gap.parsed.leaves[i];
    if (right === undefined) return false;
    if (right.start !== gap.leaf.start) return leaf.kind === right.kind;
    return isSameKind(leaf.kind, right.kind) && leaf.end - leaf.start === replacement.length;
  });
}

function isSameKind(a: string, b: string): boolean {
  return a === b || (CONSTANTS.has(a) && CONSTANTS.has(b)) || relatedOperators(a).includes(b);
}

function squeezed(text: string): string {
  return text.replace(/\s+/g, "");
}

/** Infills asked of the surrogate for one leaf, at most. */
const MAX_TRIES = 48;
const MAX_TOKENS = 16;

/** A wrong revision: the right one with another text in place of one leaf. */
export interface Candidate {
  readonly replacement: string;
  readonly revision: string;
  /** Its diff as the question shows it. */
  readonly solution: string;
  /** Number of the infill that brought it, from 1. */
  readonly tries: number;
}

export type FoundCandidates =
  | { readonly status: "found"; readonly candidates: readonly Candidate[]; readonly tries: number }
  | { readonly status: "too_few"; readonly found: number; readonly tries: number }
  | { readonly status: "failed"; readonly reason: string };

interface CandidateSearch {
  readonly gap: Gap;
  readonly preReviewLines: readonly string[];
  /** Diff of the right revision. */
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
