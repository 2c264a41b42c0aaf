import { asLogprob, isLogprob } from "../../base/symbol.js";
import type { TokenScores } from "../requests.js";

/** Report of a server on one token of a text. */
export interface ReportedEntry {
  /** `null` where it did not say, which only the first token may. */
  readonly text: string | null;
  readonly id: number | null;
  /** Nats; `null` where there is none, which is so of the first token only. */
  readonly logprob: number | null;
  /** `null` where it did not say. */
  readonly isGreedy: boolean | null;
}

/** Scores of a text, or the fault of what came in their place, in words that follow "it". */
export type SequenceReading =
  | { readonly status: "read"; readonly scores: TokenScores }
  | { readonly status: "fault"; readonly fault: string };

export function sequenceFault(fault: string): SequenceReading {
  return { status: "fault", fault };
}

/** Servers write this for "too improbable to say" (vLLM): it is not a log probability. */
const SENTINEL = -9990;
/** The longest first token that is looked for where a server does not name it, UTF-16 units. */
const LONGEST_FIRST = 128;

/**
 * The scores of a text from what a server reported of its tokens, BOS left out. The tokens must spell the text from its
 * first character to its last, and each but the first must have a log probability.
 */
export function sequenceScores(entries: readonly ReportedEntry[], text: string): SequenceReading {
  const found = ownEntries(entries, text);
  if (found === null) return sequenceFault(`reported ${entries.length} tokens that are not the text's`);
  const { own, ends } = found;
  const isFirstBare = own.length === entries.length;
  for (const [i, { logprob }] of own.entries()) {
    if (logprob === null && i === 0 && isFirstBare) continue;
    if (logprob === null) return sequenceFault(`left out the log probability of token ${i + 1} of ${own.length}`);
    if (!isLogprob(logprob) || logprob <= SENTINEL)
      return sequenceFault(`reported ${logprob}, which is no log probability, for token ${i + 1} of ${own.length}`);
  }
  const ids = own.map(({ id }) => id).filter((id) => id !== null);
  const logprobs = own.map(({ logprob }) => (logprob === null ? null : asLogprob(logprob)));
  const isGreedy = own.map((entry) => (entry.logprob === null ? null : entry.isGreedy));
  return { status: "read", scores: { tokens: ids.length === own.length ? ids : null, ends, logprobs, isGreedy } };
}

interface OwnEntries {
  readonly own: readonly ReportedEntry[];
  readonly ends: readonly number[];
}

/** The entries that are the text's own tokens, and their ends. The first entry may be BOS, which has no number. */
function ownEntries(entries: readonly ReportedEntry[], text: string): OwnEntries | null {
  const [first, ...rest] = entries;
  if (first === undefined) return null;
  const later = rest.map((entry) => entry.text);
  if (!later.every((token) => token !== null)) return null;
  if (first.text === null) return withUnnamedFirst(entries, later, text);
  const all = spelledEnds([first.text, ...later], text);
  const isBosWithoutText = first.text === "" && first.logprob === null;
  if (all !== null && !isBosWithoutText) return { own: entries, ends: all };
  const ends = first.logprob === null ? spelledEnds(later, text) : null;
  return ends === null ? null : { own: rest, ends };
}

/** Without its text, the first entry is BOS if the others spell the text, or else what they leave at its beginning. */
function withUnnamedFirst(
  entries: readonly ReportedEntry[],
  later: readonly string[],
  text: string,
): OwnEntries | null {
  const asBos = (ends: readonly number[] | null) => (ends === null ? null : { own: entries.slice(1), ends });
  const behind = (length: number, endsOf: typeof spelledEnds): OwnEntries | null => {
    const ends = endsOf(later, text.slice(length));
    return ends === null ? null : { own: entries, ends: [length, ...ends.map((end) => end + length)] };
  };
  const exactLength = text.length - later.reduce((sum, token) => sum + token.length, 0);
  // A first token that is longer than any token means that the beginning was cut off.
  if (exactLength < 0 || exactLength > LONGEST_FIRST) return asBos(spelledEnds(later, text));
  const exact = exactLength === 0 ? asBos(exactEnds(later, text)) : behind(exactLength, exactEnds);
  if (exact !== null) return exact;
  const lenient = asBos(spelledEnds(later, text));
  if (lenient !== null) return lenient;
  for (let length = 1; length <= Math.min(LONGEST_FIRST, text.length); length++) {
    const found = behind(length, spelledEnds);
    if (found !== null) return found;
  }
  return null;
}

/**
 * Ends of tokens in the text that they spell, as by `tokenEnds`; `null` when they spell another one.
 *
 * Servers decode tokens one by one, which loses something: the space that SentencePiece puts before a word, and
 * characters that take several tokens, each of which shows as U+FFFD. A lost space belongs to the token after it, and
 * neighbouring characters in parts count as one.
 */
export function spelledEnds(tokens: readonly string[], text: string): readonly number[] | null {
  return exactEnds(tokens, text) ?? lenientEnds(tokens, text.toWellFormed());
}

/** Ends of tokens as by `spelledEnds`, for tokens that lost nothing. */
export function exactEnds(tokens: readonly string[], text: string): readonly number[] | null {
  const bytes = tokens.map(bytesOf);
  const found = tokenEnds(text, tokens.length, (start, end) => Buffer.concat(bytes.slice(start, end)).toString("utf8"));
  return found.status === "aligned" ? found.ends : null;
}

/** OpenAI writes a part of a character as `bytes:\xf0\x9f`. */
const BYTES = /^bytes:(?:\\x[0-9a-f]{2})+$/i;

function bytesOf(token: string): Buffer {
  return BYTES.test(token) ? Buffer.from(token.replace(/bytes:|\\x/g, ""), "hex") : Buffer.from(token);
}

function lenientEnds(tokens: readonly string[], text: string): number[] | null {
  if (tokens.length === 0) return null;
  const ends: number[] = [];
  let end = 0;
  // The first token of those whose character has not ended yet.
  let open: number | null = null;
  for (const [i, token] of tokens.entries()) {
    const isPart = token.startsWith("\ufffd");
    const literal = token.replace(/^\ufffd+|\ufffd+$/g, "");
    if (isPart && literal === "") {
      open ??= i;
      ends.push(end);
      continue;
    }
    const place = placeOf(literal, text, { from: end, hasGap: open !== null || isPart });
    if (place === null) return null;
    ends.fill(place.start, open ?? i);
    end = place.end;
    ends.push(end);
    open = token.endsWith("\ufffd") ? i : null;
  }
  if (!isRest(text.slice(end), open !== null)) return null;
  return ends.fill(text.length, open ?? ends.length - 1);
}

/** `true` for a rest that may come after the last token: none, a lost space, or the character that it is a part of. */
function isRest(rest: string, isOpen: boolean): boolean {
  return isOpen ? rest !== "" && [...rest].every(isNonAscii) : rest === "" || rest === " ";
}

/** Place of a token's text: at `from`, behind one lost space, or behind the gap that parts of characters leave. */
function placeOf(
  literal: string,
  text: string,
  { from, hasGap }: { readonly from: number; readonly hasGap: boolean },
): { readonly start: number; readonly end: number } | null {
  const at = (start: number, spelling = literal) =>
    text.startsWith(spelling, start) ? { start, end: start + spelling.length } : null;
  let start = from;
  if (hasGap) {
    if (!isNonAscii(text[from])) return null;
    for (start++; at(start) === null && isNonAscii(text[start]); start++);
  }
  const lostSpace = text[start] === " " ? at(start + 1) : null;
  // A token that is nothing but a lost space.
  if (literal === "" && lostSpace !== null) return lostSpace;
  // SentencePiece also puts a space before the whole text.
  const addedSpace = from === 0 && literal.startsWith(" ") ? at(0, literal.slice(1)) : null;
  return at(start) ?? lostSpace ?? addedSpace;
}

function isNonAscii(character: string | undefined): boolean {
  return character !== undefined && character > "\x7f";
}

/** The text of tokens `start` to `end` (the last excluded); a character cut by either border decodes as U+FFFD. */
type TextOfTokens = (start: number, end: number) => string;

type TokenEnds =
  | { readonly status: "aligned"; readonly ends: readonly number[] }
  /** The tokens spell another text; `at`: where, in UTF-16 units, the first of them that does begins. */
  | { readonly status: "differs"; readonly at: number };

const REPLACEMENT = "\uFFFD";
/** A character of UTF-8 that lacks a byte shows as at most three of these. */
const CUT_CHARACTER = /\uFFFD{1,3}$/;

/**
 * Where each of `count` tokens ends in the text that they spell, in UTF-16 units: ascending, the last is the text's
 * length. Tokens that share a character all end where it ends: its first token has its place, the others have none, and
 * all lie within (start, end] of it. A lone surrogate in the text counts as U+FFFD, which is what a tokenizer reads.
 */
export function tokenEnds(text: string, count: number, textOf: TextOfTokens): TokenEnds {
  const expected = text.toWellFormed();
  const ends: number[] = [];
  let at = 0;
  while (ends.length < count) {
    const group = nextGroup(expected, at, { first: ends.length, count, textOf });
    if (group === null) return { status: "differs", at };
    at += group.text.length;
    for (let i = 0; i < group.size; i++) ends.push(at);
  }
  return at === expected.length ? { status: "aligned", ends } : { status: "differs", at };
}

interface Tokens {
  readonly first: number;
  readonly count: number;
  readonly textOf: TextOfTokens;
}

/** The fewest tokens from `first` on that spell whole characters of the text at `at`; `null` when there are none. */
function nextGroup(text: string, at: number, tokens: Tokens): { readonly size: number; readonly text: string } | null {
  const { first, count, textOf } = tokens;
  for (let end = first + 1; end <= count; end++) {
    const spelled = textOf(first, end);
    if (text.startsWith(spelled, at)) {
      if (isWhole(spelled, end, tokens)) return { size: end - first, text: spelled };
    } else if (!CUT_CHARACTER.test(spelled) || !text.startsWith(spelled.replace(CUT_CHARACTER, ""), at)) {
      return null;
    }
  }
  return null;
}

/** `true` where a final U+FFFD is that character of the text, and not the first bytes of one: those join the next token. */
function isWhole(spelled: string, end: number, { first, count, textOf }: Tokens): boolean {
  if (!spelled.endsWith(REPLACEMENT) || end === count) return true;
  return textOf(first, end + 1) === spelled + textOf(end, end + 1);
}
