import { normaliseText } from "../../../../base/text.js";
import type { Syntax } from "../../../../syntax/load.js";

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
  if (expected === found) return { em: true, emTrim: true, emNoSpace: true, emNoComment: true };
  const emNoSpace = withoutSpace(expected) === withoutSpace(found);
  const expectedCode = withoutSpace(withoutComments(syntax, expected));
  return {
    em: false,
    emTrim: reference.length === 0 ? found === "" : holdsRun(rawLines(generation), reference),
    emNoSpace,
    emNoComment: expectedCode === "" ? emNoSpace : expectedCode === withoutSpace(withoutComments(syntax, found)),
  };
}

/** `em` by itself, for which no code is parsed. */
export function isExact({ postReviewLines, generation }: RevisionPair): boolean {
  return referenceLines(postReviewLines).join("\n") === generatedLines(generation).join("\n");
}

/** Beginnings of comments in all languages: code without any is not parsed. */
const COMMENT = /\/[/*]|#|=begin|<!--|-->/;

/** Code without its comments; what stood around a comment moves together. */
export function withoutComments(syntax: Syntax, code: string): string {
  if (!COMMENT.test(code)) return code;
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

/** Tests if a run of consecutive lines is the reference, as it stands or with the line numbers of the run removed. */
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

/** One post-review code and what a model generated for it. */
export interface RevisionPair {
  /** Lines without marker column. */
  readonly postReviewLines: readonly string[];
  /** The raw text up to the stop. */
  readonly generation: string;
}

/**
 * The code a model generated. Windows line ends become `\n`, blank lines at either end are dropped (the prompt ends
 * with a line break, and the stop stands on a line of its own), and line numbers are removed if the model echoed them:
 * see `withoutLineNumbers`.
 * @param generation the raw text up to the stop
 */
export function generatedLines(generation: string): readonly string[] {
  const lines = withoutBlankEnds(rawLines(generation));
  return withoutBlankEnds(withoutLineNumbers(lines) ?? lines);
}

/** The post-review code as it is compared: blank lines at either end dropped. */
export function referenceLines(postReviewLines: readonly string[]): readonly string[] {
  return withoutBlankEnds(postReviewLines);
}

/** Every line of a generation, as it is. */
function rawLines(generation: string): readonly string[] {
  return normaliseText(generation).split("\n");
}

/**
 * The lines without the number in front of each, or `null` where they are not numbered. The prompt shows `N ` before
 * every line; a model may repeat that, count anew, or keep the numbers of the pre-review code (1, 2, 4 after a deleted
 * line). So lines count as numbered when every line that is not blank begins with a whole number and a space (or is
 * nothing but a number), and the numbers never go down. A number alone on the last line may be cut short by the token
 * limit, so it may be smaller. Exactly one space goes with the number: the rest is indentation.
 */
export function withoutLineNumbers(lines: readonly string[]): readonly string[] | null {
  let previous = 0;
  const bare: string[] = [];
  for (const [index, line] of lines.entries()) {
    const numbered = splitLineNumber(line);
    if (numbered === null) {
      if (line.trim() !== "") return null;
      bare.push(line);
      continue;
    }
    const mayBeCut = index === lines.length - 1 && numbered.code === "";
    if (numbered.number < previous && !mayBeCut) return null;
    previous = numbered.number;
    bare.push(numbered.code);
  }
  return previous === 0 ? null : bare;
}

interface NumberedLine {
  readonly number: number;
  readonly code: string;
}

/** A line such as `12     return x;` as its number and its code; `null` where it begins otherwise. */
function splitLineNumber(line: string): NumberedLine | null {
  const match = /^([1-9]\d{0,6})(?: (.*))?$/s.exec(line);
  return match === null ? null : { number: Number(match[1]), code: match[2] ?? "" };
}

function withoutBlankEnds(lines: readonly string[]): readonly string[] {
  const hasCode = (line: string) => line.trim() !== "";
  return lines.slice(Math.max(0, lines.findIndex(hasCode)), lines.findLastIndex(hasCode) + 1);
}
