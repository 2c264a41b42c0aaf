import { WITHHELD } from "../../../question/form.js";
import type { Block, Cell, Inline } from "../../../report/block.js";
import { judgementParts, WORTH_QUESTION } from "../../../report/judgement-words.js";
import {
  boundedColumn,
  type ColumnOf,
  MISSING,
  numberCell,
  numberColumn,
  rightColumn,
  sentence,
  tableOf,
  textColumn,
} from "../../../report/make-block.js";
import type { Judgement } from "../../../verdict/judgement.js";
import { formLabel } from "../../../verdict/verdict.js";
import type { SummaryRow } from "../metric/summary-row.js";

/** Looks up an overall metric of one probe form. */
export type FindMetric = (name: SummaryRow["metric"]) => SummaryRow | undefined;

/** Judgement of a form's score (spec §7); `null` where that was not judged. */
export function judgementOf(metric: FindMetric): Judgement | null {
  return (metric("invariant_accuracy") ?? metric("em"))?.detail?.judgement ?? null;
}

/** Effects of a form's ablations, a sentence each; none where nothing was withheld. */
export function gainTexts(metric: FindMetric): string[] {
  return WITHHELD.flatMap((withheld) => metric(`${withheld}_gain`)?.detail?.gain ?? []);
}

/** The overall metrics of one probe form. */
export interface FormScores {
  /** Such as `CL easy`. */
  readonly name: string;
  readonly metric: FindMetric;
  /** Its score where words do not suffice: on the questions that the fitted lexical rule gets wrong. */
  readonly beyondWords?: SummaryRow | undefined;
}

/** Such as `CL easy`, or `CL easy, 4 of 24 orders` where these are not all. */
function nameUnderOrders({ name, metric }: Pick<FormScores, "name" | "metric">): string {
  const orders = metric("invariant_accuracy")?.detail?.orders;
  return formLabel({ name, orders });
}

/** A share of fewer questions than the form has, with their number. */
export function shareOfCell(row: SummaryRow | undefined): Cell {
  return numberCell(row?.value, "fraction", { note: ["of ", { value: row?.n ?? 0, format: "count" }] });
}

/** Mean accuracy, with its number of questions where some are left out as they lost orders. */
function meanCell({ metric }: FormScores): Cell {
  const row = metric("mean_accuracy");
  return losesOrders({ metric }) ? shareOfCell(row) : numberCell(row?.value, "fraction");
}

/** Of no question is it where early stop drew no first order (runs of before): none is lost by that. */
function losesOrders({ metric }: Pick<FormScores, "metric">): boolean {
  const { n } = metric("mean_accuracy") ?? {};
  if (n === 0) return (metric("invariant_lost_rate")?.value ?? 0) > 0;
  return n !== undefined && n < (metric("invariant_accuracy")?.n ?? 0);
}

/**
 * Explains the mean accuracy of forms that lost orders, and tells their share of lost questions; nothing without any.
 * @param isOneOrder mean accuracy is of the first order of each question (`--early-stop`)
 */
export function lostBlocks(forms: readonly FormScores[], isOneOrder: boolean): Block[] {
  const losing = forms.filter(losesOrders);
  if (losing.length === 0) return [];
  const shares = losing.flatMap(({ name, metric }, i): Inline[] => [
    `${i === 0 ? "" : ", "}${name} `,
    { value: metric("invariant_lost_rate")?.value ?? null, format: "fraction" },
  ]);
  return [
    sentence(
      `Mean accuracy in the table: of the questions ${isOneOrder ? "whose first order was answered" : "that lost no order"}; ` +
        "the verdict counts lost orders as wrong. " +
        "Questions not right only because orders failed, were undecided or not asked: ",
      ...shares,
      ".",
    ),
  ];
}

/** The best no-read rule. */
const floorColumn: ColumnOf<FormScores> = rightColumn("floor", "floor", ({ metric }) => floorCell(metric));

/** The columns of every table of scores: of the end of a run, of a job's page and of the report. */
const SCORE_COLUMNS: readonly ColumnOf<FormScores>[] = [
  textColumn("probe", "probe", nameUnderOrders),
  numberColumn("n", "n", "count", ({ metric }) => metric("invariant_accuracy")?.n ?? 0),
  boundedColumn(
    "invariant_accuracy",
    "invariant accuracy (95 %)",
    "fraction",
    ({ metric }) => metric("invariant_accuracy"),
    { shortLabel: "invariant (95 %)" },
  ),
  rightColumn("beyond_words", "where words fail", ({ beyondWords }) => shareOfCell(beyondWords), {
    importance: 1,
    shortLabel: "words fail",
  }),
  rightColumn("mean_accuracy", "mean accuracy", meanCell, { shortLabel: "mean", importance: 2 }),
  floorColumn,
  rightColumn("words_floor", "floor of words", ({ metric }) => wordsCell(metric), {
    importance: 2,
    shortLabel: "words",
  }),
  { ...rate("plurality_agreement", "agreement"), importance: 2 },
  { ...rate("plurality_agreement_null", "guessing"), importance: 2 },
  rightColumn("position_bias", "commonest letter", ({ metric }) => letterCell(metric("position_bias")), {
    importance: 3,
    shortLabel: "letter",
  }),
  { ...rate("symbol_mass", "letter mass"), shortLabel: "mass" },
  rate("undecided_rate", "undecided"),
  rate("failure_rate", "failed"),
];

function rate(id: SummaryRow["metric"], label: string): ColumnOf<FormScores> {
  return numberColumn(id, label, "fraction", ({ metric }) => metric(id)?.value, { importance: 3 });
}

/** The highest score of a rule that does not read the review; `null` where it is not known. */
export function floorOf(metric: FindMetric): number | null {
  return metric("floor_no_read")?.value ?? judgementOf(metric)?.floor ?? null;
}

function floorCell(metric: FindMetric): Cell {
  const floor = floorOf(metric);
  const rule = metric("floor_no_read")?.detail?.rule ?? judgementOf(metric)?.floorRule ?? "a rule";
  return floor === null ? MISSING : numberCell(floor, "fraction", { note: [rule] });
}

function wordsCell(metric: FindMetric): Cell {
  const row = metric("floor_lexical");
  return row?.value == null ? MISSING : numberCell(row.value, "fraction", { note: [row.detail?.rule ?? "a rule"] });
}

function letterCell(row: SummaryRow | undefined): Cell {
  const symbol = row?.detail?.symbol;
  return numberCell(row?.value, "fraction", symbol === undefined ? {} : { name: symbol });
}

/** A table of the forms that are chosen from options. */
export function scoreTable(forms: readonly FormScores[], caption: string | null): Block {
  return tableOf(caption, SCORE_COLUMNS, forms);
}

/** Judgement of each score, one line a form; and the effect of what was withheld, one line an ablation. */
export function judgementBlocks(forms: readonly FormScores[]): Block[] {
  const gains = forms.flatMap(({ name, metric }) => gainTexts(metric).map((text): Inline[] => [`${name}: `, text]));
  return [
    sentence(WORTH_QUESTION),
    {
      kind: "list",
      items: forms.flatMap(judgementItems),
    },
    ...gainBlocks(gains),
  ];
}

/** Judgement of a form, in a line; none of a control. */
function judgementItems(form: FormScores): Inline[][] {
  const { metric } = form;
  if (metric("invariant_accuracy")?.ablation !== undefined) return [];
  const judgement = judgementOf(metric);
  return [[`${nameUnderOrders(form)}: `, ...(judgement === null ? ["unknown"] : judgementParts(judgement))]];
}

/** A list of what ablations say, under the question they answer; nothing without any. */
export function gainBlocks(gains: readonly (readonly Inline[])[]): Block[] {
  return gains.length === 0
    ? []
    : [sentence("Do the answers depend on what is shown?"), { kind: "list", items: gains }];
}

/** `true`: the text is code, scored as the paper does, and not an answer that its probe scores itself. */
export function isCode(metric: FindMetric): boolean {
  return metric("no_answer_rate") === undefined;
}

/** The column of the measure that the probe defines, such as Jaccard. */
function gradedColumn(metric: FindMetric): ColumnOf<FormScores>[] {
  const graded = metric("em")?.detail?.graded;
  if (graded === undefined) return [];
  const { name: id, title } = graded;
  const label = `${title} (95 %)`;
  return [boundedColumn(id, label, "fraction", ({ metric: find }) => find(id))];
}

function columnsOf(form: FormScores): ColumnOf<FormScores>[] {
  return [
    textColumn("probe", "probe", ({ name }) => name),
    numberColumn("n", "n", "count", ({ metric }) => metric("em")?.n ?? 0),
    boundedColumn("em", "exact match (95 %)", "fraction", ({ metric }) => metric("em")),
    floorColumn,
    ...gradedColumn(form.metric),
    numberColumn("no_answer_rate", "no answer", "fraction", ({ metric }) => metric("no_answer_rate")?.value, {
      importance: 2,
    }),
    { ...rate("failure_rate", "failed"), importance: 2 },
  ];
}

/** Answers that were written without options, and their judgement. */
export function openAnswerBlocks(form: FormScores, caption: string | null): Block[] {
  return [
    tableOf(caption, columnsOf(form), [form]),
    sentence(WORTH_QUESTION),
    { kind: "list", items: judgementItems(form) },
  ];
}
