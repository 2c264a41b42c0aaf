import { type Region, regionAround } from "../forge/region.js";
import type { InlineComment } from "./shapes.js";

const HEADER = /^@@ -\d+(?:,\d+)? \+(\d+)(?:,(\d+))? @@/;

/** Whether the comment stands on lines that the pull request deletes. */
export function isOnOldSide({ side, diff_hunk: hunk }: InlineComment): boolean {
  return side === "LEFT" || linesOf(hunk).at(-1)?.startsWith("-") === true;
}

/**
 * The pre-review code of a comment, as lines of the file at the commented commit: the new side of its diff hunk, near
 * the commented lines.
 * @returns `null` when the hunk is not one of this file
 */
export function commentedRegion(comment: InlineComment, file: readonly string[]): Region | null {
  const [header = "", ...body] = linesOf(comment.diff_hunk);
  const [, start, length = "1"] = HEADER.exec(header) ?? [];
  if (start === undefined) return null;
  const hunkFirst = Math.max(1, Number(start));
  const shown = body.filter((line) => !/^[-\\]/.test(line));
  const line = comment.original_line ?? hunkFirst + shown.length - 1;
  if (!isSameLine(shown.at(-1), file[line - 1])) return null;
  const from = comment.start_side === "LEFT" ? line : Math.min(line, comment.original_start_line ?? line);
  const hunk = { first: hunkFirst, last: hunkFirst + Number(length) - 1 };
  return regionAround({ first: from, last: line }, hunk, file.length);
}

/** A line of a hunk (with its marker) and of the file; white space at its end aside. */
function isSameLine(hunkLine: string | undefined, fileLine: string | undefined): boolean {
  return hunkLine !== undefined && fileLine !== undefined && hunkLine.slice(1).trimEnd() === fileLine.trimEnd();
}

function linesOf(hunk: string): string[] {
  // GitHub ends a hunk at the commented line; a file without a line end may have its note after it.
  return hunk
    .replace(/\n$/, "")
    .split(/\r?\n/)
    .filter((line) => !line.startsWith("\\"));
}
