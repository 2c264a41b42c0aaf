import { countBy } from "../../../../base/grouping.js";
import { groupName, LANGUAGES } from "../../../../base/language.js";
import { type OptionIndex, symbolsFor } from "../../../../base/symbol.js";
import { CHANGE_TYPES } from "../../../../dataset/example.js";
import { formName } from "../../../../question/form.js";
import { permutationsOf } from "../../../../question/permutations.js";
import type { Block, ChartBlock, GroupBlock, LegendBlock } from "../../../../report/block.js";
import type { IntervalPoint, LetterShare } from "../../../../report/chart-data.js";
import {
  type ColumnOf,
  intervalOf,
  lead,
  numberCell,
  rightColumn,
  sentence,
  tableOf,
  textColumn,
} from "../../../../report/make-block.js";
import { proportion } from "../../../../stats/interval.js";
import type { SummaryRow } from "../../metric/summary-row.js";
import type { ReportForm } from "../probe-forms.js";
import type { ReportModel } from "../report-data.js";
import { type AskedQuestion, OUTCOME } from "../report-run.js";
import { optionCountOf, type PageParts, type Series } from "./page-parts.js";

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
    return { kind: "chart", title: `${form.label}: ${form.title}`, chart: { type: "intervals", points } };
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
  // A change type is but one class: no majority to speak of.
  return [{ row: groupName(group), series: { ...one, label }, value, low, high, floor: null }];
}

function groupTable(model: ReportModel, forms: readonly ReportForm[], order: readonly string[]): Block {
  const asked = forms.filter((form) => model.metrics.get(form)?.isAsked === true);
  const metrics = asked.map((form) => model.metrics.get(form));
  const groups = order.filter((group) => metrics.some((own) => own?.scoreOf("change_type", group)));
  const columns: ColumnOf<string>[] = [
    textColumn("change_type", "Change type", (group) => group),
    ...asked.map(({ label }, i) =>
      rightColumn<string>(label, label, (group) => scoreCell(metrics[i]?.scoreOf("change_type", group))),
    ),
  ];
  return tableOf(`${model.name}: in percent (95 %; n)`, columns, groups);
}

function scoreCell(row: SummaryRow | undefined) {
  const interval = intervalOf(row?.ciLow, row?.ciHigh);
  return numberCell(row?.value, "points", { interval, note: ["n = ", { value: row?.n ?? 0, format: "count" }] });
}

/** Legend of the models' colours and symbols; none for a single one. */
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

const RIGHT_OPTION = 0 as OptionIndex;

/** Charts of the letters chosen, and of right answers by the letter of the right option. */
export function letterBlocks({ data, series }: PageParts): Block[] {
  const forms = data.forms.filter((form) => optionCountOf(form) > 0);
  if (forms.length === 0) return [];
  const charts = (title: string, share: typeof chosenShares, isEven: boolean): GroupBlock => {
    const blocks = forms.map((form): ChartBlock => {
      const count = optionCountOf(form);
      const asked = series.filter(({ model }) => model.metrics.get(form)?.isAsked === true);
      const shares = asked.flatMap((one) => share(one, questionsOf(one.model, form), count));
      const chart = { type: "letters", shares, even: isEven ? 1 / count : null } as const;
      return { kind: "chart", title: `${form.label}: ${title}`, chart };
    });
    return { kind: "group", layout: "charts", blocks };
  };
  return [
    lead(
      "Over all orders every option stands at every letter equally often: a model that reads the options chooses each " +
        "letter equally often (the dashed line), whatever it knows.",
    ),
    charts("letters chosen", chosenShares, true),
    lead("Right answers by the letter at which the right option stands. Level bars: the place does not matter."),
    charts("orders answered right", rightShares, false),
  ];
}

export function questionsOf({ metrics, questions }: ReportModel, form: ReportForm): AskedQuestion[] {
  if (metrics.get(form)?.isAsked !== true) return [];
  return questions.filter(({ score }) => formName(score) === form.name);
}

function chosenShares(series: Series, questions: readonly AskedQuestion[], optionCount: number): LetterShare[] {
  const counts = countBy(questions.flatMap(({ outcomes }) => [...outcomes]));
  const letters = symbolsFor(optionCount);
  const n = letters.reduce((sum, _, i) => sum + (counts.get(i) ?? 0), 0);
  return letters.map((letter, i) => ({ series, letter, share: proportion(counts.get(i) ?? 0, n)?.value ?? null }));
}

/** Shares of the orders that were asked and did not fail; an undecided one is not right. */
function rightShares(series: Series, questions: readonly AskedQuestion[], optionCount: number): LetterShare[] {
  const positions = permutationsOf(optionCount).map((order) => order.indexOf(RIGHT_OPTION));
  const letters = symbolsFor(optionCount);
  const right = letters.map(() => 0);
  const answered = letters.map(() => 0);
  for (const { outcomes } of questions) {
    outcomes.forEach((outcome, i) => {
      const position = positions[i] ?? 0;
      if (outcome === OUTCOME.failed || outcome === OUTCOME.notAsked) return;
      answered[position] = (answered[position] ?? 0) + 1;
      if (outcome === position) right[position] = (right[position] ?? 0) + 1;
    });
  }
  return letters.map((letter, i) => ({
    series,
    letter,
    share: proportion(right[i] ?? 0, answered[i] ?? 0)?.value ?? null,
  }));
}
