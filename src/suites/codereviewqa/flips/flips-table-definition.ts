import { columnsOf, type Table } from "../../../store/table.js";
import { type ChangedAnswer, marginOf, symbolOf } from "./answer-changes.js";

/** `repeat`: the same run twice; `modes`: fast against exact; `runs`: two runs that were named. */
export type FlipKind = "repeat" | "modes" | "runs";

/** A changed answer, and the ids of the two runs that it changed between. */
export interface FlipRow {
  readonly kind: FlipKind;
  readonly runs: readonly [string, string];
  readonly answer: ChangedAnswer;
}

/** What `probe audit --flips` writes: the answers that changed. */
export const FLIPS: Table<FlipRow> = {
  file: "flips.csv",
  title: "One row a changed answer: one question under one order that two runs answered differently.",
  primaryKey: ["comparison", "task", "difficulty", "example_id", "permutation_index"],
  columns: columnsOf<FlipRow>([
    [
      "comparison",
      "string",
      "repeat (fast, twice), modes (fast against exact) or runs (two runs that were named).",
      ({ kind }) => kind,
    ],
    ["first_run_id", "string", "The first run, as in its run.json.", ({ runs: [first] }) => first],
    ["second_run_id", "string", "The second run.", ({ runs: [, second] }) => second],
    ["task", "string", "CTR, CL or SI.", ({ answer }) => answer.first.task],
    [
      "difficulty",
      "string",
      "easy or hard; empty for a task that has one form.",
      ({ answer }) => answer.first.difficulty,
    ],
    ["example_id", "string", "The example, as in the dataset.", ({ answer }) => answer.first.exampleId],
    ["language", "string", "Language of the code.", ({ answer }) => answer.first.language],
    [
      "change_type",
      "string",
      "add, delete or modify: what the review asks for.",
      ({ answer }) => answer.first.changeType,
    ],
    [
      "permutation_index",
      "integer",
      "Position among the N! orders, from 0, in lexicographic order.",
      ({ answer }) => answer.first.permutationIndex,
    ],
    [
      "permutation",
      "string",
      "Option index at A, B, C, D. Text: keep leading zeros.",
      ({ answer }) => answer.first.permutation,
    ],
    ["correct_symbol", "string", "The symbol of the right option.", ({ answer }) => answer.first.correctSymbol],
    [
      "first_symbol",
      "string",
      "The symbol chosen in the first run; empty when it was undecided.",
      ({ answer }) => symbolOf(answer.first),
    ],
    ["second_symbol", "string", "Likewise in the second.", ({ answer }) => symbolOf(answer.second)],
    [
      "first_margin",
      "number",
      "Best minus second best log probability in the first run, nats; 0 for a tie.",
      ({ answer }) => marginOf(answer.first),
    ],
    ["second_margin", "number", "Likewise in the second.", ({ answer }) => marginOf(answer.second)],
    [
      "largest_difference",
      "number",
      "Largest difference of a symbol's log probability between the runs, nats.",
      ({ answer }) => answer.difference,
    ],
    [
      "verdict_changed",
      "boolean",
      "Whether the question is right under all orders in one of the runs alone.",
      ({ answer }) => answer.verdictChanged,
    ],
  ]),
};
