import { LANGUAGES } from "../../../../../base/language.js";
import { CHANGE_TYPES } from "../../../../../dataset/example.js";
import type { Block, ChartBlock, IntervalPoint, LegendBlock } from "../../../../../report/block.js";
import { groupName } from "../../../../../report/leaderboard-blocks.js";
import {
  type ColumnOf,
  intervalOf,
  numberCell,
  sentence,
  tableOf,
  textCell,
} from "../../../../../report/make-block.js";
import type { SummaryRow } from "../../../metric/summary-row.js";
import type { ReportForm } from "../../data/probe-forms.js";
import type { ReportModel } from "../../data/report-data.js";
import type { Series } from "../../data/series.js";
import type { PageParts } from "../page-parts.js";

type GroupBy = Exclude<SummaryRow["groupBy"], "overall">;

/** Scores by language, drawn. */
export function languageBlocks(parts: PageParts): Block[] {
  return groupCharts(parts, "language", LANGUAGES);
}

/** Scores by what the review asks for; nothing where all examples are of one type. */
export function changeTypeBlocks(parts: PageParts): Block[] {
  const charts = groupCharts(parts, "change_type", CHANGE_TYPES);
  if (charts.length === 0) return [];
  const tables = parts.data.models.map((model) => groupTable(model, parts.data.forms, CHANGE_TYPES));
  return [
    {
      kind: "details",
      summary: "By change type",
      blocks: [sentence("Few questions make wide intervals: do not read differences into them."), ...tables, ...charts],
    },
  ];
}

function groupCharts({ data, series }: PageParts, groupBy: GroupBy, order: readonly string[]): Block[] {
  const groupsOf = (form: ReportForm) => {
    const asked = new Set(data.models.flatMap((model) => model.metrics.get(form)?.groups(groupBy) ?? []));
    return order.filter((group) => asked.has(group));
  };
  if (data.forms.every((form) => groupsOf(form).length < 2)) return [];
  const charts = data.forms.map((form): ChartBlock => {
    const points = groupsOf(form).flatMap((group) =>
      series.flatMap((one) => pointOf(one, form, groupBy, group, series.length === 1 ? "" : one.label)),
    );
    return { kind: "chart", title: `${form.name}: ${form.title}`, chart: { type: "intervals", points } };
  });
  return [...seriesLegend(series), { kind: "group", layout: "charts", blocks: charts }];
}

function pointOf(
  one: PageParts["series"][number],
  form: ReportForm,
  groupBy: GroupBy,
  group: string,
  label: string,
): IntervalPoint[] {
  const row = one.model.metrics.get(form)?.scoreOf(groupBy, group);
  if (row === undefined) return [];
  const { value, ciLow: low, ciHigh: high } = row;
  // By change type there is but one class: no majority to speak of.
  return [{ row: groupName(group), series: { ...one, label }, value, low, high, floor: null }];
}

function groupTable(model: ReportModel, forms: readonly ReportForm[], order: readonly string[]): Block {
  const asked = forms.filter((form) => model.metrics.get(form)?.isAsked === true);
  const groups = order.filter((group) => asked.some((form) => model.metrics.get(form)?.scoreOf("change_type", group)));
  return tableOf(
    `${model.name}: in percent (95 %; n)`,
    [
      { id: "change_type", label: "Change type", align: "left", importance: 1, cell: (group) => textCell(group) },
      ...asked.map((form): ColumnOf<string> => {
        const cell = (group: string) => scoreCell(model.metrics.get(form)?.scoreOf("change_type", group));
        return { id: form.name, label: form.name, align: "right", importance: 1, cell };
      }),
    ],
    groups,
  );
}

function scoreCell(row: SummaryRow | undefined) {
  const interval = intervalOf(row?.ciLow, row?.ciHigh);
  return numberCell(row?.value, "points", { interval, note: ["n = ", { value: row?.n ?? 0, format: "count" }] });
}

/** Which colour and symbol stands for which model; nothing for a single one. */
function seriesLegend(series: readonly Series[]): LegendBlock[] {
  if (series.length < 2) return [];
  const entries = series.map((one) => ({
    mark: "series" as const,
    series: one,
    label: one.label,
    name: one.model.name,
  }));
  return [{ kind: "legend", entries }];
}
