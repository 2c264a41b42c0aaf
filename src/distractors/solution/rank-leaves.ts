import type { TextRange } from "../../base/text.js";
import type { Triple } from "../../dataset/triple.js";
import type { TokenScores } from "../../model/requests.js";
import { commonStem } from "../../question/stem.js";
import { fillTemplate, type PromptTemplate } from "../../question/template.js";
import type { Leaf } from "../../syntax/load.js";
import { reasonOf, type Surrogate } from "../surrogate.js";

/** A leaf, and how little the surrogate expected it. */
export interface RankedLeaf<Place extends TextRange = Leaf> {
  readonly leaf: Place;
  /** Mean over its tokens. */
  readonly surprisalBits: number;
}

type RankedLeaves<Place extends TextRange = Leaf> =
  | { readonly status: "ranked"; readonly leaves: readonly RankedLeaf<Place>[] }
  | { readonly status: "not_ranked"; readonly reason: string };

/**
 * Sorts leaves of the right revision by the surrogate's mean surprisal, highest first; of equal ones the earlier first. The
 * surrogate reads the pre-review code, the review, and the revision up to each token (Algorithm 1): the prompt of the
 * generative task with the revision after it.
 */
export async function rankLeaves<Place extends TextRange>(
  {
    triple,
    revision,
    leaves,
  }: { readonly triple: Triple; readonly revision: string; readonly leaves: readonly Place[] },
  template: PromptTemplate,
  surrogate: Pick<Surrogate, "scoreTokens">,
  signal: AbortSignal,
): Promise<RankedLeaves<Place>> {
  const prompt = fillTemplate(template, commonStem(triple));
  const scores = await surrogate.scoreTokens(prompt + revision, signal);
  if (scores.status === "failed") return { status: "not_ranked", reason: reasonOf(scores) };
  const ranked = leaves.flatMap((leaf) => {
    const range = { start: prompt.length + leaf.start, end: prompt.length + leaf.end };
    const surprisalBits = meanSurprisalBits(scores, range);
    return surprisalBits === null ? [] : [{ leaf, surprisalBits }];
  });
  ranked.sort((a, b) => b.surprisalBits - a.surprisalBits || a.leaf.start - b.leaf.start);
  return { status: "ranked", leaves: ranked };
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
