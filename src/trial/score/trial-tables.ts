import { type Column, columnsOf, type Table } from "../../store/table.js";
import type { TaskCheck, TrialRecord } from "../trial-records.js";
import type { ScoreColumn } from "./score-column.js";

/** What stands in every row of a run's tables. */
export interface RowOwner {
  readonly runId: string;
  readonly suite: string;
  readonly model: string;
}

export type TrialRow = TrialRecord & { readonly owner: RowOwner };

const TYPES = { share: "boolean", mean: "number", count: "integer", label: "string" } as const;

/** `trials.csv` of a suite with these scores. */
export function trialsTable(scores: readonly ScoreColumn[]): Table<TrialRow> {
  return {
    file: "trials.csv",
    title: "One row a trial: what an agent made of a task.",
    primaryKey: ["run_id", "agent", "condition", "task_id", "trial"],
    columns: [...BEFORE, ...scores.map(scoreColumn), ...AFTER],
  };
}

function scoreColumn({ name, kind, description }: ScoreColumn): Column<TrialRow> {
  return { name, type: TYPES[kind], description, value: ({ scores }) => scores[name] ?? null };
}

const BEFORE = columnsOf<TrialRow>([
  ["run_id", "string", "The run.", ({ owner }) => owner.runId],
  ["suite", "string", "The suite.", ({ owner }) => owner.suite],
  ["model", "string", "The model, or the agent where none is named.", ({ owner }) => owner.model],
  ["agent", "string", "Who worked: `loop` is the built-in one.", ({ agent }) => agent],
  ["condition", "string", "The arm of the suite.", ({ condition }) => condition],
  ["task_id", "string", "The task.", ({ task_id }) => task_id],
  ["group", "string", "Its repository or family.", ({ group }) => group],
  ["trial", "integer", "Which of the independent trials, from 0.", ({ trial }) => trial],
  [
    "status",
    "string",
    "graded, invalid_task, unreachable or grader_failed; the last two are made again on resume.",
    ({ status }) => status,
  ],
  ["valid", "boolean", "Whether the task's own checks hold; empty: not known.", ({ valid }) => valid],
  ["agent_end", "string", "How the agent stopped.", ({ agent_end }) => agent_end],
  ["attempts", "integer", "Attempts made.", ({ attempts }) => attempts],
  ["calls", "integer", "Calls of tools, over all attempts.", ({ calls }) => calls],
  [
    "reported_success",
    "boolean",
    "What the agent said of its last attempt.",
    ({ reported_success }) => reported_success,
  ],
  ["non_trivial", "boolean", "Whether the tree changed as the suite asks for.", ({ non_trivial }) => non_trivial],
  ["tampered", "boolean", "Whether the graded code changed the tests.", ({ tampered }) => tampered],
  ["patch_applies", "boolean", "Whether the patch applies to a fresh tree.", ({ patch_applies }) => patch_applies],
]);

const AFTER = columnsOf<TrialRow>([
  ["duration_ms", "integer", "Time of the attempts, ms.", ({ duration_ms }) => duration_ms],
  ["grading_ms", "integer", "Time of the grading, ms.", ({ grading_ms }) => grading_ms],
  ["prompt_tokens", "integer", "Of all attempts; empty: not told.", ({ prompt_tokens }) => prompt_tokens],
  ["completion_tokens", "integer", "Likewise, reasoning included.", ({ completion_tokens }) => completion_tokens],
  ["cost_usd", "number", "US dollars of all attempts; empty: not known.", ({ cost_usd }) => cost_usd],
  ["patch_sha256", "string", "SHA-256 of the patch.", ({ patch_sha256 }) => patch_sha256],
]);

/** A check of a task. */
export interface ValidityRow {
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
    ["check", "string", "What was tested.", ({ check }) => check.check],
    ["outcome", "string", "What came of it, twice; empty: it could not be run.", ({ check }) => check.outcome],
    ["expected", "string", "What a valid task has.", ({ check }) => check.expected],
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
  /** How the interval was made; empty without one. */
  readonly interval: "" | "wilson" | "t" | "t_by_task" | "bootstrap_by_group";
  readonly n: number;
  /** Trials without a value. */
  readonly excluded: number;
  readonly note: string;
}

/** `summary.csv`. */
export const SUMMARY: Table<SummaryRow & { readonly owner: RowOwner }> = {
  file: "summary.csv",
  title: "One row a number: scores, floors and ceilings, with their intervals.",
  primaryKey: ["run_id", "agent", "condition", "group_by", "group", "metric"],
  columns: columnsOf<SummaryRow & { readonly owner: RowOwner }>([
    ["run_id", "string", "The run.", ({ owner }) => owner.runId],
    ["suite", "string", "The suite.", ({ owner }) => owner.suite],
    ["model", "string", "The model, or the agent where none is named.", ({ owner }) => owner.model],
    ["agent", "string", "Who worked.", ({ agent }) => agent],
    ["condition", "string", "The arm of the suite.", ({ condition }) => condition],
    ["group_by", "string", "overall, group, or what else a suite groups by.", ({ groupBy }) => groupBy],
    ["group", "string", "Which group.", ({ group }) => group],
    ["metric", "string", "The score, or what is computed of it.", ({ metric }) => metric],
    ["value", "number", "A rate 0–1, or a mean; empty: not defined.", ({ value }) => value],
    ["ci_low", "number", "Of the 95 % interval.", ({ low }) => low],
    ["ci_high", "number", "Likewise.", ({ high }) => high],
    ["interval", "string", "How the interval was made.", ({ interval }) => interval],
    ["n", "integer", "Trials with a value.", ({ n }) => n],
    ["excluded", "integer", "Graded trials without one.", ({ excluded }) => excluded],
    ["note", "string", "What else is to be known.", ({ note }) => note],
  ]),
};
