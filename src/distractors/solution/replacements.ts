import { hash32 } from "../../base/random.js";
import { partsOf } from "../../question/floors/solution-rules.js";
import { KEYWORDS } from "../../syntax/own-names.js";
import { isContentWord, nearNumbers } from "../near-miss/content-words.js";
import { inCaseOf, partsOfName } from "../near-miss/opposites.js";
import { CALLED, relatedOperators, type Token } from "./introduced-tokens.js";

/** Sources of a replacement. */
const REPLACEMENT_SOURCES = ["surrogate", "hunk", "review", "language"] as const;
export type ReplacementSource = (typeof REPLACEMENT_SOURCES)[number];

export interface Replacement {
  readonly text: string;
  readonly source: ReplacementSource;
  /** Tells whether it stands in the prompt as the token does, or stands there no more than it. */
  readonly isMatched: boolean;
}

/** Sources of replacements. */
export interface Surroundings {
  /** Tokens of both versions of the hunk. */
  readonly tokens: readonly Token[];
  readonly review: string;
  /** Words of the pre-review code and the review. */
  readonly prompt: ReadonlySet<string>;
  /** Number of times that each word stands in the right solution as the question shows it. */
  readonly shown: ReadonlyMap<string, number>;
  /** Decides among replacements that are as good as each other. */
  readonly seed: number;
}

/**
 * Texts of the same sort and of like length that could stand in place of a token, the likeliest first: in the role that they
 * have elsewhere, and in the prompt if the token itself is, so that standing there gives nothing away. Not yet parsed.
 */
export function replacementsFor(token: Token, surroundings: Surroundings): Replacement[] {
  const found = new Map<string, Ranked>();
  for (const each of proposals(token, surroundings)) {
    const known = found.get(each.text);
    if (isAlike(token, each.text) && (known === undefined || each.rank < known.rank)) found.set(each.text, each);
  }
  const { prompt, seed, shown, review } = surroundings;
  const isShown = isShownElsewhere(shown, token.text);
  const asked = new Set(partsOf(review));
  const askedIn = (text: string) => partsOf(text).filter((part) => asked.has(part)).length;
  const wanted = askedIn(token.text);
  return [...found.values()]
    .map(({ rank, ...each }) => {
      const isMatched = isMatchedIn(prompt, token.text, each.text);
      const notShown = isShown && !shown.has(each.text) ? NOT_SHOWN : 0;
      const astray = (isMatched ? 0 : MISMATCH) + notShown + (askedIn(each.text) < wanted ? NOT_ASKED : 0);
      return { each: { ...each, isMatched }, key: rank + astray, draw: hash32(each.text, seed) };
    })
    .sort((a, b) => a.key - b.key || a.draw - b.draw)
    .map(({ each }) => each);
}

/** Cost in ranks of standing in the prompt where the token does not, or the other way round. */
const MISMATCH = 2;

/**
 * Cost in ranks of not standing elsewhere in the question where the token does. The token adds no word to its option
 * then, so that the option would be the one most like the others.
 */
const NOT_SHOWN = 1.5;
/** Cost in ranks of having fewer of the review's words. */
const NOT_ASKED = 1;

/** Tells whether the right solution shows a word at another place than the one that is masked, where the token itself stands once. */
export function isShownElsewhere(shown: ReadonlyMap<string, number>, token: string): boolean {
  return (shown.get(token) ?? 0) > 1;
}

/** Tells whether two texts both stand in the prompt, or neither does. */
export function isMatchedIn(prompt: ReadonlySet<string>, text: string, other: string): boolean {
  return prompt.has(text) === prompt.has(other);
}

/** Tells whether a text differs from the token in more than letter case, and is of like length. */
export function isAlike({ text, sort }: Pick<Token, "text" | "sort">, other: string): boolean {
  if (other.toLowerCase() === text.toLowerCase()) return false;
  return sort === "operator" || Math.abs(other.length - text.length) <= Math.max(2, Math.ceil(text.length / 2));
}

/** 0: the likeliest. */
interface Ranked extends Omit<Replacement, "isMatched"> {
  readonly rank: number;
}

function proposals(token: Token, surroundings: Surroundings): Ranked[] {
  switch (token.sort) {
    case "operator":
      return relatedOperators(token.text).map((text) => ({ text, source: "language", rank: 0 }));
    case "number":
      return numbers(token, surroundings);
    case "name":
      return [...names(token, surroundings), ...recombined(token, surroundings)];
    case "word":
      return [...words(token, surroundings), ...recombined(token, surroundings)];
    case "other":
      return [];
  }
}

function numbers({ text: own }: Token, { tokens, review }: Surroundings): Ranked[] {
  const inHunk = tokens.filter(({ sort }) => sort === "number").map(({ text }) => text);
  const inReview = review.match(/(?<![\p{L}\p{N}_.])\p{N}+(?![\p{L}\p{N}_])/gu) ?? [];
  return [...ranked(inHunk, "hunk", 0), ...ranked(inReview, "review", 0), ...ranked(nearNumbers(own), "language", 1)];
}

function names(token: Token, { tokens, review }: Surroundings): Ranked[] {
  const inHunk = tokens
    .filter(({ sort, text }) => sort === "name" && (!KEYWORDS.has(text) || KEYWORDS.has(token.text)))
    .map((other): Ranked => {
      return { text: other.text, source: "hunk", rank: rankOfName(other, token) };
    });
  const inReview = namesInProse(review).map((text): Ranked => {
    return { text, source: "review", rank: isCapital(text) === isCapital(token.text) ? 1 : 3 };
  });
  return [...inHunk, ...inReview];
}

/** A name that is called there and not here, or the other way round, comes behind names made up of words: it is seen to be wrong. */
function rankOfName(other: Token, token: Token): number {
  if (!hasKindOf(other, token)) return 3;
  if (other.role === token.role) return 0;
  return other.role.includes(CALLED) === token.role.includes(CALLED) ? 1 : 2;
}

function hasKindOf(other: Token, token: Token): boolean {
  return other.leaf.kind === token.leaf.kind && isCapital(other.text) === isCapital(token.text);
}

function isCapital(text: string): boolean {
  return /^\p{Lu}/u.test(text);
}

/**
 * Names that nothing in the prompt has, as a name that the revision brings along has none: one word of the token's name in
 * another's place. All differ from it, and from each other, in that one word, so that none of them is the centre.
 */
function recombined(token: Token, { tokens, review, seed }: Surroundings): Ranked[] {
  const parts = partsOfName(token.text).filter(({ text }) => text.length >= 3);
  if (parts.length < 2) return [];
  const part = parts[hash32(token.text, seed) % parts.length];
  if (part === undefined) return [];
  const inHunk = tokens
    .filter(({ sort }) => sort === "name" || sort === "word")
    .flatMap(({ text, sort }) => {
      const all = partsOfName(text).map((each) => each.text);
      return sort === "name" || all.length > 1 ? all : [];
    });
  const inReview = namesInProse(review).flatMap((name) => partsOfName(name).map((each) => each.text));
  const own = new Set(parts.map(({ text }) => text.toLowerCase()));
  const swap = (word: string) => {
    const before = token.text.slice(0, part.start);
    return before + inCaseOf(part.text, word) + token.text.slice(part.start + part.text.length);
  };
  const isFit = (word: string) => word.length >= 3 && !own.has(word.toLowerCase()) && !KEYWORDS.has(word.toLowerCase());
  return [
    ...ranked(inHunk.filter(isFit).map(swap), "hunk", 1),
    ...ranked(inReview.filter(isFit).map(swap), "review", 1),
  ];
}

function words(token: Token, { tokens, review }: Surroundings): Ranked[] {
  const prose = tokens.filter(({ sort, text }) => sort === "word" && isContentWord(text)).map(({ text }) => text);
  const inReview = (review.match(/\p{L}+/gu) ?? []).filter(isContentWord);
  const inNames = tokens
    .filter(({ sort }) => sort === "name")
    .flatMap(({ text }) => partsOfName(text).map((each) => each.text))
    .filter(isContentWord);
  const likeIt = (texts: readonly string[]) =>
    texts.map((text) => (/[\p{Lu}_]/u.test(text.slice(1)) ? text : inCaseOf(token.text, text)));
  return [
    ...ranked(likeIt(prose), "hunk", 0),
    ...ranked(likeIt(inReview), "review", 0),
    ...ranked(likeIt(inNames), "hunk", 1),
  ];
}

function ranked(texts: readonly string[], source: ReplacementSource, rank: number): Ranked[] {
  return texts.map((text) => ({ text, source, rank }));
}

/** Words of a text that look like code: in back quotes, with an underscore or a dot, in mixed case, or called. */
export function namesInProse(text: string): string[] {
  const quoted = Array.from(text.matchAll(/`([^`\n]*)`/gu), ([, inner = ""]) => inner);
  const inQuotes = quoted.flatMap((inner) => inner.match(/[\p{L}_][\p{L}\p{N}_]*/gu) ?? []);
  const others =
    text.match(/[\p{L}_][\p{L}\p{N}_]*(?=\()|\p{L}[\p{L}\p{N}]*_[\p{L}\p{N}_]*|\p{L}+\p{Ll}\p{Lu}[\p{L}\p{N}_]*/gu) ??
    [];
  return [...new Set([...inQuotes, ...others])];
}
