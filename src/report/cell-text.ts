import { visibleLine } from "../base/text.js";
import type { Cell, Inline, NumberCell, Tone } from "./block.js";
import { STATE_WORDS } from "./judgement-words.js";
import { DASH, quantityText } from "./number-text.js";

/** Writing of one output: text, and what stands out in it. */
export interface Writer {
  /** Text that the output shows as it is, on one line. */
  readonly text: (text: string) => string;
  readonly strong: (text: string) => string;
  readonly code: (text: string) => string;
  /** Text in a colour; absent, where the output has no colours for words: as `text`. */
  readonly toned?: (text: string, tone: Tone) => string;
}

/** A sentence of a terminal without colours: nothing stands out. */
export const PLAIN: Writer = { text: visibleLine, strong: visibleLine, code: visibleLine };

/** A sentence in one output's writing. */
export function inlineText(parts: readonly Inline[], writer: Writer = PLAIN): string {
  return parts.map((part) => partText(part, writer)).join("");
}

function partText(part: Inline, writer: Writer): string {
  if (typeof part === "string") return writer.text(part);
  if (!("kind" in part)) return writer.text(quantityText(part));
  if (part.kind === "toned") return (writer.toned ?? writer.text)(part.text, part.tone);
  return part.kind === "strong" ? writer.strong(part.text) : writer.code(part.text);
}

/** The lines of a cell in one output's writing. */
export function cellLines(cell: Cell, writer: Writer = PLAIN): string[] {
  switch (cell.kind) {
    case "missing":
      return [cell.isEmpty === true ? "" : DASH];
    case "pair":
      return [`${writer.text(quantityText(cell.first))} / ${writer.text(quantityText(cell.second))}`];
    case "text":
      return [cell.text].flat().map(cell.tone === "bad" ? writer.strong : writer.text);
    case "number":
      return [numberCellText(cell, writer)];
  }
}

/** A cell of a table that has no room for more than its numbers. */
export function compactCell(cell: Cell): Cell {
  if (cell.kind !== "number") return cell;
  const { interval: _interval, note: _note, ...rest } = cell;
  return rest;
}

function numberCellText({ badge, name, note, isBest, judgement, ...quantity }: NumberCell, writer: Writer): string {
  const sign = judgement === undefined ? "" : ` ${STATE_WORDS[judgement].sign}`;
  const text = `${quantityText(quantity)}${sign}`;
  const written = isBest === true ? writer.strong(text) : writer.text(text);
  const before = name === undefined ? "" : `${writer.text(name)} `;
  const word = badge === undefined ? "" : `${(badge.tone === "bad" ? writer.strong : writer.text)(badge.text)} `;
  return `${word}${before}${written}${note === undefined ? "" : ` ${inlineText(note, writer)}`}`;
}

/** Kind of a line of a patch: what a file gains or loses, and which file and where. */
export function patchLine(line: string): "added" | "removed" | "place" | "plain" {
  if (/^(?:diff |index |@@|--- |\+\+\+ |(?:new|deleted) file )/.test(line)) return "place";
  return line.startsWith("+") ? "added" : line.startsWith("-") ? "removed" : "plain";
}
