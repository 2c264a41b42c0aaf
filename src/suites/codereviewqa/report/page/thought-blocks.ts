import { mean } from "simple-statistics";
import { modelName } from "../../../../model/vendor/model-name.js";
import type { Block, ChartBlock } from "../../../../report/block.js";
import {
  boundedColumn,
  type ColumnOf,
  heading,
  lead,
  numberColumn,
  tableOf,
  textColumn,
  when,
} from "../../../../report/make-block.js";
import { type GainingRun, verdictsOf } from "../../../../run/compare/compare-runs.js";
import { gainBlocks } from "../../../../run/compare/comparison-blocks.js";
import { compareVerdicts } from "../../../../verdict/paired-comparison.js";
import type { SummaryRow } from "../../metric/summary-row.js";
import { designOf, thinkOf } from "../../record/run-file.js";
import type { FormMetrics, ReportForm } from "../probe-forms.js";
import type { ReportModel } from "../report-data.js";
import { questionsOf, seriesLegend } from "./groups-section.js";
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
  textColumn("form", "Probe", ({ form }) => form.label),
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
    return lines.length === 0 ? [] : [{ kind: "chart", title: `${form.label}: right along the thoughts`, chart }];
  });
  return charts.length === 0 ? [] : [...seriesLegend(series), { kind: "group", layout: "charts", blocks: charts }];
}

/** Mean share right after each part, over the questions of a form that have all parts. */
function rightAlong(model: ReportModel, form: ReportForm): number[] {
  const traces = questionsOf(model, form).flatMap(({ score: { trace } }) =>
    trace === undefined ? [] : [trace.rightAt],
  );
  const parts = Math.max(0, ...traces.map(({ length }) => length));
  const whole = traces.filter(({ length }) => length === parts);
  return Array.from({ length: parts }, (_, part) => mean(whole.map((right) => right[part] ?? 0)));
}

const BOOTSTRAP = { seed: 0, resamples: 10_000 };

/** Gain of thinking, of each model that was asked the same with thoughts and without; nothing where none was. */
export function thinkingGain({ data: { models } }: PageParts): Block[] {
  const pairs = models.filter(isThinking).flatMap((candidate) => {
    const baseline = models.find((model) => !isThinking(model) && isAskedAlike(model, candidate));
    return baseline === undefined ? [] : [{ baseline, candidate }];
  });
  if (pairs.length === 0) return [];
  const gains = pairs.map(({ baseline, candidate }) => ({
    baseline: gaining(baseline),
    candidate: gaining(candidate),
  }));
  const rows = compareVerdicts(gains.map(verdictsOf), BOOTSTRAP);
  return [
    heading(3, "What thinking buys"),
    ...pairs.flatMap(({ baseline, candidate }, i): Block[] => {
      const [before, after] = [baseline, candidate].map((model) => thinkText(model));
      const gain = gains[i];
      return gain === undefined
        ? []
        : [
            lead(`${modelName(candidate.run.model)}: --think ${after} (candidate) against ${before} (baseline).`),
            ...gainBlocks({ ...gain, rows: rows[i] ?? [] }),
          ];
    }),
  ];
}

function gaining({ run, verdicts }: ReportModel): GainingRun {
  return { run, score: { verdicts } };
}

function thinkText(model: ReportModel): string {
  const think = thinkOf(model.run);
  return String(think ?? model.run.model.identity["thoughts"] ?? "nothing said of thoughts");
}

function isThinking(model: ReportModel): boolean {
  return ![null, "off"].includes(thinkOf(model.run) as null);
}

function isAskedAlike(one: ReportModel, other: ReportModel): boolean {
  const askedOf = ({ run }: ReportModel) =>
    JSON.stringify([
      modelName(run.model),
      run.dataset.selection_sha256,
      run.parameters["prompt_mode"],
      designOf(run).orders,
    ]);
  return askedOf(one) === askedOf(other);
}
