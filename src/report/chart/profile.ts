import { barX, dot, line, link, ruleX, ruleY, text, tickX } from "@observablehq/plot";
import type { Markup } from "../../web/markup.js";
import type { BarsChart, ProfileAxis, RadarChart } from "../block.js";
import { figure } from "./figure.js";
import { percentOf, percentTick } from "./intervals.js";

interface Point {
  readonly x: number;
  readonly y: number;
}

const RINGS = [0.25, 0.5, 0.75, 1];

/** The radar of the paper: an axis a probe form, 0 in the middle, 1 at the rim. */
export function radarChart(title: string, { series: { color }, axes }: RadarChart): Markup {
  const at = (i: number, radius: number): Point => {
    const angle = (2 * Math.PI * i) / axes.length;
    return { x: radius * Math.sin(angle), y: radius * Math.cos(angle) };
  };
  // Beside the rim at the sides, above and below it in the middle.
  const rim = axes.map((axis, i) => {
    const anchor = anchorAt(at(i, 1).x);
    return { ...axis, ...at(i, anchor === "middle" ? 1.22 : 1.1), anchor };
  });
  const score = axes.map(({ value }, i) => at(i, value ?? 0));
  return figure(
    { title, description: describe(axes) },
    {
      height: 288,
      margin: 4,
      x: { domain: [-1.75, 1.75], axis: null },
      y: { domain: [-1.42, 1.42], axis: null },
      marks: [
        ...RINGS.map((radius) =>
          line(
            axes.map((_, i) => at(i, radius)),
            { x: "x", y: "y", curve: "linear-closed", stroke: "var(--line)" },
          ),
        ),
        link(
          axes.map((_, i) => at(i, 1)),
          { x1: 0, y1: 0, x2: "x", y2: "y", stroke: "var(--line)" },
        ),
        line(score, {
          x: "x",
          y: "y",
          curve: "linear-closed",
          stroke: color,
          strokeWidth: 2,
          fill: color,
          fillOpacity: 0.22,
        }),
        dot(score, { x: "x", y: "y", r: 3, fill: color }),
        ...(["start", "middle", "end"] as const).map((textAnchor) =>
          text(
            rim.filter(({ anchor }) => anchor === textAnchor),
            { x: "x", y: "y", textAnchor, text: ({ name, value }: ProfileAxis) => `${name}\n${percentOf(value)}` },
          ),
        ),
      ],
    },
  );
}

function anchorAt(x: number): "start" | "middle" | "end" {
  if (Math.abs(x) < 0.1) return "middle";
  return x > 0 ? "start" : "end";
}

/** The same as bars, with 95 % intervals and floors. */
export function profileBars(title: string, { series: { color }, axes }: BarsChart): Markup {
  return figure(
    { title, description: describe(axes) },
    {
      height: 34 + axes.length * 30,
      marginLeft: 62,
      marginRight: 64,
      marginTop: 4,
      marginBottom: 28,
      x: { domain: [0, 1], ticks: [0, 0.25, 0.5, 0.75, 1], tickFormat: percentTick, label: null },
      y: { domain: axes.map(({ name }) => name), label: null, tickSize: 0, padding: 0.35 },
      marks: [
        ruleX([0, 0.25, 0.5, 0.75, 1], { stroke: "var(--line)" }),
        barX(axes, { x: "value", y: "name", fill: color, fillOpacity: 0.55 }),
        ruleY(axes, { x1: "low", x2: "high", y: "name", stroke: "var(--ink)", strokeWidth: 1.5 }),
        tickX(
          axes.filter(({ floor }) => floor !== null && floor >= 0.005),
          { x: "floor", y: "name", stroke: "var(--amber)", strokeWidth: 2.5, insetTop: -4, insetBottom: -4 },
        ),
        text(axes, {
          y: "name",
          frameAnchor: "right",
          dx: 60,
          textAnchor: "end",
          text: ({ value }: ProfileAxis) => percentOf(value),
        }),
      ],
    },
  );
}

function describe(axes: readonly ProfileAxis[]): string {
  return axes
    .map(({ name, value, low, high }) => {
      const interval = low === null || high === null ? "" : ` (${percentOf(low)} to ${percentOf(high)})`;
      return `${name} ${percentOf(value)}${interval}`;
    })
    .join("; ");
}
