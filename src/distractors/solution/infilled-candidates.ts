import { hash32 } from "../../base/random.js";
import type { TextRange } from "../../base/text.js";
import { diffHunk } from "../../dataset/hunk-diff.js";
import type { Leaf, ParsedCode, Syntax } from "../../syntax/load.js";
import { answered, INFILL_TEMPERATURE, INFILL_TOP_K } from "../surrogate.js";
import { relatedOperators } from "./introduced-tokens.js";
import type { Candidate, SolutionTask } from "./solution-task.js";

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

/**
 * Infills the gap until there are enough distinct candidates (Algorithm 1, the loop).
 * @param key names the gap among all gaps of a build; with the seed it decides every draw
 * @returns `null` when the tries are used up before
 */
export async function findCandidates(
  gap: Gap,
  key: string,
  wanted: number,
  task: SolutionTask,
): Promise<readonly Candidate[] | null> {
  const candidates = new Map<string, Candidate>();
  for (let tries = 1; tries <= MAX_TRIES; tries++) {
    const replacement = replacementFrom(gap, await infill(gap.text, gap.leaf, `${key} ${tries}`, task));
    if (replacement === null || candidates.has(squeezed(replacement))) continue;
    const revision = withReplacement(gap, replacement);
    const solution = solutionOf(revision, task);
    if (solution === null) continue;
    candidates.set(squeezed(replacement), { replacement, revision, solution, tries, source: "surrogate" });
    if (candidates.size === wanted) return [...candidates.values()];
  }
  return null;
}

/**
 * The surrogate's text for a place of the right revision.
 * @param key with the seed it decides the draws
 * @throws NotBuilt, ProbeError as `answered`
 */
export async function infill(
  text: string,
  { start, end }: TextRange,
  key: string,
  { surrogate, seed, signal }: Pick<SolutionTask, "surrogate" | "seed" | "signal">,
): Promise<string> {
  const request = {
    prompt: text.slice(0, start),
    suffix: text.slice(end),
    maxTokens: MAX_TOKENS,
    stop: ["\n"],
    temperature: INFILL_TEMPERATURE,
    topK: INFILL_TOP_K,
    seed: hash32(key, seed),
  };
  return answered(await surrogate.infill(request, signal)).text;
}

/**
 * The diff of a candidate, or `null` when it changes other lines than the right one does: a candidate that puts an old line
 * back, say, would give itself away.
 */
export function solutionOf(revision: string, { triple, diff }: Pick<SolutionTask, "triple" | "diff">): string | null {
  const candidate = diffHunk(triple.preReviewLines, revision.split("\n"));
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
