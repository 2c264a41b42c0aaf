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
  return lines.some((_, start) => {
    const run = lines.slice(start, start + reference.length);
    return hasLines(run, reference) || hasLines(withoutLineNumbers(run) ?? [], reference);
  });
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

/** Results of the released scoring functions for one generation. */
export interface PaperExactMatch {
  readonly paperEm: boolean;
  readonly paperEmTrim: boolean;
  readonly paperEmNoSpace: boolean;
  readonly paperEmNoComment: boolean;
}

/**
 * Exact match exactly as the released scripts of the paper compute it, so that our numbers can stand beside its
 * Table 7. Quirks, all kept:
 *
 * 1. **Two characters are dropped from every generated line**, a line number or not. A model that does not echo the
 *    numbers loses code; from line 100 on, a digit stays behind. (From 10 to 99 a space stays, which no metric sees.)
 * 2. **`paperEm` compares words**, split at whitespace: indentation and line breaks are invisible, in Python too.
 * 3. **`paperEmTrim` looks for the reference's words among those of the generation, but starts only at the positions
 *    that the lengths of the generated lines in characters add up to**, used as word counts. So it always tries word 0,
 *    and after that hits or misses by chance: text after the code is forgiven, text before it hardly ever is.
 * 4. **`paperEmNoSpace` is not equality**: the reference, without whitespace, has to begin where some generated line
 *    begins, and may end anywhere, inside a word too (`int b` is found in `int bc`).
 * 5. **`paperEmNoComment` removes C's block comments, `//` to the end of the line, and lines that begin with `#`, in every language
 *    and inside strings**: URLs, `#include`, Python's `//`. A `#` comment after code stays. Then it is `paperEmNoSpace`.
 * 6. **An empty reference is found in every generation** by all but `paperEm`; and by `paperEmNoComment` so is one
 *    that quirk 5 leaves nothing of, such as a hunk of `#include` lines.
 *
 * Whitespace is Python's: Unicode White_Space and U+001C–U+001F, not U+FEFF. Lengths are in code points.
 * @param generation the raw text up to the stop
 */
export function paperExactMatch(postReviewLines: readonly string[], generation: string): PaperExactMatch {
  const reference = postReviewLines.join("\n");
  const generated = generation.split("\n").map(withoutTwoCharacters).join("\n");
  return {
    paperEm: isEqual(words(reference), words(generated)),
    paperEmTrim: holdsWords(reference, generated),
    paperEmNoSpace: holdsWithoutSpace(reference, generated),
    paperEmNoComment: holdsWithoutSpace(withoutCommentMarks(reference), withoutCommentMarks(generated)),
  };
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: Python counts four control characters as whitespace.
const SPACE = /[\p{White_Space}\u001c-\u001f]+/u;
const EVERY_SPACE = new RegExp(SPACE.source, "gu");

function withoutTwoCharacters(line: string): string {
  return line.replace(/^.{0,2}/su, "");
}

function words(code: string): string[] {
  return code.split(SPACE).filter((word) => word !== "");
}

function isEqual(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((word, i) => word === b[i]);
}

/** Quirk 3. */
function holdsWords(reference: string, generated: string): boolean {
  const expected = words(reference);
  const found = words(generated);
  let start = 0;
  for (const line of ["", ...generated.split("\n")]) {
    start += codePoints(line);
    if (expected.every((word, i) => word === found[start + i])) return true;
  }
  return false;
}

/** Quirk 4. */
function holdsWithoutSpace(reference: string, generated: string): boolean {
  const expected = withoutPaperSpace(reference);
  const lines = generated.split("\n").map(withoutPaperSpace);
  const found = lines.join("");
  let start = 0;
  for (const line of ["", ...lines]) {
    start += line.length;
    if (found.startsWith(expected, start)) return true;
  }
  return false;
}

/** Quirk 5: `//` and block comments in one pass from left to right, then the lines that begin with `#`. */
function withoutCommentMarks(code: string): string {
  return withoutSlashComments(code)
    .split("\n")
    .map((line) => (withoutPaperSpace(line).startsWith("#") ? "" : line))
    .join("\n");
}

/** A block comment that is never closed stays. */
function withoutSlashComments(code: string): string {
  const opening = /\/[/*]/g;
  const lastClosing = code.lastIndexOf("*/");
  let kept = "";
  let from = 0;
  for (let match = opening.exec(code); match !== null; match = opening.exec(code)) {
    const { index } = match;
    const isBlock = code[index + 1] === "*";
    if (isBlock && lastClosing < index + 2) continue;
    kept += code.slice(from, index);
    from = isBlock ? code.indexOf("*/", index + 2) + 2 : endOfLine(code, index);
    opening.lastIndex = from;
  }
  return kept + code.slice(from);
}

function endOfLine(code: string, from: number): number {
  const end = code.indexOf("\n", from);
  return end === -1 ? code.length : end;
}

function withoutPaperSpace(code: string): string {
  return code.replace(EVERY_SPACE, "");
}

function codePoints(text: string): number {
  return [...text].length;
}
