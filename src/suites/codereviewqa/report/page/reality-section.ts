import { quantile } from "simple-statistics";
import { permutationsOf } from "../../../../question/permutations.js";
import type { Block, ChartBlock, Inline } from "../../../../report/block.js";
import type { MarginSet } from "../../../../report/chart-data.js";
import { highestBar } from "../../../../report/html.js";
import {
  type ColumnOf,
  lead,
  numberCell,
  rightColumn,
  sentence,
  tableOf,
  textCell,
  textColumn,
} from "../../../../report/make-block.js";
import type { BlockSection } from "../../../../report/page.js";
import { scoreboard } from "../../../../verdict/scoreboard.js";
import { contaminationTable, detailBlocks } from "../../audit/audit-blocks.js";
import type { AuditReport } from "../../audit/known-audits.js";
import { isStoppedEarly } from "../../metric/question-score.js";
import { generationBlocks } from "../generation-blocks.js";
import type { ReportForm } from "../probe-forms.js";
import type { ReportModel } from "../report-data.js";
import type { AskedQuestion } from "../report-run.js";
import { gainBlocks, gainTexts, openAnswerBlocks } from "../score-blocks.js";
import { letterBlocks, questionsOf } from "./groups-section.js";
import type { PageParts } from "./page-parts.js";
import { thoughtBlocks } from "./thought-blocks.js";

/** Evidence for the scores: stability over orders, ablations, contamination, other ways to compare. */
export function realSection(parts: PageParts): BlockSection {
  const { models, forms } = parts.data;
  return {
    id: "real",
    title: "Is it real?",
    blocks: [
      ...stability(byScore(models), forms),
      ...thoughtBlocks(parts),
      ...gainBlocks(models.flatMap((model) => gainItems(model, forms, models.length > 1))),
      ...contamination(parts.audits),
      ...folded("Letters chosen, and right answers by letter", ofAllOrders(parts, letterBlocks)),
      ...folded("How sure: margins of right and wrong answers", ofAllOrders(parts, marginBlocks)),
      ...folded("Written revisions (ACR), compared in other ways", written(models, forms, false)),
      ...folded("Answers without options (CLO)", written(models, forms, true)),
    ],
  };
}

/** The best first, as on top of the page. */
function byScore(models: readonly ReportModel[]): ReportModel[] {
  const order = scoreboard(models.map(({ verdicts }) => verdicts)).rows.map(({ runId }) => runId);
  return models.toSorted((a, b) => order.indexOf(a.run.run_id) - order.indexOf(b.run.run_id));
}

function folded(summary: string, blocks: readonly Block[]): Block[] {
  return blocks.length === 0 ? [] : [{ kind: "details", summary, blocks }];
}

/** Blocks of the answers under single orders; those that an early stop leaves are a biased pick of them, and left out. */
function ofAllOrders(parts: PageParts, blocksOf: (parts: PageParts) => Block[]): Block[] {
  const early = parts.series.filter(({ model }) => isStoppedEarly(model.run));
  const all = blocksOf(parts);
  if (early.length === 0 || all.length === 0) return all;
  const series = parts.series.filter((one) => !early.includes(one));
  const names = early.map(({ model }) => model.name).join(", ");
  return [
    sentence(`Not shown of ${names}: with an early stop the orders that were asked depend on what was answered.`),
    ...(series.length === 0 ? [] : blocksOf({ ...parts, series })),
  ];
}

/** Agreement over all orders of the options, beside what guessing reaches. */
function stability(models: readonly ReportModel[], forms: readonly ReportForm[]): Block[] {
  const chosen = forms.filter(({ probe, ablation }) => probe.kind === "choice" && ablation === undefined);
  if (chosen.length === 0) return [];
  const guessing = (form: ReportForm) =>
    models
      .map(({ metrics }) => metrics.get(form)?.overall("plurality_agreement_null")?.value)
      .find((value) => value != null);
  const columns: ColumnOf<ReportModel>[] = [
    textColumn("model", "Model", ({ name }) => name),
    ...chosen.map((form): ColumnOf<ReportModel> => {
      const cell = ({ metrics }: ReportModel) =>
        numberCell(metrics.get(form)?.overall("plurality_agreement")?.value, "points");
      return rightColumn(form.label, form.label, cell);
    }),
  ];
  const reference = [textCell("Guessing"), ...chosen.map((form) => numberCell(guessing(form), "points"))];
  return [
    lead(
      "Stable answers agree whatever the order of the options. Agreement no better than guessing, or one letter again and " +
        "again, is no answer at all.",
    ),
    tableOf("Agreement over orders (PPA), in percent", columns, models, {
      isSortable: true,
      isCards: true,
      references: [reference],
    }),
  ];
}

/** Effects of a model's ablations, a line each. */
function gainItems(model: ReportModel, forms: readonly ReportForm[], isNamed: boolean): Inline[][] {
  return forms.flatMap((form) => {
    const metrics = model.metrics.get(form);
    const name = isNamed ? `${model.name}, ${form.label}: ` : `${form.label}: `;
    return metrics === undefined ? [] : gainTexts(metrics.find).map((text) => [name, text]);
  });
}

/** Knowledge of the texts before anything is asked (paper, Table 4). */
function contamination(audits: readonly AuditReport[]): Block[] {
  if (audits.length === 0) return [];
  return [
    contaminationTable(audits),
    lead(
      "Low perplexity and many 5-grams continued word for word, compared with another benchmark or with renamed code, " +
        "suggest that a model has seen the texts.",
    ),
    ...folded(
      "By probe and language, differences, what stands out, and how it was measured",
      audits.flatMap((audit) => detailBlocks(audit)),
    ),
  ];
}

/** Written texts: code, or answers that their probe scores itself. */
function written(models: readonly ReportModel[], forms: readonly ReportForm[], isOpen: boolean): Block[] {
  return forms
    .filter(({ probe }) => probe.kind === "generation" && (probe.scoring !== undefined) === isOpen)
    .flatMap((form) => models.flatMap((model) => writtenBlocks(model, form, isOpen)));
}

function writtenBlocks(model: ReportModel, form: ReportForm, isOpen: boolean): Block[] {
  const metrics = model.metrics.get(form);
  if (metrics?.isAsked !== true) return [];
  const scores = { name: form.name, metric: metrics.find };
  if (isOpen) return openAnswerBlocks(scores, model.name);
  const own = model.generations.filter(({ task }) => task === form.task);
  const count = (status: string) => own.filter((each) => each.status === status).length;
  const counts = {
    complete: count("complete"),
    truncated: count("truncated"),
    empty: count("empty"),
    failed: count("failed"),
  };
  return generationBlocks(scores, counts, `${model.name}: exact match, n = ${own.length}`);
}

/** Margins of right and of wrong answers; none without log probabilities. */
function marginBlocks({ data, series }: PageParts): Block[] {
  const sets = data.forms
    .flatMap((form) => series.map((one) => ({ form, one, set: marginSet(questionsOf(one.model, form)) })))
    .filter(({ set }) => set.right.length + set.wrong.length > 0);
  if (sets.length === 0) return [];
  // One axis for all. The few above are drawn in the last bar, so that they do not flatten the rest.
  const end = niceEnd(Math.max(...sets.map(({ set }) => quantile([...set.right, ...set.wrong], 0.99))));
  const top = Math.max(...sets.map(({ set }) => highestBar(set, end)));
  const charts = sets.map(({ form, one, set }): ChartBlock => {
    const title = series.length > 1 ? `${form.label}: ${one.label}` : form.label;
    return { kind: "chart", title, chart: { type: "margins", ...set, end, top } };
  });
  return [
    lead(
      "By how much the chosen letter leads the second, in nats, over all answers: 0.7 is twice as probable, 2.3 ten " +
        "times. Wrong answers with large margins are not slips. The last bar holds all that is above.",
    ),
    {
      kind: "legend",
      entries: [
        { mark: "right", label: "right" },
        { mark: "wrong", label: "wrong" },
      ],
    },
    { kind: "group", layout: "charts", blocks: charts },
  ];
}

function marginSet(questions: readonly AskedQuestion[]): MarginSet {
  const right: number[] = [];
  const wrong: number[] = [];
  for (const { margins, outcomes, optionCount } of questions) {
    const orders = permutationsOf(optionCount);
    margins.forEach((margin, i) => {
      if (Number.isNaN(margin)) return;
      const isRight = orders[i]?.[outcomes[i] ?? optionCount] === 0;
      (isRight ? right : wrong).push(margin);
    });
  }
  return { right: Float64Array.from(right), wrong: Float64Array.from(wrong) };
}

/** A round number that is not below. */
function niceEnd(value: number): number {
  if (value <= 0) return 1;
  const unit = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 4, 5, 10].find((factor) => factor * unit >= value) ?? 10) * unit;
}
