import { diffHunk } from "../dataset/hunk-diff.js";
import type { Triple } from "../dataset/triple.js";
import type { ChangeType } from "../example/example.js";
import { countWords } from "./code-elements.js";
import { editDistance } from "./edit-distance.js";

/** The numbers of one code review (paper, Appendix D). A ratio to a comment without words, or of no number, is `null`. */
export interface Measures {
  readonly changeType: ChangeType;
  /** Whitespace-separated words of the comment. */
  readonly commentLength: number;
  /** Characters to edit between pre-review and post-review code, lines joined with a line break: `editDistance`. */
  readonly codeEditDistance: number | null;
  /** Lines in the location of the change: deleted or replaced ones; for `add`, the places where lines are added. */
  readonly changeLocations: number;
  /** Code elements / comment length, 0–1; what a code element is: `countWords`. */
  readonly codeElementRatio: number | null;
  /** Code edit distance / comment length: characters a word. */
  readonly specificationRatio: number | null;
}

/** Measures a code review; `null` when its code did not change, so that there is no change to describe. */
export function measure({ preReviewLines, postReviewLines, review }: Triple): Measures | null {
  const diff = diffHunk(preReviewLines, postReviewLines);
  if (diff === null) return null;
  const { words, codeElements } = countWords(review, [...preReviewLines, ...postReviewLines]);
  const codeEditDistance = editDistance(preReviewLines.join("\n"), postReviewLines.join("\n"));
  return {
    changeType: diff.changeType,
    commentLength: words,
    codeEditDistance,
    changeLocations: diff.location.length,
    codeElementRatio: words === 0 ? null : codeElements / words,
    specificationRatio: words === 0 || codeEditDistance === null ? null : codeEditDistance / words,
  };
}
