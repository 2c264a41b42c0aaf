import { barX, dot, type PlotOptions, plot, ruleX, ruleY, text, tickX } from "@observablehq/plot";
import { parseHTML } from "linkedom/worker";
import { contentMarkup, type Markup, markup } from "../web/html-page.js";
import type { IntervalPoint, LetterShare } from "./chart-data.js";
import { DASH, numberText } from "./number-text.js";

/** The plots are made of elements; this document makes them, and holds none. */
const document = plotDocument(parseHTML("<!doctype html><html><body></body></html>").document);

/** Width of a chart in pixels: what fits a phone. Wider screens show several side by side. */
const CHART_WIDTH = 340;

/** A chart in words. */
interface ChartText {
  readonly title: string;
  /** The numbers, for those who cannot see them. */
  readonly description: string;
}

/**
 * Draws a chart as an SVG with a title and a description. Colours are the page's own variables, so that one chart serves
 * light and dark; nothing in it needs a style element or attribute, which the page's security policy would stop.
 */
export function figure({ title, description }: ChartText, options: PlotOptions): Markup {
  const svg = draw(options);
  const viewBox = svg.getAttribute("viewBox") ?? "";
  const inner = contentMarkup(svg);
  return markup`<figure class="chart"><svg role="img" viewBox="${viewBox}" fill="currentColor" text-anchor="middle"><title>${title}</title><desc>${description}</desc>${inner}</svg><figcaption>${title}</figcaption></figure>`;
}

const MARK_SIZE = 16;

/** A sign of a legend: no words of its own. */
export function smallMark(options: PlotOptions): Markup {
  const scales = { x: { domain: [-1, 1], axis: null }, y: { domain: [-1, 1], axis: null } } as const;
  const svg = draw({ ...scales, width: MARK_SIZE, height: MARK_SIZE, margin: 0, ...options });
  return markup`<svg aria-hidden="true" class="mark" viewBox="0 0 ${MARK_SIZE} ${MARK_SIZE}">${contentMarkup(svg)}</svg>`;
}

/** The two packages' types of a document do not know each other; this one makes what plots are made of. */
function plotDocument(made: unknown): Document {
  if (isDocument(made)) return made;
  throw new Error("Expected a document that makes elements.");
}

function isDocument(value: unknown): value is Document {
  return typeof value === "object" && value !== null && "createElementNS" in value && "createTextNode" in value;
}

function draw(options: PlotOptions): Element {
  const drawn = plot({ width: CHART_WIDTH, document, ...options });
  const svg = drawn.tagName.toLowerCase() === "svg" ? drawn : drawn.querySelector("svg");
  if (svg === null) throw new Error("Expected the plot to be an SVG.");
  for (const style of svg.querySelectorAll("style")) style.remove();
  for (const element of svg.querySelectorAll("*")) {
    // One picture with one text: labels of its parts ("y-axis tick") say nothing by themselves.
    for (const name of ["style", "class", "aria-label", "aria-hidden"]) element.removeAttribute(name);
  }
  return svg;
}

const ROW = 24;
const LINE = 11;
/** Ticks of an axis of rates. */
export const QUARTERS = [0, 0.25, 0.5, 0.75, 1];

/** Characters of a line of a row's name: longer names go on in the next. */
const NAME_LINE = 15;
/** Height of such a line. */
const NAME_HEIGHT = 13;

/** A whole name in lines, broken behind the signs that join its parts where there are such. */
export function nameLines(name: string): string[] {
  const parts = name
    .split(/(?<=[-_./:@ ])/u)
    .flatMap((part) => part.match(new RegExp(`.{1,${NAME_LINE}}`, "gsu")) ?? []);
  const lines = [""];
  for (const part of parts) {
    const line = lines.at(-1) ?? "";
    if (line !== "" && [...line, ...part.trimEnd()].length > NAME_LINE) lines.push(part);
    else lines[lines.length - 1] = line + part;
  }
  return lines.map((line) => line.trimEnd());
}

/** Height of a row in which each of the names has room. */
function namesHeight(names: readonly string[]): number {
  return Math.max(...names.map((name) => nameLines(name).length)) * NAME_HEIGHT + 4;
}

/** Rates 0–1 as dots with their 95 % intervals, means over orders as rings, floors as ticks: a row a group, a line a model. */
export function intervalChart(title: string, points: readonly IntervalPoint[]): Markup {
  const shown = points.filter((point) => point.value !== null);
  const rows = [...new Set(points.map(({ row }) => row))];
  const lines = [...new Set(points.map(({ series }) => series.label))];
  const isSingle = lines.length === 1;
  const isNarrow = rows.some((row) => row.length > 10);
  const height = 40 + rows.length * Math.max(namesHeight(rows), isSingle ? ROW : lines.length * LINE + 8);
  const place = { y: ({ series }: IntervalPoint) => series.label, fy: "row" } as const;
  return figure(describe(title, shown), {
    height,
    marginLeft: isNarrow ? 124 : 80,
    marginRight: isSingle ? 64 : 24,
    marginTop: 4,
    marginBottom: 26,
    x: { domain: [0, 1], ticks: isNarrow ? [0, 0.5, 1] : QUARTERS, tickFormat: percentTick, label: null },
    y: { domain: lines, axis: null, padding: 0.2 },
    fy: {
      domain: rows,
      axis: "left",
      label: null,
      padding: isSingle ? 0.1 : 0.12,
      tickFormat: (row: string) => nameLines(row).join("\n"),
    },
    color: { type: "identity" },
    symbol: { type: "identity" },
    marks: [
      ruleX(QUARTERS, { stroke: "var(--line)" }),
      tickX(
        shown.filter(({ floor }) => floor !== null && floor >= 0.005),
        { x: "floor", fy: "row", stroke: "var(--amber)", strokeWidth: 2 },
      ),
      ruleY(shown, {
        ...place,
        x1: "low",
        x2: "high",
        stroke: ({ series }: IntervalPoint) => series.color,
        strokeWidth: 2,
      }),
      dot(
        shown.filter(({ mean }) => mean != null),
        {
          ...place,
          x: "mean",
          r: isSingle ? 4 : 3,
          stroke: ({ series }: IntervalPoint) => series.color,
          strokeWidth: 1.5,
        },
      ),
      dot(shown, {
        ...place,
        x: "value",
        r: isSingle ? 4.5 : 3.5,
        fill: ({ series }: IntervalPoint) => series.color,
        symbol: ({ series }: IntervalPoint) => series.symbol,
        title: pointText,
      }),
      ...(isSingle
        ? [
            text(shown, {
              ...place,
              frameAnchor: "right",
              dx: 60,
              textAnchor: "end",
              text: ({ value }: IntervalPoint) => percentOf(value),
            }),
          ]
        : []),
    ],
  });
}

function describe(title: string, points: readonly IntervalPoint[]): ChartText {
  return { title, description: points.map(pointText).join("; ") };
}

function pointText({ row, series, value, low, high, mean }: IntervalPoint): string {
  const name = series.label === "" ? row : `${row}, ${series.label}`;
  const interval = low === null || high === null ? "" : ` (${percentOf(low)} to ${percentOf(high)})`;
  return `${name}: ${percentOf(value)}${interval}${mean == null ? "" : `, mean over orders ${percentOf(mean)}`}`;
}

/** A share in percent, one digit. */
export function percentOf(value: number | null): string {
  return value === null ? DASH : `${numberText(value, "points")} %`;
}

/** A tick of an axis of rates. */
export function percentTick(value: number): string {
  return `${Math.round(value * 100)} %`;
}

const BAR = 15;

/** Shares by letter, a block a model; the line is where each would be without bias. */
export function letterChart(title: string, shares: readonly LetterShare[], even: number | null): Markup {
  const blocks = [...new Set(shares.map(({ series }) => series.label))];
  const letters = [...new Set(shares.map(({ letter }) => letter))];
  const isSingle = blocks.length === 1;
  const marks = shares.filter(({ share }) => share !== null);
  const place = { y: "letter", fy: ({ series }: LetterShare) => series.label } as const;
  const description = marks
    .map(({ series, letter, share }) => `${series.label} ${letter}: ${percentOf(share)}`)
    .join("; ");
  return figure(
    { title, description },
    {
      height: 34 + blocks.length * Math.max(letters.length * BAR + 10, isSingle ? 0 : namesHeight(blocks)),
      marginLeft: isSingle ? 22 : 142,
      marginRight: 64,
      marginTop: 4,
      marginBottom: 28,
      x: { domain: [0, 1], ticks: [0, 0.5, 1], tickFormat: percentTick, label: null },
      y: { domain: letters, label: null, tickSize: 0, padding: 0.15 },
      fy: { domain: blocks, axis: null, padding: 0.12 },
      color: { type: "identity" },
      marks: [
        barX(marks, {
          ...place,
          x: "share",
          fill: ({ series }) => series.color,
          title: (d: LetterShare) => `${d.letter}: ${percentOf(d.share)}`,
        }),
        text(marks, {
          ...place,
          frameAnchor: "right",
          dx: 60,
          textAnchor: "end",
          text: ({ share }: LetterShare) => percentOf(share),
        }),
        ...(isSingle
          ? []
          : [
              text(blocks, {
                fy: (block: string) => block,
                text: (block: string) => nameLines(block).join("\n"),
                frameAnchor: "left",
                dx: -24,
                textAnchor: "end",
              }),
            ]),
        ruleX([0], { stroke: "var(--soft)" }),
        ...(even === null ? [] : [ruleX([even], { stroke: "var(--ink)", strokeDasharray: "3 3" })]),
      ],
    },
  );
}
