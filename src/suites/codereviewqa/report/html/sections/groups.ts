import { LANGUAGES } from "../../../../../base/language.js";
import { CHANGE_TYPES } from "../../../example/example.js";
import type { SummaryRow } from "../../../metric/summary-row.js";
import type { ReportForm } from "../../data/probe-forms.js";
import type { ReportModel } from "../../data/report-data.js";
import { fraction } from "../../verdict.js";
import { type IntervalPoint, intervalChart } from "../charts/intervals.js";
import { legend } from "../charts/legend.js";
import { type Markup, markup } from "../markup.js";
import type { PageParts } from "../page-parts.js";
import { numbersMarkup, type Section, type TableCell, tableMarkup } from "../section.js";

type GroupBy = Exclude<SummaryRow["groupBy"], "overall">;

/** Scores by language. */
export function languageSection(parts: PageParts): Section | null {
  return groupSection(parts, "language", LANGUAGES, { id: "languages", title: "By language" });
}

/** Scores by what the review asks for. */
export function changeTypeSection(parts: PageParts): Section | null {
  return groupSection(parts, "change_type", CHANGE_TYPES, { id: "change-types", title: "By change type" });
}

/** `null` where all examples are of one group. */
function groupSection(
  parts: PageParts,
  groupBy: GroupBy,
  order: readonly string[],
  { id, title }: Pick<Section, "id" | "title">,
): Section | null {
  const { data, series } = parts;
  const groupsOf = (form: ReportForm) => {
    const asked = new Set(data.models.flatMap((model) => model.metrics.get(form)?.groups(groupBy) ?? []));
    return order.filter((group) => asked.has(group));
  };
  if (data.forms.every((form) => groupsOf(form).length < 2)) return null;
  const charts = data.forms.map((form) =>
    intervalChart(
      `${form.name}: ${form.title}`,
      groupsOf(form).flatMap((group) =>
        series.flatMap((one) => pointOf(one, form, groupBy, group, series.length === 1 ? "" : one.label)),
      ),
    ),
  );
  const body = markup`<p class="lead">Share right under all orders (ACR: exact match), with its 95 % interval. Few questions make wide intervals: do not read differences into them.</p>${series.length > 1 && legend(series)}<div class="charts">${charts}</div>${numbersMarkup(...data.models.map((model) => groupTable(model, data.forms, groupBy, order)))}`;
  return { id, title, body };
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
): Markup {
  const asked = forms.filter((form) => model.metrics.get(form)?.isAsked === true);
  const groups = order.filter((group) => asked.some((form) => model.metrics.get(form)?.scoreOf(groupBy, group)));
  return tableMarkup({
    caption: `${model.name}: score (95 %; n)`,
    head: [groupBy === "language" ? "Language" : "Change type", ...asked.map(({ name }) => name)],
    rows: groups.map((group): (TableCell | string)[] => [
      group,
      ...asked.map((form): TableCell => {
        const row = model.metrics.get(form)?.scoreOf(groupBy, group);
        if (row === undefined || row.value === null) return { text: "–" };
        const interval = row.ciLow === null ? "" : `${fraction(row.ciLow)}–${fraction(row.ciHigh)}; `;
        return { text: markup`${fraction(row.value)} <small>(${interval}${row.n})</small>`, sort: row.value };
      }),
    ]),
  });
}
