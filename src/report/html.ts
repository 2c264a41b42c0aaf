import { dot, rectY, ruleY } from "@observablehq/plot";
import { median } from "simple-statistics";
import type { JudgementState } from "../verdict/judgement.js";
import { blockMarkup, join, type Markup, markup } from "../web/html-page.js";
import type {
  Block,
  Cell,
  ChartBlock,
  Column,
  HeadingBlock,
  Inline,
  LegendEntry,
  NumberCell,
  Quantity,
  TableBlock,
  TextBlock,
} from "./block.js";
import { patchLine } from "./cell-text.js";
import { figure, intervalChart, letterChart, percentTick, smallMark } from "./chart.js";
import type { MarginSet } from "./chart-data.js";
import { STATE_WORDS } from "./judgement-words.js";
import { curveChart, frontChart } from "./line-charts.js";
import { DASH, intervalText, numberText, quantityText } from "./number-text.js";

/** Blocks as markup for a page with the style of `report-style.ts`. */
export function renderHtml(blocks: readonly Block[]): Markup {
  return join(blocks.map(blockHtml));
}

function blockHtml(block: Block): Markup {
  switch (block.kind) {
    case "heading":
      return headingHtml(block);
    case "text":
      return textHtml(block);
    case "table":
      return tableHtml(block);
    case "list":
      return markup`<ul>${block.items.map((item) => markup`<li>${inlineHtml(item)}</li>`)}</ul>`;
    case "facts":
      return markup`<dl class="facts">${block.facts.map(({ name, parts }) => markup`<dt>${name}</dt><dd>${inlineHtml(parts)}</dd>`)}</dl>`;
    case "code":
      return block.of === "patch"
        ? markup`<pre class="patch" tabindex="0"><code>${patchHtml(block.text)}</code></pre>`
        : markup`<pre><code>${blockMarkup(block.text)}</code></pre>`;
    case "details":
      return markup`<details${block.id !== undefined && markup` id="${block.id}"`}><summary>${block.summary}</summary>${renderHtml(block.blocks)}</details>`;
    case "group":
      return markup`<div class="${[block.layout, block.tone ?? ""].join(" ").trim()}">${renderHtml(block.blocks)}</div>`;
    case "legend":
      return markup`<ul class="key">${block.entries.map(entryMarkup)}</ul>`;
    case "chart":
      return chartMarkup(block);
  }
}

function headingHtml({ level, text, badge }: HeadingBlock): Markup {
  const content = markup`${text}${badge !== undefined && markup` ${badgeHtml(badge.text, badge.tone)}`}`;
  if (level === 1) return markup`<h1>${content}</h1>`;
  return level === 2 ? markup`<h2>${content}</h2>` : markup`<h3>${content}</h3>`;
}

function badgeHtml(text: string, tone: string): Markup {
  return markup`<span class="badge ${tone}">${text}</span>`;
}

const ROLES: Readonly<Record<NonNullable<TextBlock["role"]>, string>> = {
  answer: "answer",
  figure: "big",
  lead: "lead",
  aside: "soft",
};

/** A patch, an element a line. */
function patchHtml(text: string): Markup {
  const lines = text.split("\n").map((line) => {
    const kind = patchLine(line);
    return markup`<span${kind !== "plain" && markup` class="${kind}"`}>${blockMarkup(`${line}\n`)}</span>`;
  });
  return join(lines);
}

/** A paragraph; bad news and warnings are notices. */
function textHtml({ parts, tone, role }: TextBlock): Markup {
  const isNotice = role === undefined && (tone === "warning" || tone === "bad");
  const name = role === undefined ? isNotice && "notice" : ROLES[role];
  return markup`<p${name !== false && markup` class="${name}"`}>${inlineHtml(parts)}</p>`;
}

function inlineHtml(parts: readonly Inline[]): Markup {
  return join(
    parts.map((part) => {
      if (typeof part === "string") return markup`${part}`;
      if (!("kind" in part)) return quantityHtml(part);
      if (part.kind === "toned") return markup`${part.text}`;
      return part.kind === "strong" ? markup`<strong>${part.text}</strong>` : markup`<code>${part.text}</code>`;
    }),
  );
}

function quantityHtml(quantity: Quantity): Markup {
  return markup`${numberText(quantity.value, quantity.format)}${boundsHtml(quantity)}`;
}

function boundsHtml({ value, format, interval }: Quantity): Markup {
  return markup`${value !== null && interval != null && markup` <small>(${intervalText(interval, format)})</small>`}`;
}

/** A table with caption and scopes, in a frame that scrolls sideways by itself. */
function tableHtml({ caption, columns, rows, references = [], isSortable, isCompact, isCards }: TableBlock): Markup {
  const isWide = columns.length > WIDE;
  // The first column is to the left anyway.
  const heads = columns.map((column, i) => headOf(column, isWide, column.align === "left" && i > 0));
  const lines = (part: readonly (readonly Cell[])[]) =>
    part.map(
      ([head, ...cells]) =>
        markup`<tr>${head && markup`<th scope="row">${contentHtml(head)}</th>`}${cells.map((cell, i) => cellHtml(cell, columns[i + 1], isCards === true))}</tr>`,
    );
  const below = references.length > 0 && markup`<tbody class="references">${lines(references)}</tbody>`;
  const names = [
    ...(isSortable === true && rows.length > 1 ? ["sortable"] : []),
    ...(isCompact ? ["compact"] : []),
    ...(isCards ? ["as-cards"] : []),
  ];
  const classes = names.length > 0 && markup` class="${names.join(" ")}"`;
  const title = caption !== null && markup`<caption><span>${caption}</span></caption>`;
  const label = caption ?? columns[0]?.label ?? "";
  return markup`<div class="scroll" role="region" aria-label="${label}" tabindex="0"><table${classes}>${title}<thead><tr>${heads}</tr></thead><tbody>${lines(rows)}</tbody>${below}</table></div>`;
}

/** More columns than this take their short labels. */
const WIDE = 8;

function headOf({ label, shortLabel }: Column, isWide: boolean, isText: boolean): Markup {
  const shown = isWide ? (shortLabel ?? label) : label;
  return markup`<th scope="col"${isText && markup` class="text"`}${shown !== label && markup` title="${label}"`}>${shown}</th>`;
}

/** @param isNamed the name of its column goes with it, for where the heads are not shown */
function cellHtml(cell: Cell, column: Column | undefined, isNamed: boolean): Markup {
  const isBest = cell.kind === "number" && cell.isBest === true;
  const isText = cell.kind === "text" && column?.align === "left";
  const state =
    cell.kind === "number" && cell.judgement !== undefined ? [`state ${STATE_WORDS[cell.judgement].tone}`] : [];
  const name = [...state, ...(isBest ? ["best"] : []), ...(isText ? ["text"] : [])].join(" ");
  const sort = sortValue(cell);
  const label = isNamed && markup` data-label="${column?.label ?? ""}"`;
  const attributes = markup`${label}${name !== "" && markup` class="${name}"`}${sort !== null && markup` data-sort="${sort}"`}`;
  return markup`<td${attributes}>${contentHtml(cell)}${isBest && markup`<span class="unseen">, best</span>`}</td>`;
}

function sortValue(cell: Cell): number | null {
  if (cell.kind === "number") return cell.value;
  if (cell.kind === "pair") return cell.second.value;
  return cell.kind === "text" ? (cell.sort ?? null) : null;
}

function contentHtml(cell: Cell): Markup {
  switch (cell.kind) {
    case "missing":
      return markup`${cell.isEmpty !== true && DASH}`;
    case "pair":
      return markup`${quantityText(cell.first)} / ${quantityText(cell.second)}`;
    case "text": {
      const lines = [cell.text].flat().map((line) => markup`${line}`);
      const text = join(lines, "<br>");
      return cell.tone === undefined || cell.tone === "plain"
        ? text
        : markup`<span class="badge ${cell.tone}">${text}</span>`;
    }
    case "number":
      return numberHtml(cell);
  }
}

function numberHtml({ badge, name, note, judgement, ...quantity }: NumberCell): Markup {
  const word = badge !== undefined && markup`${badgeHtml(badge.text, badge.tone)}<br>`;
  const before = name !== undefined && markup`${name} `;
  const sign = judgement !== undefined && signHtml(judgement);
  const after = note !== undefined && markup` <small>${inlineHtml(note)}</small>`;
  const { interval: _, ...number } = quantity;
  return markup`${word}${before}${quantityHtml(number)}${sign}${boundsHtml(quantity)}${after}`;
}

/** The sign of a judgement, and its words for those who do not see it. */
function signHtml(state: JudgementState): Markup {
  const { sign, text } = STATE_WORDS[state];
  return markup`<span class="sign" aria-hidden="true" title="${text}">${sign}</span><span class="unseen"> ${text}</span>`;
}

/** A chart as an SVG with a title, and its numbers in words. */
function chartMarkup({ title, chart }: ChartBlock): Markup {
  switch (chart.type) {
    case "intervals":
      return intervalChart(title, chart.points);
    case "letters":
      return letterChart(title, chart.shares, chart.even);
    case "margins":
      return marginChart(title, chart, chart);
    case "front":
      return frontChart(title, chart);
    case "curve":
      return curveChart(title, chart);
  }
}

function entryMarkup(entry: LegendEntry): Markup {
  if (entry.mark !== "series") return markup`<li><i class="${entry.mark}"></i>${entry.label}</li>`;
  const { series, label, name } = entry;
  const mark = smallMark({
    symbol: { type: "identity" },
    marks: [dot([0], { x: 0, y: 0, r: 4.5, fill: series.color, symbol: () => series.symbol })],
  });
  return markup`<li>${mark}${label}${label !== name && markup` <span class="soft">${name}</span>`}</li>`;
}

const BINS = 24;

/** Histogram of margins as shares of the answers, right ones on wrong ones; what is above the end stands in the last bar. */
export function marginChart(
  title: string,
  { right, wrong }: MarginSet,
  { end, top }: { readonly end: number; readonly top: number },
): Markup {
  const all = Math.max(1, right.length + wrong.length);
  const counts = { right: binShares(right, end, all), wrong: binShares(wrong, end, all) };
  const bars = counts.wrong.flatMap((below, i) => {
    const place = { x1: (end * i) / BINS, x2: (end * (i + 1)) / BINS };
    return [
      { ...place, y1: 0, y2: below, color: "var(--wrong)" },
      { ...place, y1: below, y2: below + (counts.right[i] ?? 0), color: "var(--right)" },
    ];
  });
  const words = (name: string, margins: Float64Array) =>
    `${margins.length} ${name} answers${margins.length === 0 ? "" : `, median ${numberText(median([...margins]), "ratio")} nats`}`;
  return figure(
    { title, description: `${words("right", right)}; ${words("wrong", wrong)}` },
    {
      height: 150,
      marginLeft: 44,
      marginRight: 12,
      marginTop: 10,
      marginBottom: 34,
      x: { domain: [0, end], ticks: 5, label: "margin (nats)", labelAnchor: "center", labelArrow: "none" },
      y: { domain: [0, top], ticks: 3, label: null, tickFormat: percentTick },
      color: { type: "identity" },
      marks: [
        rectY(
          bars.filter(({ y1, y2 }) => y2 > y1),
          { x1: "x1", x2: "x2", y1: "y1", y2: "y2", fill: "color", insetLeft: 0.5, insetRight: 0.5 },
        ),
        ruleY([0], { stroke: "var(--soft)" }),
      ],
    },
  );
}

/** The highest bar of a histogram of margins, a share of the answers. */
export function highestBar({ right, wrong }: MarginSet, end: number): number {
  return (
    Math.max(...binCounts(Float64Array.from([...right, ...wrong]), end)) / Math.max(1, right.length + wrong.length)
  );
}

function binShares(margins: Float64Array, end: number, all: number): number[] {
  return binCounts(margins, end).map((count) => count / all);
}

/** Counts of margins in each of the bins from 0 to `end`. */
export function binCounts(margins: Float64Array, end: number): number[] {
  const counts = Array.from({ length: BINS }, () => 0);
  for (const margin of margins) {
    const bin = Math.min(BINS - 1, Math.floor((margin / end) * BINS));
    counts[bin] = (counts[bin] ?? 0) + 1;
  }
  return counts;
}
