import type { Syntax } from "../../../../syntax/load.js";
import { generatedLines, rawLines, referenceLines, withoutLineNumbers } from "./revision.js";

/** The four corrected exact matches of one generation. */
export interface ExactMatch {
  /**
   * Character for character the post-review code, once the line numbers are removed (only if the model echoed them)
   * and blank lines at either end are dropped. Indentation and line breaks count.
   */
  readonly em: boolean;
  /**
   * Some run of consecutive generated lines is the post-review code; whitespace at the end of a line is ignored,
   * indentation is not. What comes before and after (an explanation, a code fence, a second attempt) is forgiven, which
   * is what the paper's EM-trim is for. Numbers are removed from a run that is numbered throughout, whatever stands
   * around it.
   */
  readonly emTrim: boolean;
  /** Equal after all whitespace is removed. The whole generation has to be equal, not a part of it. */
  readonly emNoSpace: boolean;
  /**
   * Equal after comments and all whitespace are removed. What a comment is, the language's grammar decides: `//` in a
   * string, `#include`, Python's `//` and docstrings are none. A comment of which the hunk holds only a part (a block
   * comment that begins above it) is kept. Where the post-review code is nothing but comments, there is no code to
   * compare, and the comments count: then equal to `emNoSpace`.
   */
  readonly emNoComment: boolean;
}

/**
 * Corrected exact match (spec §7; EM, EM-trim, EM-no-space and EM-no-comment of the released scripts, without their
 * quirks: see `paperExactMatch`). `em` implies each of the others. An empty generation matches only an empty
 * post-review code, and that is matched by nothing else.
 * @param generation the raw text up to the stop
 */
export function exactMatch(syntax: Syntax, postReviewLines: readonly string[], generation: string): ExactMatch {
  const reference = referenceLines(postReviewLines);
  const generated = generatedLines(generation);
  const [expected, found] = [reference.join("\n"), generated.join("\n")];
  const emNoSpace = withoutSpace(expected) === withoutSpace(found);
  const expectedCode = withoutSpace(withoutComments(syntax, expected));
  return {
    em: expected === found,
    emTrim: reference.length === 0 ? found === "" : holdsRun(rawLines(generation), reference),
    emNoSpace,
    emNoComment: expectedCode === "" ? emNoSpace : expectedCode === withoutSpace(withoutComments(syntax, found)),
  };
}

/** Code without its comments; what stood around a comment moves together. */
export function withoutComments(syntax: Syntax, code: string): string {
  const kept: string[] = [];
  let from = 0;
  for (const { start, end } of syntax.comments(code)) {
    kept.push(code.slice(from, start));
    from = end;
  }
  return kept.join("") + code.slice(from);
}

function withoutSpace(code: string): string {
  return code.replace(/\s+/gu, "");
}

/** Whether a run of consecutive lines is the reference, as it stands or with the line numbers of the run removed. */
function holdsRun(lines: readonly string[], reference: readonly string[]): boolean {
  for (let start = 0; start + reference.length <= lines.length; start++) {
    const run = lines.slice(start, start + reference.length);
    if (hasLines(run, reference) || hasLines(withoutLineNumbers(run) ?? [], reference)) return true;
  }
  return false;
}

function hasLines(run: readonly string[], reference: readonly string[]): boolean {
  return reference.every((line, i) => line.trimEnd() === run[i]?.trimEnd());
}
