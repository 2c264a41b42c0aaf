/** A half-open range of UTF-16 units: `text.slice(start, end)`. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/**
 * The one normalisation every text gets before a prompt shows it: Windows line ends become `\n`, and a lone surrogate
 * (which no tokenizer can read) becomes U+FFFD.
 */
export function normaliseText(text: string): string {
  return text.replaceAll("\r\n", "\n").toWellFormed();
}

/**
 * Text that does nothing but stand there: control characters and direction overrides are shown as escapes, not obeyed.
 * Tabs and line ends stay, also those of Windows, which CSV has. The doors through which text leaves the program call it; nobody else needs to.
 */
export function visible(text: string): string {
  return text.replace(UNSAFE_IN_LINES, escaped);
}

/** The same on one line: line ends and tabs are shown as escapes too. */
export function visibleLine(text: string): string {
  return text.replace(UNSAFE, escaped);
}

/** The value of a JSON text; `null` where it is none, for a schema to find. */
export function jsonValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/**
 * A piece of something that may be of any length, on one line of a message: cut to at most `length` characters, when it
 * says how long it was; line ends and tabs are shown as escapes, so that what is quoted cannot pass for a line of ours.
 */
export function shorten(text: string, length: number): string {
  const cut = text.length > length ? `${text.slice(0, length)}… (${text.length} characters)` : text;
  return cut.replace(/[\n\r\t]/g, escaped);
}

/** The same for a text of several lines, which it stays; each is cut by itself. */
export function shortenLines(text: string, length: number): string {
  return text
    .split("\n")
    .map((line) => shorten(line, length))
    .join("\n");
}

// C0 and C1 controls, direction marks, embeddings, overrides and isolates.
const UNSAFE = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

const UNSAFE_IN_LINES = new RegExp(`(?!\\r\\n|[\\n\\t])${UNSAFE.source}`, "gu");

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** A count with its noun: `1 example`, `2 examples`. */
export function counted(count: number, plural: string): string {
  return `${count} ${nounOf(count, plural)}`;
}

/** The noun that a count has. */
export function nounOf(count: number, plural: string): string {
  return count === 1 ? plural.replace(/s$/, "") : plural;
}

/**
 * The same text, for what is kept: a piece that was cut out of a longer text would keep all of that in memory, such as an
 * example's id the whole line of a journal.
 */
export function ownText(text: string): string {
  const copy: unknown = JSON.parse(JSON.stringify(text));
  return typeof copy === "string" ? copy : text;
}

/** Names of environment variables, as a shell has them. */
export const VARIABLE_NAME = /^[A-Za-z_]\w{0,127}$/;

/** Text as one word of a shell command, quoted where it has to be. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/**
 * Sequences of pieces as texts of one UTF-16 unit a piece, equal units for equal pieces: an edit distance then counts
 * pieces, and an emoji, which has two units, once. At most 65,536 different pieces.
 */
export function asUnits(sequences: readonly (readonly string[])[]): string[] {
  const units = new Map<string, string>();
  return sequences.map((pieces) => {
    for (const piece of pieces) if (!units.has(piece)) units.set(piece, String.fromCharCode(units.size));
    return pieces.map((piece) => units.get(piece)).join("");
  });
}

/** A text, by UTF-16 units, or its pieces. */
interface Sequence<Self> {
  readonly length: number;
  readonly [index: number]: string;
  slice(start: number, end: number): Self;
}

/** A common beginning or end costs no edit: without it the distance of two long texts that differ little is quickly found. */
export function withoutCommonEnds<S extends Sequence<S>>(left: S, right: S): [S, S] {
  const shorter = Math.min(left.length, right.length);
  let start = 0;
  while (start < shorter && left[start] === right[start]) start++;
  let end = 0;
  while (end < shorter - start && left[left.length - 1 - end] === right[right.length - 1 - end]) end++;
  return [left.slice(start, left.length - end), right.slice(start, right.length - end)];
}

/**
 * Text that a terminal may obey: it may hold codes for colour and for moving about. Made by the terminal renderer
 * alone, of which nothing else is obeyed: what it puts into it is made visible first.
 */
export class TerminalText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /** The text, codes and all. */
  toString(): string {
    return this.text;
  }
}

/**
 * Bytes that tell their text: as much of Node's `Buffer` as is used of them. Published declarations have it in place of
 * `Buffer`, which is not known to a project without the types of Node.
 */
export interface Bytes extends Uint8Array {
  toString(encoding?: "utf8" | "latin1", start?: number, end?: number): string;
  subarray(start?: number, end?: number): Bytes;
  includes(value: string | number, from?: number): boolean;
  /** Tells if the bytes are the same. */
  equals(other: Uint8Array): boolean;
}

/** Lines of a text: line ends, and one more where the last line has none. */
export function lineCount(text: string): number {
  return text.split("\n").length - (text === "" || text.endsWith("\n") ? 1 : 0);
}

/** A number to four digits; whole where these would not tell that it is below a limit. */
export function limitedText(value: number, limit: number): string {
  const text = value.toFixed(4);
  return value < limit && Number(text) >= limit ? String(value) : text;
}
