import type { LegendBlock } from "../../../../../report/block.js";
import type { Series } from "../../data/series.js";

/** Which colour and symbol stands for which model; nothing for a single one. */
export function seriesLegend(series: readonly Series[]): LegendBlock[] {
  if (series.length < 2) return [];
  const entries = series.map((one) => ({
    mark: "series" as const,
    series: one,
    label: one.label,
    name: one.model.name,
  }));
  return [{ kind: "legend", entries }];
}
