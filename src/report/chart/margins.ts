import { rectY, ruleY } from "@observablehq/plot";
import { median } from "simple-statistics";
import type { Markup } from "../../web/markup.js";
import type { MarginSet } from "../block.js";
import { numberText } from "../number-text.js";
import { figure } from "./figure.js";

const BINS = 24;

/** Histogram of margins, right answers on wrong ones; what is above the end stands in the last bar. */
export function marginChart(title: string, { right, wrong }: MarginSet, end: number): Markup {
  const counts = { right: binCounts(right, end), wrong: binCounts(wrong, end) };
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
      y: { ticks: 3, label: null, tickFormat: "s" },
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

/** How many margins fall into each of the bins from 0 to `end`. */
export function binCounts(margins: Float64Array, end: number): number[] {
  const counts = Array.from({ length: BINS }, () => 0);
  for (const margin of margins) {
    const bin = Math.min(BINS - 1, Math.floor((margin / end) * BINS));
    counts[bin] = (counts[bin] ?? 0) + 1;
  }
  return counts;
}
