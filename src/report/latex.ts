import type { Brand } from "../base/symbol.js";
import { visibleLine } from "../base/text.js";
import type { Block, Cell, NumberCell, TableBlock } from "./block.js";
import { cellLines, compactCell, inlineText, type Writer } from "./cell-text.js";
import { STATE_WORDS } from "./judgement-words.js";
import { quantityText } from "./number-text.js";

/** LaTeX in which all text is escaped; made here alone. */
type Latex = Brand<string, "Latex">;

/** Tables for a paper: what stands around them becomes paragraphs, pictures are left out. */
export function renderLatex(blocks: readonly Block[]): Latex {
  return `${[HEAD, ...blocks.map(blockText)].filter((text) => text !== "").join("\n\n")}\n` as Latex;
}

const HEAD = "% Needs \\usepackage{booktabs}; names that are not ASCII need an engine that has their letters.";

function blockText(block: Block): string {
  switch (block.kind) {
    case "heading":
      return `\\paragraph{${latexText(block.text)}}`;
    case "text":
      return inlineText(block.parts, WRITER);
    case "table":
      return tableText(block);
    case "list":
      return listText(block.items.map((item) => inlineText(item, WRITER)));
    case "facts":
      return listText(block.facts.map(({ name, parts }) => `${latexText(name)}: ${inlineText(parts, WRITER)}`));
    case "code":
      return listText(block.text.split("\n").map(latexText));
    case "details":
    case "group":
      return block.blocks.map(blockText).join("\n\n");
    case "legend":
    case "chart":
      return "";
  }
}

const WRITER: Writer = {
  text: latexText,
  strong: (text) => `\\textbf{${latexText(text)}}`,
  code: (text) => `\\texttt{${latexText(text)}}`,
};

function listText(items: readonly string[]): string {
  return items.length === 0
    ? ""
    : ["\\begin{itemize}", ...items.map((item) => `  \\item ${item}`), "\\end{itemize}"].join("\n");
}

function tableText({ caption, columns, rows, references = [], isCompact }: TableBlock): string {
  const line = (cells: readonly string[]) => `    ${cells.join(" & ")} \\\\`;
  const body = (part: readonly (readonly Cell[])[]) =>
    part.map((row) => line(row.map((cell) => cellText(cell, isCompact))));
  return [
    "\\begin{table}",
    "  \\centering",
    ...(caption === null ? [] : [`  \\caption{${latexText(caption)}}`]),
    `  \\begin{tabular}{${columns.map(({ align }) => align.charAt(0)).join("")}}`,
    "    \\toprule",
    line(columns.map(({ label, shortLabel }) => latexText(isCompact === true ? (shortLabel ?? label) : label))),
    "    \\midrule",
    ...body(rows),
    ...(references.length === 0 ? [] : ["    \\midrule", ...body(references)]),
    "    \\bottomrule",
    "  \\end{tabular}",
    "\\end{table}",
  ].join("\n");
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
};

/** Text that LaTeX sets as it is, on one line; letters that it may not have are left to the engine. */
function latexText(text: string): string {
  return visibleLine(text).replace(/[\\{}#$%&_~^<>|"*[\]–−±×→·…✓✗]/g, (sign) => ESCAPES[sign] ?? sign);
}
