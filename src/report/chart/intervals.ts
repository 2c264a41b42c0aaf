import { dot, ruleX, ruleY, text, tickX } from "@observablehq/plot";
import type { Markup } from "../../web/markup.js";
import type { IntervalPoint } from "../block.js";
import { DASH, numberText } from "../number-text.js";
import { type ChartText, figure } from "./figure.js";

const ROW = 24;
const LINE = 11;
const QUARTERS = [0, 0.25, 0.5, 0.75, 1];

/** Rates 0–1 as dots with their 95 % intervals, and floors as ticks: a row a group, a line a model. */
export function intervalChart(title: string, points: readonly IntervalPoint[]): Markup {
  const shown = points.filter((point) => point.value !== null);
  const rows = [...new Set(points.map(({ row }) => row))];
  const lines = [...new Set(points.map(({ series }) => series.label))];
  const isSingle = lines.length === 1;
  const isNarrow = rows.some((row) => row.length > 10);
  const height = 40 + rows.length * (isSingle ? ROW : lines.length * LINE + 8);
  const place = { y: ({ series }: IntervalPoint) => series.label, fy: "row" } as const;
  return figure(describe(title, shown), {
    height,
    marginLeft: isNarrow ? 124 : 80,
    marginRight: isSingle ? 64 : 24,
    marginTop: 4,
    marginBottom: 26,
    x: { domain: [0, 1], ticks: isNarrow ? [0, 0.5, 1] : QUARTERS, tickFormat: percentTick, label: null },
    y: { domain: lines, axis: null, padding: 0.2 },
    fy: { domain: rows, axis: "left", label: null, padding: isSingle ? 0.1 : 0.12 },
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

function pointText({ row, series, value, low, high }: IntervalPoint): string {
  const name = series.label === "" ? row : `${row}, ${series.label}`;
  const interval = low === null || high === null ? "" : ` (${percentOf(low)} to ${percentOf(high)})`;
  return `${name}: ${percentOf(value)}${interval}`;
}

/** In percent, one digit. */
export function percentOf(value: number | null): string {
  return value === null ? DASH : `${numberText(value, "points")} %`;
}

/** A tick of an axis of rates. */
export function percentTick(value: number): string {
  return `${Math.round(value * 100)} %`;
}
