import { looksLikeCode } from "./code-shapes.js";
import { codeSpans, type Span } from "./code-spans.js";

/** How long a comment is, and how much of it is code. */
interface CommentWords {
  /** Whitespace-separated words. */
  readonly words: number;
  /** Of these, code elements. */
  readonly codeElements: number;
}

/**
 * Counts the words of a comment and the code elements among them (paper, Appendix D: comment length, and the numerator
 * of the code element ratio). The paper does not say how it recognises a code element; here a word is one when
 * 1. part of it stands between backticks, or
 * 2. it is written as only code is: see `looksLikeCode`, or
 * 3. it names something of `code` in a spelling that prose has no use for: a digit inside (`utf8`), an `@` before it.
 */
export function countWords(comment: string, code: readonly string[]): CommentWords {
  const spans = codeSpans(comment);
  let words = 0;
  let codeElements = 0;
  let span = 0;
  let names: ReadonlySet<string> | undefined;
  const isNameInCode = (name: string) => {
    names ??= namesIn(code);
    return names.has(name);
  };
  for (const { 0: word, index } of comment.matchAll(/\S+/g)) {
    words++;
    while ((spans[span]?.end ?? Number.POSITIVE_INFINITY) <= index) span++;
    if (overlaps(spans[span], index, index + word.length) || isCodeElement(word, isNameInCode)) codeElements++;
  }
  return { words, codeElements };
}

function overlaps(span: Span | undefined, start: number, end: number): boolean {
  return span !== undefined && span.start < end && start < span.end;
}

function isCodeElement(word: string, isNameInCode: (name: string) => boolean): boolean {
  return looksLikeCode(word) || namedInCode(word).some(isNameInCode);
}

/** What of a word is worth looking up in the code: `@name`, or a name of at least 3 characters with a digit inside. */
function namedInCode(word: string): string[] {
  return [...word.matchAll(/@?[\p{L}_$][\p{L}\p{N}_$]*/gu)]
    .map(([name]) => name)
    .filter((name) => name.startsWith("@") || (name.length >= 3 && /\p{N}/u.test(name)));
}

/** Every name, with and without the `@` before it. */
function namesIn(code: readonly string[]): ReadonlySet<string> {
  const names = code.flatMap((line) => line.match(/@?[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? []);
  return new Set(names.flatMap((name) => (name.startsWith("@") ? [name, name.slice(1)] : [name])));
}
