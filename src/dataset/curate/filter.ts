import type { Language } from "../../base/language.js";
import type { TripleLine } from "../triple.js";
import { findIssue, type ReviewIssue } from "./filter-rules.js";

/** Why an example is left out. */
export type DropReason = ReviewIssue | "unsupported language" | "invalid record";

/** A line that a filter leaves out, and why. */
export interface Drop {
  /** In the file that was read, from 1. */
  readonly line: number;
  /** `null` where the line was not understood. */
  readonly id: string | null;
  /** `null` where it is not one of the benchmark's. */
  readonly language: Language | null;
  readonly reason: DropReason;
  /** What shows the reason, as it stands in the line: keyword, short comment, name of the language; `null`: nothing does. */
  readonly matched: string | null;
}

/** Why a line is to be left out (paper, Appendix C: `findIssue`), or `null`. */
export function findDrop(line: TripleLine): Drop | null {
  const unknown = { line: line.line, id: null, language: null };
  if (line.status === "invalid") return { ...unknown, reason: "invalid record", matched: null };
  if (line.status === "unsupported") return { ...unknown, reason: "unsupported language", matched: line.language };
  const { id, language, review } = line.triple;
  const found = findIssue(review);
  return found === null ? null : { line: line.line, id, language, reason: found.issue, matched: found.matched };
}
