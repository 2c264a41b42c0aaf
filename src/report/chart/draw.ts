import type { Markup } from "../../web/markup.js";
import type { ChartBlock } from "../block.js";
import { intervalChart } from "./intervals.js";
import { letterChart } from "./letters.js";
import { marginChart } from "./margins.js";

/** A chart as an SVG with a title, and its numbers in words. */
export function chartMarkup({ title, chart }: ChartBlock): Markup {
  switch (chart.type) {
    case "intervals":
      return intervalChart(title, chart.points);
    case "letters":
      return letterChart(title, chart.shares, chart.even);
    case "margins":
      return marginChart(title, chart, chart.end);
  }
}
