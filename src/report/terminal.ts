import { visible, visibleLine } from "../base/text.js";
import type { Block, Cell, HeadingBlock, Tone } from "./block.js";
import { cellLines, inlineText, type Writer } from "./cell-text.js";
import { STATE_WORDS } from "./state-words.js";
import { tableText } from "./terminal-table.js";
import { TerminalText } from "./terminal-text.js";
import { wrappedLine } from "./wrapped-line.js";

/** What a terminal can show. */
export interface TerminalOptions {
  /** Characters a line; `null`: as wide as it gets, as where the output goes into a file. */
  readonly width: number | null;
  readonly hasColours: boolean;
}

export const PLAIN_TERMINAL: TerminalOptions = { width: null, hasColours: false };

/** Blocks for a terminal; without colours there is no control character in it. */
export function renderTerminal(blocks: readonly Block[], options: TerminalOptions): TerminalText {
  const lines = blocks.flatMap((block, i) => [
    ...(i > 0 && block.kind === "heading" ? [""] : []),
    ...blockLines(block, options),
  ]);
  return new TerminalText(lines.length === 0 ? "" : `${lines.join("\n")}\n`);
}

/** Likewise as plain text, however wide. */
export function plainText(blocks: readonly Block[]): string {
  return renderTerminal(blocks, PLAIN_TERMINAL).text;
}

function blockLines(block: Block, options: TerminalOptions): string[] {
  const writer = writerOf(options);
  switch (block.kind) {
    case "heading":
      return wrappedLine(headingLine(block, writer, options), options.width);
    case "text":
      return wrappedLine(toned(inlineText(block.parts, writer), block.tone, options), options.width);
    case "table":
      return tableText(block, {
        width: options.width,
        cell: (cell) => toned(cellLines(cell, writer).join("\n"), toneOf(cell), options),
      });
    case "list":
      return block.items.flatMap((item) => wrappedLine(`  ${inlineText(item, writer)}`, options.width, "    "));
    case "facts":
      return block.facts.flatMap(({ name, parts }) =>
        wrappedLine(`${visibleLine(name)}: ${inlineText(parts, writer)}`, options.width, "  "),
      );
    case "code":
      return visible(block.text).split("\n");
    case "details":
      return [visibleLine(block.summary), ...block.blocks.flatMap((each) => blockLines(each, options))];
    case "group":
      return block.blocks.flatMap((each) => blockLines(each, options));
    case "legend":
    case "chart":
      return [];
  }
}

function headingLine({ text, badge }: HeadingBlock, writer: Writer, options: TerminalOptions): string {
  const title = writer.strong(text);
  return badge === undefined ? title : `${title}: ${toned(visibleLine(badge.text), badge.tone, options)}`;
}

const CODES: Readonly<Record<Tone, string>> = {
  plain: "",
  good: "\u001b[32m",
  warning: "\u001b[33m",
  bad: "\u001b[31m",
};
const PLAIN_COLOUR = "\u001b[39m";
const BOLD = "\u001b[1m";
const NOT_BOLD = "\u001b[22m";

function toneOf(cell: Cell): Tone | undefined {
  if (cell.kind === "number" && cell.verdict !== undefined) return STATE_WORDS[cell.verdict].tone;
  return cell.kind === "number" || cell.kind === "text" ? cell.tone : undefined;
}

function toned(text: string, tone: Tone | undefined, { hasColours }: TerminalOptions): string {
  return hasColours && tone !== undefined && tone !== "plain" ? `${CODES[tone]}${text}${PLAIN_COLOUR}` : text;
}

function writerOf(options: TerminalOptions): Writer {
  const { hasColours } = options;
  const strong = (text: string) => (hasColours ? `${BOLD}${visibleLine(text)}${NOT_BOLD}` : visibleLine(text));
  return {
    text: visibleLine,
    strong,
    code: visibleLine,
    toned: (text, tone) => toned(visibleLine(text), tone, options),
  };
}
