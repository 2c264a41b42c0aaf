import { diffArrays } from "diff";
import type { TextRange } from "../../base/text.js";
import type { Token } from "../solution/introduced-tokens.js";
import type { NearMiss } from "./near-miss.js";
import type { Revision } from "./revision.js";

/** Tokens that took the place of others, were put in, or were left out. */
export interface Piece {
  readonly removed: readonly Token[];
  readonly added: readonly Token[];
  /** Place in the post-review code at which it begins, or of what follows it. */
  readonly at: number | null;
}

export function changedPieces(removed: readonly Token[], added: readonly Token[]): Piece[] {
  const parts = diffArrays(
    removed.map(({ text }) => text),
    added.map(({ text }) => text),
  );
  const pieces: Piece[] = [];
  let [i, j] = [0, 0];
  let out: readonly Token[] = [];
  // What is kept ends a piece; what is left out comes before what is put in.
  for (const { value, ...part } of [...parts, { value: [], added: false, removed: false }]) {
    const length = value.length;
    const put = part.added ? added.slice(j, j + length) : [];
    const isEnd = !part.removed && out.length + put.length > 0;
    if (isEnd) pieces.push({ removed: out, added: put, at: added[j]?.start ?? added[j - 1]?.end ?? null });
    if (isEnd) out = [];
    if (part.removed) out = removed.slice(i, i + length);
    if (!part.added) i += length;
    if (!part.removed) j += length;
  }
  return pieces;
}

/** Of a piece that was put in or left out alone: left out again, or put back, with the space behind it. */
export function undoneAlone({ removed, added, at }: Piece, { text, old }: Revision): NearMiss[] {
  if (removed.length > 0 && added.length > 0) return [];
  const [put, out] = [textOf(text, added), textOf(old, removed)];
  if (put !== null) {
    const end = put.end + (/\w/.test(text[put.start - 1] ?? "") ? 0 : spaceAt(text, put.end).length);
    const isLeft = /[\p{L}\p{N}]/u.test(lineWithout(text, put.start, end));
    return isWhole(put.text) && isLeft ? [undo(put.start, end, "", 0.2)] : [];
  }
  if (out === null || at === null || !isWhole(out.text) || lineAt(old, out) === out.text) return [];
  const cost = isBetweenSame(old, out, text, at) ? 0.2 : ELSEWHERE;
  return [undo(at, at, spacedAs(old, out, text.slice(0, at)), cost)];
}

/** Cost of a piece put back where it means little. */
const ELSEWHERE = 1.4;

/** Characters beside a place that tell what it is between. */
const BESIDE = 100;

/** Tells whether a place is between what a piece of the old code was between. */
function isBetweenSame(old: string, { start, end }: TextRange, text: string, place: number): boolean {
  const before = (own: string) => /[\w$]*\W?\s*$/.exec(own.slice(-BESIDE))?.[0].trim();
  const behind = (own: string) => /^\s*(?:\w+|\W?)/.exec(own.slice(0, BESIDE))?.[0].trim();
  return (
    before(old.slice(0, start)) === before(text.slice(0, place)) && behind(old.slice(end)) === behind(text.slice(place))
  );
}

/** A piece of code with the space before it where there is none yet, and that behind it. */
export function spacedAs(old: string, { start, end, text }: NonNullable<ReturnType<typeof textOf>>, before: string) {
  const space = /[^\S\n]*$/.exec(old.slice(0, start))?.[0] ?? "";
  return space === "" || /\s$/.test(before) ? text + spaceAt(old, end) : space + text;
}

/** The line of a range, without the space around it. */
function lineAt(text: string, { start, end }: TextRange): string {
  return (text.slice(text.lastIndexOf("\n", start - 1) + 1, end) + text.slice(end).split("\n", 1).join("")).trim();
}

/** The line of a range, without the range. */
function lineWithout(text: string, start: number, end: number): string {
  return text.slice(text.lastIndexOf("\n", start - 1) + 1, start) + text.slice(end).split("\n", 1).join("");
}

/** Cost of half a phrase: it often says nothing. */
const HALF = 1;

/** Of words of a comment or text that were put in or left out alone: the first, or the last of them, not. */
export function halves({ removed, added, at }: Piece, { text, old }: Revision): NearMiss[] {
  const own = removed.length === 0 ? added : added.length === 0 ? removed : [];
  const [first, second, before, last] = [own[0], own[1], own.at(-2), own.at(-1)];
  if (first === undefined || second === undefined || before === undefined || last === undefined) return [];
  if (!own.every(({ inProse, sort }) => inProse && sort === "word")) return [];
  if (own === added) return [undo(first.start, second.start, "", HALF), undo(before.end, last.end, "", HALF)];
  if (at === null) return [];
  const cut = ({ start, end }: Token) => spacedAs(old, { start, end, text: old.slice(start, end) }, text.slice(0, at));
  return [undo(at, at, cut(first), HALF), undo(at, at, cut(last), HALF)];
}

function undo(start: number, end: number, to: string, cost: number): NearMiss {
  return { kind: "put_back", edits: [{ start, end, to }], isAsked: true, cost };
}

/** Space from a place on, on its line. */
function spaceAt(text: string, place: number): string {
  return /^[^\S\n]*/.exec(text.slice(place))?.[0] ?? "";
}

/** Tells whether a piece is one that somebody thinks of: it has a word, brackets and quotes in pairs, and no break. */
export function isWhole(piece: string): boolean {
  if (piece.includes("\n") || !/[\p{L}\p{N}]/u.test(piece) || /^[,;.)\]}]|[,;([{]$/u.test(piece)) return false;
  if (/\w<(?![^>]*>)|^[^<]*\w>/.test(piece)) return false;
  const isPaired = ([open = "", close = ""]: string) => {
    let depth = 0;
    for (const sign of piece) {
      depth += Number(sign === open) - Number(sign === close);
      if (depth < 0) return false;
    }
    return depth === 0;
  };
  return ["()", "[]", "{}"].every(isPaired) && ['"', "`"].every((quote) => piece.split(quote).length % 2 === 1);
}

export function textOf(code: string, tokens: readonly Token[]) {
  const [first, last] = [tokens[0], tokens.at(-1)];
  if (first === undefined || last === undefined) return null;
  return { start: first.start, end: last.end, text: code.slice(first.start, last.end) };
}
