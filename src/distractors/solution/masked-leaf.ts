import type { TextRange } from "../../base/text.js";
import type { TokenScores } from "../../model/requests.js";
import { commonStem, fillTemplate } from "../../question/prompt.js";
import { isComment, type Leaf, type Syntax } from "../../syntax/load.js";
import { answered } from "../surrogate.js";
import type { SolutionTask } from "./solution-task.js";

/** The post-review code of a hunk, and which of its lines are new. */
interface RevisedCode {
  readonly text: string;
  /** True at each line that was added or replaced. */
  readonly isNew: readonly boolean[];
}

/** Reads the marker column of a record's `new`. */
export function revisedCode(markedLines: string): RevisedCode {
  const lines = markedLines.split("\n");
  return { text: lines.map((line) => line.slice(1)).join("\n"), isNew: lines.map((line) => line.startsWith("+")) };
}

/**
 * The code elements on the changed lines (Algorithm 1, GetLeafNodes): leaves of the syntax tree that the grammar gives
 * a name, such as identifiers and literals. Not comments, since a changed comment changes no code; not operators and
 * brackets, which nothing of the same kind could replace; not what goes over several lines.
 */
export function changedLeaves(code: RevisedCode, syntax: Syntax): Leaf[] {
  const starts = lineStarts(code.text);
  return syntax.parse(code.text).leaves.filter((leaf) => {
    const text = code.text.slice(leaf.start, leaf.end);
    if (!leaf.isNamed || isComment(leaf.kind) || text.includes("\n") || !/[\p{L}\p{N}]/u.test(text)) return false;
    // A keyword that the parser took for a name: it has lost its way in the fragment there.
    if (syntax.isFixed(text) && leaf.kind !== text) return false;
    return code.isNew[lineAt(starts, leaf.start)] === true;
  });
}

function lineStarts(text: string): number[] {
  return [0, ...Array.from(text.matchAll(/\n/g), ({ index }) => index + 1)];
}

/** Line of a place in the text, from 0. */
function lineAt(starts: readonly number[], place: number): number {
  const after = starts.findIndex((start) => start > place);
  return (after === -1 ? starts.length : after) - 1;
}

/** Line of a place in the text, from 1. */
export function lineNumberAt(text: string, place: number): number {
  return lineAt(lineStarts(text), place) + 1;
}

/** A leaf, and how little the surrogate expected it. */
export interface RankedLeaf<Place extends TextRange = Leaf> {
  readonly leaf: Place;
  /** Mean over its tokens. */
  readonly surprisalBits: number;
}

/**
 * Sorts leaves of the right revision by the surrogate's mean surprisal, highest first; of equal ones the earlier first. The
 * surrogate reads the pre-review code, the review, and the revision up to each token (Algorithm 1): the prompt of the
 * generative task with the revision after it.
 * @throws NotBuilt, ProbeError as `answered`
 */
export async function rankLeaves<Place extends TextRange>(
  revision: string,
  leaves: readonly Place[],
  { triple, template, surrogate, signal }: SolutionTask,
): Promise<RankedLeaf<Place>[]> {
  const prompt = fillTemplate(template, commonStem(triple));
  const scores = answered(await surrogate.scoreTokens(prompt + revision, signal));
  const ranked = leaves.flatMap((leaf) => {
    const range = { start: prompt.length + leaf.start, end: prompt.length + leaf.end };
    const surprisalBits = meanSurprisalBits(scores, range);
    return surprisalBits === null ? [] : [{ leaf, surprisalBits }];
  });
  return ranked.sort((a, b) => b.surprisalBits - a.surprisalBits || a.leaf.start - b.leaf.start);
}

/**
 * Mean surprisal of the tokens of a piece of text, −log₂ P (bits; Algorithm 1, S_node). A token that only begins or ends
 * in it counts whole.
 * @param range in the scored text
 * @returns `null` when it has no token, or one that was not predicted
 */
export function meanSurprisalBits(
  { ends, logprobs }: Pick<TokenScores, "ends" | "logprobs">,
  range: TextRange,
): number | null {
  const bits: number[] = [];
  for (let i = firstEndingAfter(ends, range.start); i < ends.length && (ends[i - 1] ?? 0) < range.end; i++) {
    const logprob = logprobs[i];
    if (logprob == null) return null;
    bits.push(-logprob / Math.LN2);
  }
  return bits.length === 0 ? null : bits.reduce((sum, value) => sum + value, 0) / bits.length;
}

/** The first token that ends after a place; by bisection, since `ends` ascends. */
function firstEndingAfter(ends: readonly number[], place: number): number {
  let [low, high] = [0, ends.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ends[middle] ?? 0) > place) high = middle;
    else low = middle + 1;
  }
  return low;
}
