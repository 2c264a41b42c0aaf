import type { Block, Cell, Inline } from "../../../report/block.js";
import {
  boundedCell,
  type ColumnOf,
  MISSING,
  numberCell,
  sentence,
  tableOf,
  textCell,
} from "../../../report/make-block.js";
import type { SummaryRow } from "../metric/summary-row.js";
import { type FindMetric, judgeForm, verdictParts } from "./verdict.js";

/** The overall metrics of one probe form. */
export interface FormScores {
  /** Such as `CL easy`. */
  readonly name: string;
  readonly metric: FindMetric;
}

/** The columns of every table of scores: of the end of a run, of a job's page and of the report. */
export const SCORE_COLUMNS: readonly ColumnOf<FormScores>[] = [
  { id: "probe", label: "probe", align: "left", importance: 1, cell: ({ name }) => textCell(name) },
  {
    id: "n",
    label: "n",
    align: "right",
    importance: 1,
    cell: ({ metric }) => numberCell(metric("invariant_accuracy")?.n ?? 0, "count"),
  },
  {
    id: "invariant_accuracy",
    label: "invariant accuracy (95 %)",
    shortLabel: "invariant (95 %)",
    align: "right",
    importance: 1,
    cell: ({ metric }) => boundedCell(metric("invariant_accuracy"), "fraction"),
  },
  { id: "floor", label: "floor", align: "right", importance: 1, cell: ({ metric }) => floorCell(metric) },
  { ...rate("plurality_agreement", "agreement"), importance: 2 },
  { ...rate("plurality_agreement_null", "guessing"), importance: 2 },
  { ...rate("mean_accuracy", "mean accuracy"), shortLabel: "mean" },
  {
    id: "position_bias",
    label: "commonest letter",
    shortLabel: "letter",
    align: "right",
    importance: 3,
    cell: ({ metric }) => letterCell(metric("position_bias")),
  },
  { ...rate("symbol_mass", "letter mass"), shortLabel: "mass" },
  rate("undecided_rate", "undecided"),
  rate("failure_rate", "failed"),
];

function rate(id: SummaryRow["metric"], label: string): ColumnOf<FormScores> {
  return {
    id,
    label,
    align: "right",
    importance: 3,
    cell: ({ metric }) => numberCell(metric(id)?.value, "fraction"),
  };
}

/** What a model reaches without reading the question. */
export interface Floor {
  readonly value: number;
  /** How. */
  readonly how: string;
}

/** The higher floor: the majority class where there is one, else all orders guessed; of ACR, the code repeated. */
export function floorOf(metric: FindMetric): Floor | null {
  const majority = metric("floor_majority");
  if (majority?.value != null) return { value: majority.value, how: majorityText(majority) };
  const guessed = metric("floor_invariant")?.value;
  if (guessed != null) return { value: guessed, how: "all orders guessed" };
  const copied = metric("floor_copy_em")?.value;
  return copied == null ? null : { value: copied, how: "the code repeated unchanged" };
}

function majorityText({ detail }: SummaryRow): string {
  return detail?.answer === undefined ? "the commonest answer" : `always "${detail.answer}"`;
}

/** Guessing needs no words: it is what a floor is where nothing is said. */
function floorCell(metric: FindMetric): Cell {
  const floor = floorOf(metric);
  if (floor === null) return MISSING;
  const isGuessed = metric("floor_majority")?.value == null;
  return numberCell(floor.value, "chance", isGuessed ? {} : { note: [floor.how] });
}

function letterCell(row: SummaryRow | undefined): Cell {
  const symbol = row?.detail?.symbol;
  return numberCell(row?.value, "percent", symbol === undefined ? {} : { name: symbol });
}

/** A table of the forms that are chosen from options. */
export function scoreTable(forms: readonly FormScores[], caption: string | null): Block {
  return tableOf(caption, SCORE_COLUMNS, forms);
}

/** May the answers be interpreted at all (the MCSB gate)? One line a probe. */
export function verdictBlocks(forms: readonly FormScores[]): Block[] {
  const items = forms.map(({ name, metric }): Inline[] => [`${name}: `, ...verdictParts(judgeForm(metric))]);
  return [sentence("May the answers be interpreted as comprehension?"), { kind: "list", items }];
}
