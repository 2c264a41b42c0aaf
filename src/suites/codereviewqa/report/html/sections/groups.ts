import { LANGUAGES } from "../../../../../base/language.js";
import type { Block, ChartBlock, IntervalPoint } from "../../../../../report/block.js";
import { type ColumnOf, intervalOf, lead, numberCell, tableOf, textCell } from "../../../../../report/make-block.js";
import type { BlockSection } from "../../../../../report/page-section.js";
import { CHANGE_TYPES } from "../../../example/example.js";
import type { SummaryRow } from "../../../metric/summary-row.js";
import type { ReportForm } from "../../data/probe-forms.js";
import type { ReportModel } from "../../data/report-data.js";
import type { PageParts } from "../page-parts.js";
import { seriesLegend } from "./series-legend.js";

type GroupBy = Exclude<SummaryRow["groupBy"], "overall">;

/** Scores by language. */
export function languageSection(parts: PageParts): BlockSection | null {
  return groupSection(parts, "language", LANGUAGES, { id: "languages", title: "By language" });
}

/** Scores by what the review asks for. */
export function changeTypeSection(parts: PageParts): BlockSection | null {
  return groupSection(parts, "change_type", CHANGE_TYPES, { id: "change-types", title: "By change type" });
}

/** `null` where all examples are of one group. */
function groupSection(
  parts: PageParts,
  groupBy: GroupBy,
  order: readonly string[],
  names: Pick<BlockSection, "id" | "title">,
): BlockSection | null {
  const { data, series } = parts;
  const groupsOf = (form: ReportForm) => {
    const asked = new Set(data.models.flatMap((model) => model.metrics.get(form)?.groups(groupBy) ?? []));
    return order.filter((group) => asked.has(group));
  };
  if (data.forms.every((form) => groupsOf(form).length < 2)) return null;
  const charts = data.forms.map((form): ChartBlock => {
    const points = groupsOf(form).flatMap((group) =>
      series.flatMap((one) => pointOf(one, form, groupBy, group, series.length === 1 ? "" : one.label)),
    );
    return { kind: "chart", title: `${form.name}: ${form.title}`, chart: { type: "intervals", points } };
  });
  const tables = data.models.map((model) => groupTable(model, data.forms, groupBy, order));
  return {
    ...names,
    blocks: [
      lead(
        "Share right under all orders (ACR: exact match), with its 95 % interval. Few questions make wide intervals: do " +
          "not read differences into them.",
      ),
      ...seriesLegend(series),
      { kind: "group", layout: "charts", blocks: charts },
      { kind: "details", summary: "The numbers", blocks: tables },
    ],
  };
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
  return [{ row: group, series: { ...one, label }, value, low, high, floor: null }];
}

function groupTable(
  model: ReportModel,
  forms: readonly ReportForm[],
  groupBy: GroupBy,
  order: readonly string[],
): Block {
  const asked = forms.filter((form) => model.metrics.get(form)?.isAsked === true);
  const groups = order.filter((group) => asked.some((form) => model.metrics.get(form)?.scoreOf(groupBy, group)));
  const label = groupBy === "language" ? "Language" : "Change type";
  return tableOf(
    `${model.name}: score (95 %; n)`,
    [
      { id: groupBy, label, align: "left", importance: 1, cell: (group) => textCell(group) },
      ...asked.map((form): ColumnOf<string> => {
        const cell = (group: string) => scoreCell(model.metrics.get(form)?.scoreOf(groupBy, group));
        return { id: form.name, label: form.name, align: "right", importance: 1, cell };
      }),
    ],
    groups,
  );
}

function scoreCell(row: SummaryRow | undefined) {
  const interval = intervalOf(row?.ciLow, row?.ciHigh);
  return numberCell(row?.value, "fraction", { interval, note: ["n = ", { value: row?.n ?? 0, format: "count" }] });
}
