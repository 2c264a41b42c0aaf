import { dot, line, ruleY } from "@observablehq/plot";
import type { Markup } from "../web/markup.js";
import type { ChartSeries, CurveChart } from "./block.js";
import { figure, percentOf, percentTick, QUARTERS } from "./chart.js";

/** A place of a curve. */
interface Place {
  readonly series: ChartSeries;
  readonly x: number;
  readonly y: number;
}

/** Rates along parts of equal size, a line a series: the first value after the first part, the last behind all. */
export function curveChart(title: string, { curves, label }: Omit<CurveChart, "type">): Markup {
  const places = curves.flatMap(({ series, values }) =>
    values.map((y, i): Place => ({ series, x: (i + 1) / values.length, y })),
  );
  const description = curves
    .map(({ series, values }) => `${series.label}: ${values.map(percentOf).join(", ")}`)
    .join("; ");
  return figure(
    { title, description },
    {
      height: 200,
      marginLeft: 44,
      marginRight: 16,
      marginTop: 12,
      marginBottom: 38,
      x: { domain: [0, 1], ticks: QUARTERS, tickFormat: percentTick, label, labelAnchor: "center", labelArrow: "none" },
      y: { domain: [0, 1], ticks: QUARTERS, tickFormat: percentTick, label: null },
      color: { type: "identity" },
      symbol: { type: "identity" },
      marks: [
        ruleY(QUARTERS, { stroke: "var(--line)" }),
        line(places, {
          x: "x",
          y: "y",
          z: ({ series }: Place) => series.label,
          stroke: ({ series }: Place) => series.color,
          strokeWidth: 1.5,
        }),
        dot(places, {
          x: "x",
          y: "y",
          r: 3,
          fill: ({ series }: Place) => series.color,
          symbol: ({ series }: Place) => series.symbol,
          title: ({ series, x, y }: Place) => `${series.label}, after ${percentTick(x)}: ${percentOf(y)}`,
        }),
      ],
    },
  );
}
