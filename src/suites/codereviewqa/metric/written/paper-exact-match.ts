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
    if (start + expected.length > found.length) return false;
    if (expected.every((word, i) => word === found[start + i])) return true;
  }
  return false;
}

/** Quirk 4. */
function holdsWithoutSpace(reference: string, generated: string): boolean {
  const expected = withoutSpace(reference);
  const lines = generated.split("\n").map(withoutSpace);
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
    .map((line) => (withoutSpace(line).startsWith("#") ? "" : line))
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

function withoutSpace(code: string): string {
  return code.replace(EVERY_SPACE, "");
}

function codePoints(text: string): number {
  return [...text].length;
}
