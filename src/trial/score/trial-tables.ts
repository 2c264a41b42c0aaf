import type { PlacedColumn } from "../../store/record-fields.js";
import { columnsOf, type Table } from "../../store/table.js";
import { type ScoreColumn, type TaskCheck, TRIAL_TABLE, type TrialRecord } from "../trial-records.js";

/** Owner of every row of a run's tables. */
interface RowOwner {
  readonly runId: string;
  readonly suite: string;
  readonly model: string;
}

type TrialRow = TrialRecord & { readonly owner: RowOwner };

const TYPES = { share: "boolean", mean: "number", count: "integer", label: "string" } as const;

/** `trials.csv` of a suite with these scores. */
export function trialsTable(scores: readonly ScoreColumn[]): Table<TrialRow> {
  return {
    file: "trials.csv",
    title: "One row a trial: what an agent made of a task.",
    primaryKey: ["run_id", "agent", "condition", "task_id", "trial"],
    columns: [...OWNER_COLUMNS, ...TRIAL_TABLE.columns<TrialRow>(scores.map(scoreColumn))],
  };
}

function scoreColumn({ name, kind, description }: ScoreColumn): PlacedColumn<TrialRow> {
  return {
    name,
    type: TYPES[kind],
    description,
    value: ({ scores }) => scores[name] ?? null,
    behind: "patch_applies",
  };
}

const OWNER_COLUMNS = columnsOf<{ readonly owner: RowOwner }>([
  ["run_id", "string", "The run.", ({ owner }) => owner.runId],
  ["suite", "string", "The suite.", ({ owner }) => owner.suite],
  ["model", "string", "The model, or the agent where none is named.", ({ owner }) => owner.model],
]);

/** A check of a task. */
interface ValidityRow {
  readonly suite: string;
  readonly task: TaskCheck;
  readonly check: TaskCheck["checks"][number];
}

/** `validity.csv`. */
export const VALIDITY: Table<ValidityRow> = {
  file: "validity.csv",
  title: "One row a check of a task, before anybody is judged by it.",
  primaryKey: ["suite", "task_id", "check"],
  columns: columnsOf<ValidityRow>([
    ["suite", "string", "The suite.", ({ suite }) => suite],
    ["task_id", "string", "The task.", ({ task }) => task.task_id],
    ["check", "string", "Name of the check.", ({ check }) => check.check],
    ["outcome", "string", "Outcome, twice; empty: it could not be run.", ({ check }) => check.outcome],
    ["expected", "string", "Outcome of a valid task.", ({ check }) => check.expected],
    ["detail", "string", "The first message.", ({ check }) => check.detail],
    ["runtime_sha256", "string", "Of what the tests ran with.", ({ task }) => task.runtime_sha256],
  ]),
};

export function validityRows(suite: string, tasks: readonly TaskCheck[]): ValidityRow[] {
  return tasks.flatMap((task) => task.checks.map((check) => ({ suite, task, check })));
}

/** A number about a set of trials. */
export interface SummaryRow {
  readonly agent: string;
  readonly condition: string;
  readonly groupBy: "overall" | "group" | "category" | "language" | "smell" | "difficulty";
  readonly group: string;
  readonly metric: string;
  readonly value: number | null;
  readonly low: number | null;
  readonly high: number | null;
  /** Method of the interval; empty without one. */
  readonly interval: "" | "wilson" | "t" | `${"wilson" | "t"}_by_task` | `${"wilson" | "t" | "bootstrap"}_by_group`;
  readonly n: number;
  /** Trials without a value. */
  readonly excluded: number;
  readonly note: string;
}

/** Metrics of `summary.csv` besides the scores of a suite and the numbers of `trials.csv`, which mean what they mean there. */
export const TRIAL_METRICS = {
  pass_at_k: "Pass@k of the headline, for each k up to the trials a task: that one of k is right. n: tasks.",
  pass_hat_k: "Pass^k of the headline: that all k are right. n: tasks.",
  false_confidence: "Share that failed of graded trials that report success. n: those.",
  gold_jaccard: "of passing trials: added lines that patch and right solution share, of all that either adds",
  gold_jaccard_copy: "of the same: a patch that adds every line of the files again that the right solution changes",
  gold_jaccard_other: "of the same: right solutions of other tasks",
  mutants_killed: "Mean share of mutants of the code that hidden tests kill, where they were measured. n: tasks.",
  trials_invalid_task: "Trials of tasks whose own tests do not hold, which are in no rate. n: all trials.",
  trials_unreachable:
    "Trials in which the model or the agent could not be reached, which are in no rate. n: all trials.",
  trials_grader_failed: "Trials that could not be graded, which are in no rate. n: all trials.",
} as const satisfies Readonly<Record<string, string>>;

/** `summary.csv`. */
export const SUMMARY: Table<SummaryRow & { readonly owner: RowOwner }> = {
  file: "summary.csv",
  title: "One row a number: scores, floors and ceilings, with their intervals.",
  primaryKey: ["run_id", "agent", "condition", "group_by", "group", "metric"],
  columns: [
    ...OWNER_COLUMNS,
    ...columnsOf<SummaryRow>([
      ["agent", "string", "Who worked.", ({ agent }) => agent],
      ["condition", "string", "The arm of the suite.", ({ condition }) => condition],
      ["group_by", "string", "overall, group, or what else a suite groups by.", ({ groupBy }) => groupBy],
      ["group", "string", "Name of the group.", ({ group }) => group],
      ["metric", "string", "The score, or what is computed of it.", ({ metric }) => metric],
      ["value", "number", "A rate 0–1, or a mean; empty: not defined.", ({ value }) => value],
      ["ci_low", "number", "Lower end of the 95 % interval.", ({ low }) => low],
      ["ci_high", "number", "Upper end of the 95 % interval.", ({ high }) => high],
      [
        "interval",
        "string",
        "Method of the interval: Wilson's, Student's t or a bootstrap; over trials, or by task or group, whose trials are one case. Wilson's by task where all tasks are alike, such as all right.",
        ({ interval }) => interval,
      ],
      ["n", "integer", "Trials with a value.", ({ n }) => n],
      ["excluded", "integer", "Graded trials without one.", ({ excluded }) => excluded],
      ["note", "string", "Anything else to be known.", ({ note }) => note],
    ]),
  ],
};
