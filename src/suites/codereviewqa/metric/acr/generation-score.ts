import type { Language } from "../../../../base/language.js";
import { loadSyntax } from "../../../../syntax/load.js";
import { sentenceBleu } from "./bleu.js";
import { editSimilarity } from "./edit-similarity.js";
import { type ExactMatch, exactMatch } from "./exact-match.js";
import { type PaperExactMatch, paperExactMatch } from "./paper-exact-match.js";
import type { RevisionPair } from "./revision.js";

/** The metrics of one generated revision (ACR): the corrected exact matches, those of the released scripts, and two graded ones. */
export interface GenerationScore extends ExactMatch, PaperExactMatch {
  /** Smoothed BLEU-4 of this generation alone, 0–1; `null` where the post-review code is empty. */
  readonly bleu: number | null;
  /** 0–1. */
  readonly editSimilarity: number;
}

/**
 * Scores one generated revision. An empty or cut-off generation is scored like any other: what state it is in, the
 * answer says.
 */
export async function scoreGeneration(pair: RevisionPair & { readonly language: Language }): Promise<GenerationScore> {
  const { language, postReviewLines, generation } = pair;
  return {
    ...exactMatch(await loadSyntax(language), postReviewLines, generation),
    ...paperExactMatch(postReviewLines, generation),
    bleu: sentenceBleu(pair),
    editSimilarity: editSimilarity(pair),
  };
}
