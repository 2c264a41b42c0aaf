import { mean } from "simple-statistics";
import { formName } from "../../../../question/form.js";
import type { Block, ChartBlock } from "../../../../report/block.js";
import {
  boundedColumn,
  type ColumnOf,
  lead,
  numberColumn,
  tableOf,
  textColumn,
  when,
} from "../../../../report/make-block.js";
import type { SummaryRow } from "../../metric/summary-row.js";
import type { FormMetrics, ReportForm } from "../probe-forms.js";
import type { ReportModel } from "../report-data.js";
import { seriesLegend } from "./groups-section.js";
import type { PageParts } from "./page-parts.js";

/** A form that a model answered after thoughts. */
interface ThoughtForm {
  readonly model: ReportModel;
  readonly form: ReportForm;
  readonly metrics: FormMetrics;
}

const measured = (metric: SummaryRow["metric"]) => (row: ThoughtForm) => row.metrics.overall(metric);
const numberOf = (metric: SummaryRow["metric"]) => (row: ThoughtForm) => row.metrics.overall(metric)?.value;

const NAMES: readonly ColumnOf<ThoughtForm>[] = [
  textColumn("model", "Model", ({ model }) => model.name),
  textColumn("form", "Probe", ({ form }) => form.name),
];

const COLUMNS: readonly ColumnOf<ThoughtForm>[] = [
  ...NAMES,
  numberColumn("tokens", "Tokens", "short", numberOf("thinking_tokens")),
  boundedColumn("correlation", "Length and bias (95 %)", "coefficient", measured("thought_bias_correlation")),
  ...([1, 2, 3, 4] as const).map((k) =>
    numberColumn<ThoughtForm>(`q${k}`, `Bias, quarter ${k}`, "coefficient", numberOf(`thought_bias_q${k}`)),
  ),
];

const TRACE_COLUMNS: readonly ColumnOf<ThoughtForm>[] = [
  ...NAMES,
  numberColumn("settled", "Settled at", "fraction", numberOf("settled_at")),
  numberColumn("switches", "Switches", "ratio", numberOf("answer_switches")),
  numberColumn("left", "Left the right option", "fraction", numberOf("left_right_option")),
  numberColumn("left_for", "For the commonest letter", "fraction", numberOf("left_right_for_preferred")),
];

/** What thoughts do to the order of the options, and the answer along them; nothing of models without thoughts. */
export function thoughtBlocks(parts: PageParts): Block[] {
  const { models, forms } = parts.data;
  const rows = models.flatMap((model) =>
    forms.flatMap((form): ThoughtForm[] => {
      const metrics = model.metrics.get(form);
      return metrics?.overall("thinking_tokens") === undefined ? [] : [{ model, form, metrics }];
    }),
  );
  if (rows.length === 0) return [];
  const traced = rows.filter(({ metrics }) => metrics.overall("settled_at") !== undefined);
  const look = { isSortable: true, isCompact: true };
  return [
    lead(
      "Thoughts: does the place of an option decide the more, the longer the model thinks? Length and bias: rank " +
        "correlation over questions, accuracy held fixed; above 0 it does. Quarters: mean position bias of the questions " +
        "from the shortest thoughts to the longest; 0 where each letter is chosen equally often.",
    ),
    tableOf("Thoughts and the order of the options", COLUMNS, rows, look),
    ...when(traced.length > 0, tableOf("The answer along the thoughts", TRACE_COLUMNS, traced, look)),
    ...curves(parts),
  ];
}

/** Shares right after each part of the thoughts, where they were traced. */
function curves({ data, series }: PageParts): Block[] {
  const charts = data.forms.flatMap((form): ChartBlock[] => {
    const lines = series.flatMap((one) => {
      const values = rightAlong(one.model, form);
      return values.length === 0 ? [] : [{ series: one, values }];
    });
    const chart = { type: "curve", curves: lines, label: "part of the thoughts" } as const;
    return lines.length === 0 ? [] : [{ kind: "chart", title: `${form.name}: right along the thoughts`, chart }];
  });
  return charts.length === 0 ? [] : [...seriesLegend(series), { kind: "group", layout: "charts", blocks: charts }];
}

/** Mean share right after each part, over the questions of a form that have all parts. */
function rightAlong({ questions }: ReportModel, form: ReportForm): number[] {
  const traces = questions.flatMap(({ score }) =>
    formName(score) === form.name && score.trace !== undefined ? [score.trace.rightAt] : [],
  );
  const parts = Math.max(0, ...traces.map(({ length }) => length));
  const whole = traces.filter(({ length }) => length === parts);
  return Array.from({ length: parts }, (_, part) => mean(whole.map((right) => right[part] ?? 0)));
}
