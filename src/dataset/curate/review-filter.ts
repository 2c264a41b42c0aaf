import type { Language } from "../../base/language.js";
import type { TripleLine } from "../triple.js";

/** Reason for leaving out an example. */
export type DropReason = ReviewIssue | "unsupported language" | "invalid record";

/** A line that a filter leaves out, and why. */
export interface Drop {
  /** Line of the file that was read, from 1. */
  readonly line: number;
  /** `null` where the line was not understood. */
  readonly id: string | null;
  /** `null` where it is not one of the benchmark's. */
  readonly language: Language | null;
  readonly reason: DropReason;
  /** Evidence of the reason, as it stands in the line: keyword, short comment, name of the language; `null`: none. */
  readonly matched: string | null;
}

/** Reason for leaving out a line (paper, Appendix C: `findIssue`), or `null`. */
export function findDrop(line: TripleLine): Drop | null {
  const unknown = { line: line.line, id: null, language: null };
  if (line.status === "invalid") return { ...unknown, reason: "invalid record", matched: null };
  if (line.status === "unsupported") return { ...unknown, reason: "unsupported language", matched: line.language };
  const { id, language, review } = line.triple;
  const found = findIssue(review);
  return found === null ? null : { line: line.line, id, language, reason: found.issue, matched: found.matched };
}

/** A quality or faithfulness issue for which the paper's Appendix C discards a review. */
type ReviewIssue = "unclear comment" | "intended code revision included" | "code formatting" | "not self-contained";

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
