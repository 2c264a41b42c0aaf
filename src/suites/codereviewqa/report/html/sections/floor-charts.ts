import type { Block, ChartBlock, IntervalPoint } from "../../../../../report/block.js";
import { notice } from "../../../../../report/make-block.js";
import type { ReportForm } from "../../data/probe-forms.js";
import type { Series } from "../../data/series.js";
import { floorOf } from "../../scores.js";
import type { PageParts } from "../page-parts.js";

/** Scores with their intervals, floors as ticks. */
export function floorCharts({ data, series }: PageParts): Block[] {
  const cut =
    series.length < data.models.length
      ? [
          notice(
            "warning",
            `Charts show the first ${series.length} of ${data.models.length} models; tables and browser have all.`,
          ),
        ]
      : [];
  return [
    { kind: "legend", entries: [{ mark: "floor", label: "floor: reached without reading the question" }] },
    ...cut,
    { kind: "group", layout: "charts", blocks: charts(data.forms, series) },
  ];
}

function charts(forms: readonly ReportForm[], series: readonly Series[]): ChartBlock[] {
  const [only] = series;
  if (series.length === 1 && only !== undefined) {
    const points = forms.flatMap((form) => pointOf(form, only, form.name));
    return [{ kind: "chart", title: "Score by probe", chart: { type: "intervals", points } }];
  }
  return forms.map((form) => {
    const points = series.flatMap((one) => pointOf(form, one, one.label));
    return { kind: "chart", title: `${form.name}: ${form.title}`, chart: { type: "intervals", points } };
  });
}

function pointOf(form: ReportForm, one: Series, row: string): IntervalPoint[] {
  const metrics = one.model.metrics.get(form);
  if (metrics?.isAsked !== true) return [];
  const { value = null, ciLow: low = null, ciHigh: high = null } = metrics.score ?? {};
  const floor = floorOf(metrics.find)?.value ?? null;
  return [{ row, series: { ...one, label: "" }, value, low, high, floor }];
}
