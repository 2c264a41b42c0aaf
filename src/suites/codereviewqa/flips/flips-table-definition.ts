import type { Column, TableDefinition } from "../../../store/table.js";

const ROWS: readonly (readonly [Column["name"], Column["type"], Column["description"]])[] = [
  ["comparison", "string", "repeat (fast, twice), modes (fast against exact) or runs (two runs that were named)."],
  ["first_run_id", "string", "The first run, as in its run.json."],
  ["second_run_id", "string", "The second run."],
  ["task", "string", "CTR, CL or SI."],
  ["difficulty", "string", "easy or hard; empty for a task that has one form."],
  ["example_id", "string", "The example, as in the dataset."],
  ["language", "string", "Language of the code."],
  ["change_type", "string", "add, delete or modify: what the review asks for."],
  ["permutation_index", "integer", "Position among the N! orders, from 0, in lexicographic order."],
  ["permutation", "string", "Option index at A, B, C, D. Text: keep leading zeros."],
  ["correct_symbol", "string", "The symbol of the right option."],
  ["first_symbol", "string", "The symbol chosen in the first run; empty when it was undecided."],
  ["second_symbol", "string", "Likewise in the second."],
  ["first_margin", "number", "Best minus second best log probability in the first run, nats; 0 for a tie."],
  ["second_margin", "number", "Likewise in the second."],
  ["largest_difference", "number", "Largest difference of a symbol's log probability between the runs, nats."],
  ["verdict_changed", "boolean", "Whether the question is right under all orders in one of the runs alone."],
];

/** What `probe audit --flips` writes: the answers that changed. */
export const FLIPS: TableDefinition = {
  file: "flips.csv",
  title: "One row a changed answer: one question under one order that two runs answered differently.",
  primaryKey: ["comparison", "task", "difficulty", "example_id", "permutation_index"],
  columns: ROWS.map(([name, type, description]) => ({ name, type, description })),
};
