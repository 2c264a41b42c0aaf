import { tokenEnds } from "../token-ends.js";

/**
 * Where each token ends in the text that the tokens spell, as `tokenEnds` has it; `null` when they spell another one.
 *
 * Servers decode tokens one by one, which loses something: the space that SentencePiece puts before a word, and
 * characters that take several tokens, each of which shows as U+FFFD. A lost space belongs to the token after it, and
 * neighbouring characters in parts count as one.
 */
export function spelledEnds(tokens: readonly string[], text: string): readonly number[] | null {
  return exactEnds(tokens, text) ?? lenientEnds(tokens, text.toWellFormed());
}

/** As `spelledEnds`, for tokens that lost nothing. */
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

/** Whether this may come after the last token: nothing, a lost space, or the character that it is a part of. */
function isRest(rest: string, isOpen: boolean): boolean {
  return isOpen ? rest !== "" && [...rest].every(isNonAscii) : rest === "" || rest === " ";
}

/** Where a token's text lies: at `from`, behind one lost space, or behind the gap that parts of characters leave. */
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
