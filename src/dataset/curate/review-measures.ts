import { distance } from "fastest-levenshtein";
import { asUnits, withoutCommonEnds } from "../../base/text.js";
import type { ChangeType } from "../example.js";
import { diffHunk } from "../hunk-diff.js";
import type { Triple } from "../triple.js";

/** The numbers of one code review (paper, Appendix D). A ratio to a comment without words, or of no number, is `null`. */
export interface Measures {
  readonly changeType: ChangeType;
  /** Whitespace-separated words of the comment. */
  readonly commentLength: number;
  /** Characters to edit between pre-review and post-review code, lines joined with a line break: `editDistance`. */
  readonly codeEditDistance: number | null;
  /** Lines in the location of the change: deleted or replaced ones; for `add`, the places where lines are added. */
  readonly changeLocations: number;
  /** Code elements / comment length, 0–1; what a code element is: `countWords`. */
  readonly codeElementRatio: number | null;
  /** Code edit distance / comment length: characters a word. */
  readonly specificationRatio: number | null;
}

/** Measures a code review; `null` when its code did not change, so that there is no change to describe. */
export function measure({ preReviewLines, postReviewLines, review }: Triple): Measures | null {
  const diff = diffHunk(preReviewLines, postReviewLines);
  if (diff === null) return null;
  const { words, codeElements } = countWords(review, [...preReviewLines, ...postReviewLines]);
  const codeEditDistance = editDistance(preReviewLines.join("\n"), postReviewLines.join("\n"));
  return {
    changeType: diff.changeType,
    commentLength: words,
    codeEditDistance,
    changeLocations: diff.location.length,
    codeElementRatio: words === 0 ? null : codeElements / words,
    specificationRatio: words === 0 || codeEditDistance === null ? null : codeEditDistance / words,
  };
}

/** Length of a comment, and how much of it is code. */
interface CommentWords {
  /** Whitespace-separated words. */
  readonly words: number;
  /** Code elements among the words. */
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

/** Parts of a word that are worth looking up in the code: `@name`, or a name of at least 3 characters with a digit inside. */
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

/** Its time grows with the product of the lengths: about a second at this limit, 65,536 characters each. */
const MOST_WORK = 2 ** 32;

/**
 * Levenshtein distance between two texts: the fewest characters to insert, delete or replace. A character is a Unicode
 * code point. Range: 0 (equal) to the length of the longer text; `null` where what differs is too long to be measured.
 */
export function editDistance(before: string, after: string): number | null {
  const [left, right] = withoutCommonEnds([...before], [...after]);
  if (left.length * right.length > MOST_WORK) return null;
  const [from = "", to = ""] = asUnits([left, right]);
  return distance(from, to);
}

/**
 * Ways to write a word that stand in code and hardly ever in prose; tested on the word without quotes around it. Each
 * takes time linear in the word's length: comments are untrusted.
 */
const SHAPES: readonly RegExp[] = [
  // snake_case, ALL_CAPS, __dunder__
  /[\p{L}\p{N}]_+[\p{L}\p{N}]|^__[\p{L}\p{N}]+__$/u,
  // _private, but not _emphasis_
  /^_+[\p{L}\p{N}]+$/u,
  // camelCase, PascalCase, but not kHz
  /^(?=.{4}).*\p{Ll}\p{Lu}|\p{L}\p{N}+\p{Lu}\p{Ll}/u,
  // HTTPServer, but not ACKed
  /\p{Lu}{2}(?!(?:ed|es|ers?|ing)$)\p{Ll}{2}/u,
  // call(), call(argument, but not file(s)
  /[\p{L}\p{N}_$>]\((?!e?s\))/u,
  // object.member, file.ext, but not 2.x
  /(?:(?<![\p{L}\p{N}_])[\p{L}_][\p{L}\p{N}_]*|[)\]])\.[\p{L}_]/u,
  // pointer->member
  /[\p{L}\p{N}_)\]]->[\p{L}_]/u,
  // scope::name
  /::[\p{L}_~]/u,
  // comparison, but not a ruler of ====; logic
  /(?<!=)={2,3}(?!=)|!=|<=|>=|&&|\|\|/,
  // increment and compound assignment, but not C++
  /(?<![cC])\+\+|[-+*/|&^%]=/,
  // name=value
  /[\p{L}\p{N}_)\]]=[^=]/u,
  // array[0], but not a [link](address)
  /[\p{L}\p{N}_)\]]\[[^[\]]*\](?!\()/u,
  // empty brackets
  /^(?:\{\}|\[\]|\(\))$/,
  // Map<String>; <tag>, </tag>
  /\p{L}<[\p{L}?][^<>]*>|^<\/?\p{L}[\p{L}\p{N}-]*\/?>$/u,
  // $variable, with or without braces
  /^\$\{?[\p{L}_]/u,
  // --flag
  /^--\p{L}[\p{L}\p{N}-]*$/u,
  // #include and its like, but not #123
  /^#(?:include|define|undef|if|ifdef|ifndef|endif|pragma)$/,
  // 0xff
  /^0x[\da-f]+$/i,
  // /a/path, ./path, ../path, ~/path, but not /cc
  /^(?:(?:\.{1,2}|~)\/|\/[\p{L}\p{N}_.-]+\/)[\p{L}\p{N}_.]/u,
];

/** Prose that is spelled like code: product names, addresses, abbreviations. Taken out of a word before it is looked at. */
const PROSE: readonly RegExp[] = [
  /(?:https?|ftp):\/\/\S*/giu,
  // A person, unless more follows that no user name holds; that the code holds `@Name` is for countWords to see.
  /(?<![\p{L}\p{N}_])@[\p{L}\p{N}-]+(?![\p{L}\p{N}_(-]|[./]\p{L})/gu,
  /(?<![\p{L}\p{N}._-])[\p{L}\p{N}._-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/gu,
  /(?<![\p{L}\p{N}.-])[\p{L}\p{N}-]+\.(?:com|org)(?:\/\S*)?$/giu,
  /(?<![\p{L}\p{N}])(?:a\.k\.a|a\.m|e\.g|i\.e|n\.b|p\.m|p\.s|u\.s|w\.r\.t)(?![\p{L}\p{N}])/giu,
  new RegExp(
    "(?<![\\p{L}\\p{N}_.])(?:asp\\.net|bitbucket|coffeescript|devops|facebook|github|gitlab|graphql|iphone|ios|ipad|" +
      "intellij|javadoc|javascript|jquery|jsdoc|latex|linkedin|macos|mongodb|mysql|nodejs|node\\.js|nosql|numpy|openapi|" +
      "opengl|openmp|openssl|phpdoc|phpstorm|phpunit|postgresql|powershell|pycharm|pytorch|rubocop|rubymine|sqlite|" +
      "stackoverflow|tensorflow|typescript|vue\\.js|webassembly|websockets?|wifi|youtube)(?![\\p{L}\\p{N}_(])",
    "giu",
  ),
];

/**
 * Tells whether a whitespace-separated word is written as only code is: by its case, its brackets, its operators. Known
 * limits: a plain word that happens to name a variable (`size`) is not recognised, a brand such as "McDonald" is.
 */
export function looksLikeCode(word: string): boolean {
  const bare = PROSE.reduce((rest, prose) => rest.replace(prose, ""), withoutQuotes(word));
  return SHAPES.some((shape) => shape.test(bare));
}

/** Without the quotes, emphasis, brackets and sentence marks around it; a bracket that the word itself opens stays. */
function withoutQuotes(word: string): string {
  const rest = word.replace(/^["'“”‘’*([]+(?=[\p{L}\p{N}_$<{[(/.\-~#])/u, "");
  const closing = `"'“”‘’*.,;:!?…${rest.includes("(") ? "" : ")"}${rest.includes("[") ? "" : "]"}`;
  let end = rest.length;
  while (end > 0 && closing.includes(rest.charAt(end - 1))) end--;
  return rest.slice(0, end);
}

/** A stretch of a text: from `start` up to, and without, `end`. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * Stretches between backticks: a run of n backticks opens, the next run of exactly n closes (CommonMark's code spans;
 * a fenced block is one of three). A run that nothing closes opens nothing. The backticks themselves are outside.
 */
export function codeSpans(text: string): Span[] {
  const runs = [...text.matchAll(/`+/g)].map(({ 0: ticks, index }) => ({ index, length: ticks.length }));
  const nextOfLength = followers(runs.map(({ length }) => length));
  const spans: Span[] = [];
  for (let i = 0; i < runs.length; i++) {
    const opening = runs[i];
    const at = nextOfLength[i];
    const closing = at === undefined ? undefined : runs[at];
    if (opening === undefined || at === undefined || closing === undefined) continue;
    spans.push({ start: opening.index + opening.length, end: closing.index });
    i = at;
  }
  return spans;
}

/** For each item the place of the next equal one; `undefined` where there is none. */
function followers(items: readonly number[]): (number | undefined)[] {
  const next = new Map<number, number>();
  const places: (number | undefined)[] = [];
  for (let i = items.length - 1; i >= 0; i--) {
    const item = items[i] as number;
    places[i] = next.get(item);
    next.set(item, i);
  }
  return places;
}
