import { SYMBOLS, USUAL_OPTIONS } from "../../../base/symbol.js";
import type { RunRecord } from "../../../run/run-record.js";
import { COUNT, FLAG, NUMBER, nullable, TEXT } from "../../../store/field-type.js";
import { field, fieldColumns } from "../../../store/record-fields.js";
import { type Column, columnsAbout, columnsOf, type Table } from "../../../store/table.js";
import { ANSWER_TABLE, type Answer, EXAMPLE_FIELDS, FORM_FIELDS, logprobColumn } from "../answer/answer.js";
import type { QuestionScore } from "../metric/question-score.js";
import type { SummaryRow } from "../metric/summary-row.js";
import { answerCost } from "./tally.js";

/** The run that a row belongs to, and the model it asked: the columns that open every row. */
export interface RowOwner {
  readonly runId: string;
  readonly model: string;
}

/** A row of a run's table: what it is about, and whose it is. */
export interface RunRow<Item> extends RowOwner {
  readonly item: Item;
}

/** Columns about an item, behind those of its run. `file` is where the run is described. */
export function runColumns<Item>(kind: "run" | "audit", columns: readonly Column<Item>[]): Column<RunRow<Item>>[] {
  const [what, file] = kind === "run" ? ["run", "run.json"] : ["audit", "audit.json"];
  const owner = columnsOf<RowOwner>([
    ["run_id", "string", `The ${what}, as in ${file}.`, ({ runId }) => runId],
    ["model", "string", "The model as it was named on the command line.", ({ model }) => model],
  ]);
  return [...owner, ...columnsAbout(({ item }: RunRow<Item>) => item, columns)];
}

/** The rows of a run's table, one an item. */
export function runRows<Item>(owner: RowOwner, items: readonly Item[]): RunRow<Item>[] {
  return items.map((item) => ({ runId: owner.runId, model: owner.model, item }));
}

/**
 * The answers of a run; one with a question of more than four options has a column for the log probability of each.
 * @param options the most that a question of the run has
 * @param price of the model, from which the cost of an answer is computed; `null`: not known
 */
export function answersTable(options: number, price: RunRecord["price"] = null): Table<RunRow<Answer>> {
  const surplus = new Set(SYMBOLS.slice(Math.max(options, USUAL_OPTIONS)).map(logprobColumn));
  return {
    file: "answers.csv",
    title: "One row an answer: one question under one order of its options.",
    primaryKey: ["run_id", "task", "difficulty", "ablation", "example_id", "permutation_index", "repeat"],
    columns: runColumns("run", [
      ...ANSWER_TABLE.columns().filter(({ name }) => !surplus.has(name)),
      ...columnsOf<Answer>([
        [
          "cost",
          "number",
          "Cost of the answer in the price's currency, without discounts for cached tokens; empty where price or tokens are not known.",
          (answer) => answerCost(answer, price),
        ],
      ]),
    ]),
  };
}

/** The answers of a run whose questions have four options at most. */
export const ANSWERS = answersTable(USUAL_OPTIONS);

export const QUESTIONS: Table<RunRow<QuestionScore>> = {
  file: "questions.csv",
  title: "One row a question: its answers under all orders together.",
  primaryKey: ["run_id", "task", "difficulty", "ablation", "example_id"],
  columns: runColumns(
    "run",
    fieldColumns({
      ...FORM_FIELDS,
      ...EXAMPLE_FIELDS,
      permutations: field(COUNT, "Orders asked: N! (6 for three options, 24 for four), or fewer with --orders."),
      answered: field(COUNT, "Orders with a reply, chosen or undecided."),
      correctPermutations: field(COUNT, "Orders under which the right option was chosen."),
      invariantCorrect: field(FLAG, "Right under all orders asked. A failed or undecided order makes it false."),
      pluralityOption: field(nullable(COUNT), "The option chosen in most orders; empty when several are."),
      pluralityAgreement: field(
        nullable(NUMBER),
        "k/permutations, k = orders that chose the plurality option; empty unless every order was answered.",
      ),
      meanAccuracy: field(
        nullable(NUMBER),
        "correct_permutations/permutations; empty unless every order was answered. With --early-stop: of the first order.",
      ),
      minMargin: field(nullable(NUMBER), "Smallest margin of the chosen answers, nats."),
      meanSymbolMass: field(nullable(NUMBER), "Mean symbol mass of the answers."),
      failed: field(COUNT, "Orders whose answer failed."),
    }),
  ),
};

/** A row of the summary without its run: what `--json` prints of it. */
export const SUMMARY_COLUMNS: readonly Column<SummaryRow>[] = fieldColumns({
  ...FORM_FIELDS,
  task: field(TEXT, "CTR, CL, SI, ACR, CLO, or the task of a probe of one's own."),
  groupBy: field(TEXT, "overall, language, change_type or words."),
  group: field(
    TEXT,
    "The language or change type; for words, suffice or do_not_suffice: whether the fitted lexical rule answers the question; all for overall.",
  ),
  metric: field(TEXT, "See the list of metrics."),
  value: field(nullable(NUMBER), "Empty where the metric is not defined."),
  ciLow: field(nullable(NUMBER), "Lower end of the 95 % interval; empty where there is none."),
  ciHigh: field(nullable(NUMBER), "Upper end."),
  n: field(
    COUNT,
    "Count of cases of the value: questions, or answers for position_bias*, undecided_rate, failure_rate; " +
      "generations for ACR.",
  ),
  note: field(TEXT, "Note for readers of this value."),
});

export const SUMMARY: Table<RunRow<SummaryRow>> = {
  file: "summary.csv",
  title: "One row a metric: tidy. Rates are fractions 0–1.",
  primaryKey: ["run_id", "task", "difficulty", "ablation", "group_by", "group", "metric"],
  columns: runColumns("run", SUMMARY_COLUMNS),
};
