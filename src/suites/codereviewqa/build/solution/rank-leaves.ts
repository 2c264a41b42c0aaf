import type { Leaf, TextRange } from "../../../../syntax/load.js";
import type { Triple } from "../../dataset/triple.js";
import { commonStem } from "../../question/stem.js";
import { fillTemplate, type PromptTemplate } from "../../question/template.js";
import { reasonOf, type Surrogate } from "../surrogate.js";
import { meanSurprisalBits } from "./leaf-surprisal.js";

/** A leaf, and how little the surrogate expected it. */
export interface RankedLeaf<Place extends TextRange = Leaf> {
  readonly leaf: Place;
  /** Mean over its tokens. */
  readonly surprisalBits: number;
}

export type RankedLeaves<Place extends TextRange = Leaf> =
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
