import type { Brand } from "../base/symbol.js";
import { visibleLine } from "../base/text.js";
import type { Block, Cell, NumberCell, TableBlock } from "./block.js";
import { cellLines, compactCell, inlineText, type Writer } from "./cell-text.js";
import { STATE_WORDS } from "./judgement-words.js";
import { intervalText, quantityText } from "./number-text.js";

/** LaTeX in which all text is escaped; made here alone. */
type Latex = Brand<string, "Latex">;

/** Room that a table is given: the column of a paper of two, or the whole page. */
export const LATEX_WIDTHS = ["column", "page"] as const;
export type LatexWidth = (typeof LATEX_WIDTHS)[number];

/** Tables for a paper. */
export interface LatexTables {
  /** Name of them all, which their labels begin with. */
  readonly name: string;
  readonly tables: readonly { readonly name: string; readonly block: TableBlock }[];
  /** Notes below each table: what its signs and rules mean. */
  readonly notes: readonly Block[];
  readonly width: LatexWidth;
}

/**
 * Floats with caption, label, intervals and notes. A table that is wider than its room is set smaller, so that none runs
 * into the margin.
 */
export function renderLatex({ name, tables, notes, width }: LatexTables): Latex {
  const shown = tables.map((table) => {
    const label = tables.length === 1 ? name : `${name}-${table.name}`;
    return tableText(table.block, { label: labelText(label), notes, width });
  });
  return `${[HEAD, ...shown].join("\n\n")}\n` as Latex;
}

const HEAD =
  "% Needs \\usepackage{booktabs} and \\usepackage{graphicx}; names that are not ASCII need an engine that has their letters.";

/** Letters, digits and dashes alone. */
function labelText(label: string): string {
  return `tab:probe-${label.toLowerCase().replace(/[^a-z0-9]+/g, "-")}`;
}

/** A note below a table; lists and further tables are none. */
function noteText(block: Block): string[] {
  return block.kind === "text" ? [inlineText(block.parts, WRITER)] : [];
}

const WRITER: Writer = {
  text: latexText,
  strong: (text) => `\\textbf{${latexText(text)}}`,
  code: (text) => `\\texttt{${latexText(text)}}`,
};

interface Setting {
  readonly label: string;
  readonly notes: readonly Block[];
  readonly width: LatexWidth;
}

function tableText(table: TableBlock, { label, notes, width }: Setting): string {
  const { caption, columns, rows, references = [], isCompact = false } = table;
  const float = width === "page" ? "table*" : "table";
  const room = width === "page" ? "\\textwidth" : "\\columnwidth";
  const body = (part: readonly (readonly Cell[])[]) => part.flatMap((row) => rowLines(row, isCompact, width));
  return [
    `\\begin{${float}}[t]`,
    "  \\centering\\small\\setlength{\\tabcolsep}{4pt}",
    ...(caption === null ? [] : [`  \\caption{${latexText(caption)}.}`]),
    `  \\label{${label}}`,
    `  \\resizebox{\\ifdim\\width>${room}${room}\\else\\width\\fi}{!}{%`,
    `  \\begin{tabular}{${columns.map(({ align }) => align.charAt(0)).join("")}}`,
    "    \\toprule",
    `    ${columns.map((column) => latexText(isCompact ? (column.shortLabel ?? column.label) : column.label)).join(" & ")} \\\\`,
    "    \\midrule",
    ...body(rows),
    ...(references.length === 0 ? [] : ["    \\midrule", ...body(references)]),
    "    \\bottomrule",
    "  \\end{tabular}}",
    ...notes.flatMap(noteText).map((text) => `  \\par\\smallskip{\\footnotesize\\raggedright ${text}\\par}`),
    `\\end{${float}}`,
  ].join("\n");
}

/** A row; of a compact table with the intervals of its numbers below them, and notes where a page gives them room. */
function rowLines(row: readonly Cell[], isCompact: boolean, width: LatexWidth): string[] {
  const numbers = `    ${row.map((cell) => cellText(cell, isCompact)).join(" & ")} \\\\`;
  const below = row.map((cell) => (isCompact && cell.kind === "number" ? belowText(cell, width) : ""));
  if (below.every((text) => text === "")) return [numbers];
  return [
    `${numbers}[-2pt]`,
    `    ${below.map((text) => (text === "" ? "" : `{\\scriptsize ${text}}`)).join(" & ")} \\\\`,
  ];
}

function belowText({ value, format, interval, note }: NumberCell, width: LatexWidth): string {
  const bounds = value === null || interval == null ? [] : [latexText(`(${intervalText(interval, format)})`)];
  return [...bounds, ...(note === undefined || width === "column" ? [] : [inlineText(note, WRITER)])].join(" ");
}

function cellText(cell: Cell, isCompact: boolean | undefined): string {
  const shown = isCompact === true ? compactCell(cell) : cell;
  if (shown.kind === "missing") return shown.isEmpty === true ? "" : "--";
  return shown.kind === "number" && shown.judgement !== undefined
    ? judgedText(shown)
    : cellLines(shown, WRITER).join(" ");
}

/** The sign as a superscript, as papers mark what is significant. */
function judgedText({ judgement, ...cell }: NumberCell): string {
  const sign = judgement === undefined ? "" : `$^{${STATE_WORDS[judgement].latex}}$`;
  const number = latexText(quantityText(cell));
  const note = cell.note === undefined ? "" : ` ${inlineText(cell.note, WRITER)}`;
  const mark = cell.badge === undefined ? "" : `${latexText(cell.badge.text)} `;
  return `${mark}${cell.isBest === true ? `\\textbf{${number}}` : number}${sign}${note}`;
}

const ESCAPES: Readonly<Record<string, string>> = {
  "\\": "\\textbackslash{}",
  "{": "\\{",
  "}": "\\}",
  "#": "\\#",
  $: "\\$",
  "%": "\\%",
  "&": "\\&",
  _: "\\_",
  "~": "\\textasciitilde{}",
  "^": "\\textasciicircum{}",
  "<": "\\textless{}",
  ">": "\\textgreater{}",
  "|": "\\textbar{}",
  '"': "''",
  "*": "{*}",
  "[": "{[}",
  "]": "{]}",
  "–": "--",
  "−": "$-$",
  "±": "$\\pm$",
  "×": "$\\times$",
  "→": "$\\rightarrow$",
  "·": "$\\cdot$",
  "…": "\\dots{}",
  "✓": "$\\ast$",
  "✗": "$\\times$",
  "≈": "$\\approx$",
  "≤": "$\\leq$",
};

/** Text that LaTeX sets as it is, on one line; letters that it may not have are left to the engine. */
function latexText(text: string): string {
  return visibleLine(text).replace(/[\\{}#$%&_~^<>|"*[\]–−±×→·…✓✗≈≤]/g, (sign) => ESCAPES[sign] ?? sign);
}
