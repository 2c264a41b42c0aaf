import { diffHunk, type HunkDiff } from "../dataset/hunk-diff.js";
import { MAX_LINE_CHARACTERS } from "../dataset/record.js";
import type { Triple } from "../dataset/triple.js";

/** Longest hunk that becomes a record, in lines before or after. */
const MAX_HUNK_LINES = 1000;

/** A triple's diff, or why it cannot become a record. */
type HunkResult =
  | { readonly status: "changed"; readonly diff: HunkDiff }
  | { readonly status: "dropped"; readonly reason: string };

/** Checks what a record needs of a triple (spec §2.2), and compares its two versions. */
export function hunkOf({ preReviewLines, postReviewLines, review }: Triple): HunkResult {
  const dropped = (reason: string): HunkResult => ({ status: "dropped", reason });
  if (review.trim() === "") return dropped("no review");
  if (preReviewLines.length === 0) return dropped("no pre-review code");
  if (postReviewLines.length === 0) return dropped("no post-review code");
  const lines = [...preReviewLines, ...postReviewLines];
  if (Math.max(preReviewLines.length, postReviewLines.length) > MAX_HUNK_LINES) {
    return dropped(`over ${MAX_HUNK_LINES} lines`);
  }
  if ([...lines, ...review.split("\n")].some((line) => line.length >= MAX_LINE_CHARACTERS)) {
    return dropped(`a line over ${MAX_LINE_CHARACTERS} characters`);
  }
  const diff = diffHunk(preReviewLines, postReviewLines);
  if (diff === null) return dropped("no change");
  if (withoutSpace(preReviewLines) === withoutSpace(postReviewLines)) return dropped("only whitespace changes");
  return { status: "changed", diff };
}

function withoutSpace(lines: readonly string[]): string {
  return lines.join("").replace(/\s+/g, "");
}
