import { dot, line, ruleY } from "@observablehq/plot";
import { paretoFront } from "../verdict/cost-front.js";
import type { Markup } from "../web/html-page.js";
import { figure, percentOf, percentTick, QUARTERS } from "./chart.js";
import type { ChartSeries, CurveChart, FrontChart, FrontPoint } from "./chart-data.js";

/** Scores against costs: a dot a model, the front as a line. */
export function frontChart(title: string, { points, costLabel }: Omit<FrontChart, "type">): Markup {
  const front = paretoFront(points);
  const pointName = ({ series, cost, score }: FrontPoint) => `${series.label}: ${percentOf(score)}, ${costText(cost)}`;
  const names = front.map(({ series }) => series.label).join(", ");
  const description = `${points.map(pointName).join("; ")}. On the front: ${names}.`;
  const costs = points.map(({ cost }) => cost);
  const [low, high] = [Math.min(...costs), Math.max(...costs)];
  return figure(
    { title, description },
    {
      height: 230,
      marginLeft: 50,
      marginRight: 16,
      marginTop: 14,
      marginBottom: 38,
      x: {
        type: "log",
        // Room for one cost alone, and for marks at the edges.
        domain: [low / 1.5, high * 1.5],
        label: costLabel,
        labelAnchor: "center",
        labelArrow: "none",
        ticks: 4,
        tickFormat: costText,
      },
      y: { domain: [0, 1], ticks: QUARTERS, tickFormat: percentTick, label: null },
      color: { type: "identity" },
      symbol: { type: "identity" },
      marks: [
        ruleY(QUARTERS, { stroke: "var(--line)" }),
        line(front, { x: "cost", y: "score", stroke: "var(--soft)", strokeDasharray: "3 3", curve: "step-after" }),
        dot(points, {
          x: "cost",
          y: "score",
          r: 5,
          fill: ({ series }: FrontPoint) => series.color,
          symbol: ({ series }: FrontPoint) => series.symbol,
          title: pointName,
        }),
      ],
    },
  );
}

/** A cost in its own unit, three digits at most. */
function costText(cost: number): string {
  return cost.toLocaleString("en-US", { maximumSignificantDigits: 3 });
}

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
