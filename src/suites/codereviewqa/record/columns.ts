import { SYMBOLS, USUAL_OPTIONS } from "../../../base/symbol.js";
import { fieldColumns } from "../../../store/record-fields.js";
import { columnsOf, type Table } from "../../../store/table.js";
import { ANSWER_TABLE, type Answer, logprobColumn } from "../answer/answer.js";
import { EXAMPLE_FIELDS, FORM_FIELDS } from "../answer/question-fields.js";
import type { QuestionScore } from "../metric/question-score.js";
import { type RunRow, runColumns } from "./run-row.js";

/** Columns that say which question of which form a row is about. */
const QUESTION_COLUMNS = fieldColumns({ ...FORM_FIELDS, ...EXAMPLE_FIELDS });

/**
 * The answers of a run; one with a question of more than four options has a column for the log probability of each.
 * @param options the most that a question of the run has
 */
export function answersTable(options: number): Table<RunRow<Answer>> {
  const surplus = new Set(SYMBOLS.slice(Math.max(options, USUAL_OPTIONS)).map(logprobColumn));
  return {
    file: "answers.csv",
    title: "One row an answer: one question under one order of its options.",
    primaryKey: ["run_id", "task", "difficulty", "ablation", "example_id", "permutation_index"],
    columns: runColumns(
      "run",
      ANSWER_TABLE.columns().filter(({ name }) => !surplus.has(name)),
    ),
  };
}

/** The answers of a run whose questions have four options at most. */
export const ANSWERS = answersTable(USUAL_OPTIONS);

export const QUESTIONS: Table<RunRow<QuestionScore>> = {
  file: "questions.csv",
  title: "One row a question: its answers under all orders together.",
  primaryKey: ["run_id", "task", "difficulty", "ablation", "example_id"],
  columns: runColumns("run", [
    ...QUESTION_COLUMNS,
    ...columnsOf<QuestionScore>([
      ["permutations", "integer", "N!: 6 for three options, 24 for four.", ({ permutations }) => permutations],
      ["answered", "integer", "Orders with a reply, chosen or undecided.", ({ answered }) => answered],
      [
        "correct_permutations",
        "integer",
        "Orders under which the right option was chosen.",
        ({ correctPermutations }) => correctPermutations,
      ],
      [
        "invariant_correct",
        "boolean",
        "Right under all N! orders. A failed or undecided order makes it false.",
        ({ invariantCorrect }) => invariantCorrect,
      ],
      [
        "plurality_option",
        "integer",
        "The option chosen in most orders; empty when several are.",
        ({ pluralityOption }) => pluralityOption,
      ],
      [
        "plurality_agreement",
        "number",
        "k/N!, k = orders that chose the plurality option; empty unless every order was answered.",
        ({ pluralityAgreement }) => pluralityAgreement,
      ],
      [
        "mean_accuracy",
        "number",
        "correct_permutations / N!; empty unless every order was answered.",
        ({ meanAccuracy }) => meanAccuracy,
      ],
      ["min_margin", "number", "Smallest margin of the chosen answers, nats.", ({ minMargin }) => minMargin],
      ["mean_symbol_mass", "number", "Mean symbol mass of the answers.", ({ meanSymbolMass }) => meanSymbolMass],
      ["failed", "integer", "Orders whose answer failed.", ({ failed }) => failed],
    ]),
  ]),
};
