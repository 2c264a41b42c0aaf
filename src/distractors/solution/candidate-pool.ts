import type { ParsedCode, Syntax } from "../../syntax/load.js";
import { type Gap, infill, isSound, replacementFrom, solutionOf, withReplacement } from "./infilled-candidates.js";
import type { Token } from "./introduced-tokens.js";
import {
  isAlike,
  isMatchedIn,
  type Replacement,
  type ReplacementSource,
  replacementsFor,
  type Surroundings,
} from "./replacements.js";
import type { Candidate, SolutionTask } from "./solution-task.js";

/** Candidates that are compared with the right revision, at most: easy options are drawn from one half of them, hard ones from the other. */
const POOL_SIZE = 12;
/** Infills asked for a place, at most. */
const MAX_TRIES = 8;
/** Members that a pool must have: three for each difficulty. */
export const WANTED = 6;

/** A candidate of a pool. */
export interface PoolMember extends Candidate {
  /** Tells whether it stands in the prompt as the masked text does. */
  readonly isMatched: boolean;
  /** Tells whether the question shows it elsewhere, too. */
  readonly isShown: boolean;
}

interface PoolSearch {
  readonly syntax: Syntax;
  /** The right revision. */
  readonly text: string;
  readonly parsed: ParsedCode;
  readonly token: Token;
  readonly surroundings: Surroundings;
  /** Names the place among all of a build. */
  readonly key: string;
  readonly task: SolutionTask;
}

/**
 * Candidates for one place: texts that hunk and review offer, and infills of the surrogate where those are not enough.
 * @throws NotBuilt, ProbeError as `answered`
 */
export async function poolFor(search: PoolSearch): Promise<readonly PoolMember[]> {
  const { text, token, surroundings, key, task } = search;
  const members = new Map<string, PoolMember>();
  const add = (replacement: string, source: ReplacementSource, tries: number | null) => {
    const folded = replacement.toLowerCase();
    const member = members.has(folded) ? null : memberWith(search, replacement);
    const isMatched = isMatchedIn(surroundings.prompt, token.text, replacement);
    if (member === null) return;
    members.set(folded, { ...member, source, isMatched, isShown: surroundings.shown.has(replacement), tries });
  };
  for (const proposed of inOrder(search)) {
    if (members.size === POOL_SIZE) break;
    add(proposed.text, proposed.source, null);
  }
  for (let tries = 1; tries <= MAX_TRIES && members.size < POOL_SIZE; tries++) {
    const replacement = replacementOf(search, await infill(text, token, `${key} ${tries}`, task));
    if (replacement !== null && isAlike(token, replacement)) add(replacement, "surrogate", tries);
  }
  return alike(search, [...members.values()]);
}

/** For a text that the prompt does not have, room for as many that it has. */
function inOrder({ token, surroundings }: PoolSearch): readonly Replacement[] {
  const proposed = replacementsFor(token, surroundings);
  if (surroundings.prompt.has(token.text)) return proposed;
  const [matched, others] = [proposed.filter((each) => each.isMatched), proposed.filter((each) => !each.isMatched)];
  return [...matched.slice(0, WANTED), ...others.slice(0, WANTED), ...matched.slice(WANTED), ...others.slice(WANTED)];
}

/**
 * For a text that stands in the prompt only those that do so too, if they are enough: then that tells nothing apart. For one that does
 * not, both kinds: in the other questions it is the right text that the prompt has, and ranks are to be even over all.
 */
function alike({ token, surroundings }: PoolSearch, members: readonly PoolMember[]): readonly PoolMember[] {
  const matched = members.filter(({ isMatched }) => isMatched);
  return matched.length < WANTED || !surroundings.prompt.has(token.text) ? members : matched;
}

function memberWith(
  search: PoolSearch,
  replacement: string,
): Pick<PoolMember, "replacement" | "revision" | "solution"> | null {
  const { token, text } = search;
  const { leaf } = token;
  const whole = text.slice(leaf.start, token.start) + replacement + text.slice(token.end, leaf.end);
  if (repeatsNeighbour(search, replacement) || !isSound(gapOf(search), whole)) return null;
  const revision = withReplacement({ text, leaf }, whole);
  const solution = solutionOf(revision, search.task);
  return solution === null ? null : { replacement, revision, solution };
}

/** `the the`: a word of prose beside itself is wrong at sight. */
function repeatsNeighbour({ token, text }: PoolSearch, replacement: string): boolean {
  if (token.sort !== "word") return false;
  const before = /[\p{L}\p{N}_]+(?=\s*$)/u.exec(text.slice(0, token.start))?.[0];
  const after = /^\s*([\p{L}\p{N}_]+)/u.exec(text.slice(token.end))?.[1];
  return [before, after].some((word) => word?.toLowerCase() === replacement.toLowerCase());
}

function gapOf({ syntax, text, parsed, token: { leaf } }: PoolSearch): Gap {
  return { syntax, text, parsed, leaf };
}

/** The first word or number of an infill of prose, the first leaf of one of code. */
function replacementOf(search: PoolSearch, infilled: string): string | null {
  const { sort, inProse } = search.token;
  if (sort !== "word" && !inProse) return replacementFrom(gapOf(search), infilled);
  const piece = sort === "word" ? /^\s*(\p{L}{4,})(?![\p{L}\p{N}_])/u : /^\s*(\p{N}+)(?![\p{L}\p{N}_])/u;
  return piece.exec(infilled)?.[1] ?? null;
}
