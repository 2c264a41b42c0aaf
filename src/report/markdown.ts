import type { Brand } from "../base/symbol.js";
import { visible, visibleLine } from "../base/text.js";
import type { Block, Cell, TableBlock, Tone } from "./block.js";
import { cellLines, compactCell, inlineText, type Writer } from "./cell-text.js";

/** Markdown in which all text is escaped; made here alone. */
export type Markdown = Brand<string, "Markdown">;

/** Blocks as Markdown that GitHub shows. */
export function renderMarkdown(blocks: readonly Block[]): Markdown {
  return `${blocks.map(blockText).filter(isThere).join("\n\n")}\n` as Markdown;
}

/** Blocks for a page that may hold the text of others: begins and ends with a blank line. */
export function renderMarkdownPart(blocks: readonly Block[]): Markdown {
  return `\n${renderMarkdown(blocks)}\n` as Markdown;
}

function isThere(text: string): boolean {
  return text !== "";
}

function blockText(block: Block): string {
  switch (block.kind) {
    case "heading": {
      const badge = block.badge === undefined ? "" : `: ${markdownText(block.badge.text)}`;
      return `${"#".repeat(block.level)} ${markdownText(block.text)}${badge}`;
    }
    case "text":
      return toned(atStart(inlineText(block.parts, WRITER)), block.tone);
    case "table":
      return tableText(block);
    case "list":
      return block.items.map((item) => `- ${atStart(inlineText(item, WRITER))}`).join("\n");
    case "facts":
      return block.facts.map(({ name, parts }) => `- ${markdownText(name)}: ${inlineText(parts, WRITER)}`).join("\n");
    case "code":
      return fenced(block.text);
    case "details":
      return [
        "<details>",
        `<summary>${markdownText(block.summary)}</summary>`,
        ...block.blocks.map(blockText),
        "</details>",
      ]
        .filter(isThere)
        .join("\n\n");
    case "group":
      return block.blocks.map(blockText).filter(isThere).join("\n\n");
    case "legend":
    case "chart":
      return "";
  }
}

const WRITER: Writer = { text: markdownText, strong: (text) => `**${markdownText(text)}**`, code: codeText };

function toned(text: string, tone: Tone | undefined): string {
  // Stressed words within would end it.
  return tone === "bad" && !text.includes("**") ? `**${text}**` : text;
}

function tableText({ caption, columns, rows, references = [], isCompact }: TableBlock): string {
  const shown = (cell: Cell) => (isCompact === true ? compactCell(cell) : cell);
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [
    ...(caption === null ? [] : [`**${markdownText(caption)}**`, ""]),
    line(columns.map(({ label }) => markdownText(label))),
    line(columns.map(({ align }) => (align === "right" ? "---:" : "---"))),
    ...[...rows, ...references].map((row) => line(row.map((cell) => cellLines(shown(cell), WRITER).join("<br>")))),
  ].join("\n");
}

/** Text that Markdown shows as it is: no markup, no HTML, no link made of it, and one line. */
function markdownText(text: string): string {
  return visibleLine(text)
    .replace(/[\\`*_{}[\]|~@]/g, "\\$&")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll("://", "\\://")
    .replace(/\b(www)\./gi, "$1\\.");
}

/** Escapes the start of a line, where a sign or a number could make a heading, a list or code of it. */
function atStart(text: string): string {
  return text.trimStart().replace(/^([#+=-]|\d+(?=[.)]))/, (sign) => (/\d/.test(sign) ? `${sign}\\` : `\\${sign}`));
}

/** Code in a span whose fence is longer than any within; a bar would end a cell all the same. */
function codeText(text: string): string {
  const fence = "`".repeat(longestFence(text) + 1);
  return `${fence} ${visibleLine(text).replaceAll("|", "\\|")} ${fence}`;
}

function fenced(text: string): string {
  const fence = "`".repeat(Math.max(3, longestFence(text) + 1));
  return `${fence}text\n${visible(text)}\n${fence}`;
}

function longestFence(text: string): number {
  return Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
}
