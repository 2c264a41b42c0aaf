/** A quality or faithfulness issue for which the paper's Appendix C discards a review. */
export type ReviewIssue =
  | "unclear comment"
  | "intended code revision included"
  | "code formatting"
  | "not self-contained";

/** An issue, and the part of the review that shows it. */
interface FoundIssue {
  readonly issue: ReviewIssue;
  /** The keyword with the rest of its word, so that a word that merely holds it can be told; or the short comment. */
  readonly matched: string;
}

/** Reviews with fewer characters (Unicode code points, white space around them not counted) are unclear. */
const MIN_REVIEW_CHARACTERS = 10;

const CODE_BLOCK = "```";

const KEYWORDS: readonly { readonly issue: ReviewIssue; readonly pattern: RegExp }[] = [
  { issue: "code formatting", pattern: mention("indentation", "spacing", "lint") },
  { issue: "not self-contained", pattern: mention("revert", String.raw`as\s+above`, "ditto") },
];

/**
 * The first issue of a review by the paper's heuristics (Appendix C), in the paper's order: under 10 characters; a code
 * block indicator; "indentation", "spacing" or "lint"; "revert", "as above" or "ditto". A review mentions a keyword when
 * it contains it, in any case and also within a longer word: that is keyword filtering at its plainest, it catches
 * "eslint" and "reverted", and 961 original reviews that the authors published hold not one such word.
 * The price is a rare false drop ("namespacing"), which `matched` shows.
 */
export function findIssue(review: string): FoundIssue | null {
  const comment = review.trim();
  if ([...comment].length < MIN_REVIEW_CHARACTERS) return { issue: "unclear comment", matched: comment };
  if (review.includes(CODE_BLOCK)) return { issue: "intended code revision included", matched: CODE_BLOCK };
  for (const { issue, pattern } of KEYWORDS) {
    const matched = pattern.exec(review)?.[0];
    if (matched !== undefined) return { issue, matched };
  }
  return null;
}

/** One of the keywords, with the letters that touch it. */
function mention(...keywords: readonly string[]): RegExp {
  return new RegExp(String.raw`(?<!\p{L})\p{L}*?(?:${keywords.join("|")})\p{L}*`, "iu");
}
