import { fieldColumns } from "../../../store/record-fields.js";
import { type Column, columnsAbout, columnsOf, type Table } from "../../../store/table.js";
import { ORDER_FIELDS } from "../answer/answer.js";
import { type ChangedAnswer, marginOf, symbolOf } from "./answer-changes.js";

/** `repeat`: the same run twice; `modes`: fast against exact; `runs`: two runs that were named. */
export type FlipKind = "repeat" | "modes" | "runs";

/** A changed answer, and the ids of the two runs that it changed between. */
export interface FlipRow {
  readonly kind: FlipKind;
  readonly runs: readonly [string, string];
  readonly answer: ChangedAnswer;
}

/** What the table and `--json` say of a changed answer. */
export const CHANGED_ANSWER_COLUMNS: readonly Column<ChangedAnswer>[] = [
  ...columnsAbout(({ first }: ChangedAnswer) => first, fieldColumns(ORDER_FIELDS)),
  ...columnsOf<ChangedAnswer>([
    [
      "first_symbol",
      "string",
      "The symbol chosen in the first run; empty when it was undecided.",
      ({ first }) => symbolOf(first),
    ],
    ["second_symbol", "string", "Likewise in the second.", ({ second }) => symbolOf(second)],
    [
      "first_margin",
      "number",
      "Best minus second best log probability in the first run, nats; 0 for a tie.",
      ({ first }) => marginOf(first),
    ],
    ["second_margin", "number", "Likewise in the second.", ({ second }) => marginOf(second)],
    [
      "largest_difference",
      "number",
      "Largest difference of a symbol's log probability between the runs, nats.",
      ({ difference }) => difference,
    ],
    [
      "verdict_changed",
      "boolean",
      "Whether the question is right under all orders in one of the runs alone.",
      ({ verdictChanged }) => verdictChanged,
    ],
  ]),
];

/** What `probe audit --flips` writes: the answers that changed. */
export const FLIPS: Table<FlipRow> = {
  file: "flips.csv",
  title: "One row a changed answer: one question under one order that two runs answered differently.",
  primaryKey: ["comparison", "task", "difficulty", "ablation", "example_id", "permutation_index"],
  columns: [
    ...columnsOf<FlipRow>([
      [
        "comparison",
        "string",
        "repeat (fast, twice), modes (fast against exact) or runs (two runs that were named).",
        ({ kind }) => kind,
      ],
      ["first_run_id", "string", "The first run, as in its run.json.", ({ runs: [first] }) => first],
      ["second_run_id", "string", "The second run.", ({ runs: [, second] }) => second],
    ]),
    ...columnsAbout(({ answer }: FlipRow) => answer, CHANGED_ANSWER_COLUMNS),
  ],
};
