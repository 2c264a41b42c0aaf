import type { Column, TableDefinition } from "../../../store/table.js";

const ROWS: readonly (readonly [Column["name"], Column["type"], Column["description"]])[] = [
  ["run_id", "string", "The run, as in run.json; of joined runs, their ids with + between them."],
  ["model", "string", "The model as it was named on the command line."],
  ["example_id", "string", "The example, as in the dataset."],
  ["language", "string", "Language of the code."],
  ["change_type", "string", "add, delete or modify: what the review asks for."],
  ["match", "string", "Which match acr_match is: a column of generations.csv, em unless --match says otherwise."],
  ["acr_match", "boolean", "Whether the generated revision is the post-review code; false for a failed generation."],
  ["acr_status", "string", "complete, truncated, empty or failed, as in generations.csv."],
  ["ctr_failed", "boolean", "Whether the question was not right under all orders; empty where it was not asked."],
  ["cl_easy_failed", "boolean", "Likewise."],
  ["cl_hard_failed", "boolean", "Likewise."],
  ["cl_failed", "boolean", "Failed at either difficulty."],
  ["si_easy_failed", "boolean", "Likewise; empty for a deletion, which SI is not asked of."],
  ["si_hard_failed", "boolean", "Likewise."],
  ["si_failed", "boolean", "Failed at either difficulty."],
  ["any_failed", "boolean", "Failed at least one of the probes it was asked."],
  ["lost_questions", "integer", "Questions counted as failed only because orders failed or were undecided."],
];

/** What `probe failures` writes with --out and --list: the examples behind the shares. */
export const FAILURES: TableDefinition = {
  file: "failures.csv",
  title: "One row an example that was generated for and probed: which of its probes failed.",
  primaryKey: ["run_id", "example_id"],
  columns: ROWS.map(([name, type, description]) => ({ name, type, description })),
};
