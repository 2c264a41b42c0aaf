import Table from "cli-table3";
import wrapAnsi from "wrap-ansi";
import { TerminalText, visible, visibleLine } from "../base/text.js";
import type { Block, Cell, CodeBlock, Column, HeadingBlock, TableBlock, Tone } from "./block.js";
import { cellLines, compactCell, inlineText, patchLine, type Writer } from "./cell-text.js";
import { STATE_WORDS } from "./judgement-words.js";

/** Abilities of a terminal. */
export interface TerminalOptions {
  /** Characters a line; `null`: as wide as it gets, as where the output goes into a file. */
  readonly width: number | null;
  readonly hasColours: boolean;
}

const PLAIN_TERMINAL: TerminalOptions = { width: null, hasColours: false };

/** Screen of blocks: its streams, and their abilities. */
interface Screen extends Record<"out" | "err", (text: TerminalText) => void> {
  readonly terminal?: TerminalOptions;
}

/** Blocks on the console, as wide and as coloured as it is. */
export function showBlocks(screen: Screen, blocks: readonly Block[], stream: "out" | "err" = "out"): void {
  screen[stream](renderTerminal(blocks, screen.terminal ?? PLAIN_TERMINAL));
}

/** Blocks for a terminal; without colours there is no control character in it. */
export function renderTerminal(blocks: readonly Block[], options: TerminalOptions): TerminalText {
  const lines = blocks.flatMap((block, i) => [
    ...(i > 0 && block.kind === "heading" ? [""] : []),
    ...blockLines(block, options),
  ]);
  return new TerminalText(lines.length === 0 ? "" : `${lines.join("\n")}\n`);
}

/** Blocks as plain text of any width. */
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
      return codeLines(block, options);
    case "details":
      return [visibleLine(block.summary), ...block.blocks.flatMap((each) => blockLines(each, options))];
    case "group":
      return block.blocks.flatMap((each) => blockLines(each, options));
    case "legend":
    case "chart":
      return [];
  }
}

/** Lines as they are; of patches and output cut where the terminal ends, of patches coloured. */
function codeLines({ text, of }: CodeBlock, options: TerminalOptions): string[] {
  const lines = visible(text).split("\n");
  if (of === undefined) return lines;
  const tones = { added: "good", removed: "bad", place: "plain", plain: "plain" } as const;
  const fits = (line: string) =>
    options.width === null || line.length <= options.width ? line : `${line.slice(0, options.width - 1)}…`;
  return lines.map((line) => toned(fits(line), of === "patch" ? tones[patchLine(line)] : undefined, options));
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
  if (cell.kind === "number" && cell.judgement !== undefined) return STATE_WORDS[cell.judgement].tone;
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

/** Fewer characters than this make no readable column of text. */
const LEAST_WIDTH = 10;

interface TableOptions {
  readonly width: number | null;
  readonly cell: (cell: Cell) => string;
}

/** A column with the text of its cells. */
interface ColumnText {
  readonly column: Column;
  readonly title: string;
  readonly cells: readonly string[];
  /** The most characters a line of it may have. */
  readonly width: number | null;
}

/**
 * A table that fits the width where it can: with short labels, then without its least important columns (the last of them
 * first, and it says which), then with its text broken into lines, then with marks that all numbers of a column have told
 * below it, then without its last columns.
 */
function tableText(
  { caption, columns, rows: own, references = [], isCompact }: TableBlock,
  { width, cell }: TableOptions,
): string[] {
  const rows = [...own, ...references].map((row) => (isCompact === true ? row.map(compactCell) : row));
  const textsOf = (each: readonly (readonly Cell[])[]) =>
    columns.map((column, i): ColumnText => {
      const cells = each.map((row) => (row[i] === undefined ? "" : cell(row[i])));
      return { column, title: column.label, cells, width: column.width ?? null };
    });
  const whole = fitted(textsOf(rows), width);
  const isCut = whole.left.some(({ column }) => column.importance === 1);
  const marks = columns.map((_, i) => (isCut ? commonMark(rows.map((row) => row[i])) : null));
  const isMarked = marks.some((mark) => mark !== null);
  const unmarked = rows.map((row) => row.map((each, i) => (marks[i] == null ? each : withoutMark(each))));
  const { shown, left } = isMarked ? fitted(textsOf(unmarked), width) : whole;
  const labels = (texts: readonly ColumnText[]) => texts.map(({ column }) => visibleLine(column.label)).join(", ");
  const markOf = ({ column }: ColumnText) => marks[columns.indexOf(column)] ?? null;
  const told = new Set(shown.flatMap((text) => markOf(text) ?? []));
  return [
    ...(caption === null ? [] : wrappedLine(visibleLine(caption), width)),
    ...drawn(shown).split("\n"),
    ...[...told].flatMap((mark) =>
      wrappedLine(`${mark}: ${labels(shown.filter((text) => markOf(text) === mark))}`, width),
    ),
    ...(left.length === 0 ? [] : wrappedLine(`Left out, as there is little room (--wide): ${labels(left)}`, width)),
  ];
}

/** The mark that all numbers of a column have; `null`: there is none, or they differ. */
function commonMark(cells: readonly (Cell | undefined)[]): string | null {
  const found = new Set(cells.flatMap((cell) => (cell?.kind === "number" ? [cell.badge?.text ?? null] : [])));
  const [mark = null] = found;
  return found.size === 1 && mark !== null ? visibleLine(mark) : null;
}

function withoutMark(cell: Cell): Cell {
  if (cell.kind !== "number") return cell;
  const { badge: _badge, ...rest } = cell;
  return rest;
}

function fitted(all: readonly ColumnText[], width: number | null): { shown: ColumnText[]; left: ColumnText[] } {
  if (width === null) return { shown: [...all], left: [] };
  const fits = (columns: readonly ColumnText[]) => widthOf(columns) <= width;
  if (fits(all)) return { shown: [...all], left: [] };
  let shown = all.map((text) => ({ ...text, title: text.column.shortLabel ?? text.column.label }));
  const left: ColumnText[] = [];
  for (const importance of [3, 2] as const) {
    for (const text of shown.filter(({ column }) => column.importance === importance).reverse()) {
      if (fits(shown)) break;
      shown = shown.filter((each) => each !== text);
      left.unshift(text);
    }
  }
  if (fits(shown)) return { shown, left };
  // Where breaking text makes too little room, numbers that matter go too, the last of them first.
  while (shown.length > 2 && !fits(broken(shown, width))) left.unshift(...shown.splice(-1));
  return { shown: broken(shown, width), left };
}

/** Text breaks where the room that numbers leave is shared evenly, but for what the shorter columns do not need. */
function broken(columns: readonly ColumnText[], width: number): ColumnText[] {
  const isText = (text: ColumnText) => text.column.align === "left" && lengthOf(text) > LEAST_WIDTH;
  const texts = columns.filter(isText).sort((a, b) => lengthOf(a) - lengthOf(b));
  const narrow = columns.map((text) => (isText(text) ? { ...text, width: LEAST_WIDTH } : text));
  let room = Math.max(0, width - widthOf(narrow)) + LEAST_WIDTH * texts.length;
  const widths = new Map<ColumnText, number>();
  for (const text of texts) {
    const share = Math.floor(room / (texts.length - widths.size));
    const own = Math.min(text.width ?? share, share, lengthOf(text));
    widths.set(text, own);
    room -= own;
  }
  return columns.map((text) => ({ ...text, width: widths.get(text) ?? text.width }));
}

/** Characters of its longest line. */
function lengthOf({ title, cells }: ColumnText): number {
  const lines = [title, ...cells].flatMap((cell) => cell.split("\n"));
  return Math.max(...lines.map((line) => line.replace(COLOUR, "").length));
}

/** The border's characters all take one place, whatever those of the cells take. */
function widthOf(columns: readonly ColumnText[]): number {
  return drawn(columns).split("\n", 1)[0]?.replace(COLOUR, "").length ?? 0;
}

const COLOUR = new RegExp(`${String.fromCharCode(27)}\\[\\d*m`, "g");

function drawn(columns: readonly ColumnText[]): string {
  const table = new Table({
    head: columns.map(({ title }) => visibleLine(title)),
    colAligns: columns.map(({ column }) => column.align),
    colWidths: columns.map(({ width }) => (width === null ? null : width + PADDING)),
    style: { head: [], border: [], compact: true },
  });
  const count = columns[0]?.cells.length ?? 0;
  for (let i = 0; i < count; i++) table.push(columns.map(({ cells, width }) => wrapped(cells[i] ?? "", width)));
  return table.toString();
}

/** No character is left out: two models may differ in the last one alone. A word that is longer than a line is broken. */
function wrapped(text: string, width: number | null): string {
  return width === null ? text : wrapAnsi(text, width, { hard: true });
}

/** A blank on either side. */
const PADDING = 2;

const NO_BREAK_SPACE = "\u00a0";

/**
 * Lines that break between words alone, so that a path or an address stays whole to be copied, and a percent sign beside its
 * number; blanks at the beginning stay.
 * @param width characters a line; `null`: as long as it is
 * @param indent before each line but the first
 */
export function wrappedLine(line: string, width: number | null, indent = ""): string[] {
  if (width === null) return [line];
  const before = /^ */.exec(line)?.[0] ?? "";
  // All lines are as narrow as those with the longer blank have to be.
  const room = Math.max(1, width - Math.max(before.length, indent.length));
  const held = line.slice(before.length).replaceAll(/(\d) %/g, `$1${NO_BREAK_SPACE}%`);
  const [first = "", ...rest] = wrapAnsi(held, room).replaceAll(`${NO_BREAK_SPACE}%`, " %").split("\n");
  return [`${before}${first}`, ...rest.map((each) => `${indent}${each}`)];
}

/** Commands in a message: behind a colon or on a line of their own to its end, or between backquotes. */
const COMMANDS = /(?<=^ +|: )probe .*|`[^`]*`/g;

/** A message whose lines break between words alone; commands in it stay whole to be copied. */
export function wrappedMessage(text: string, width: number): string {
  const held = (line: string) => line.replace(COMMANDS, (command) => command.replaceAll(" ", NO_BREAK_SPACE));
  const lines = visible(text).split("\n");
  return lines
    .flatMap((line) => wrappedLine(held(line), width))
    .join("\n")
    .replaceAll(NO_BREAK_SPACE, " ");
}
