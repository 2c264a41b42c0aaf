import { columnsAbout, columnsOf, type Table } from "../store/table.js";
import type { VerdictRecord } from "./records.js";

/** A vote, and whose run and judge it is of. */
export interface VerdictRow extends VerdictRecord {
  readonly runId: string;
  readonly suite: string;
  readonly judge: string;
}

const COLUMNS = columnsOf<VerdictRow>([
  ["run_id", "string", "The run.", ({ runId }) => runId],
  ["suite", "string", "The suite.", ({ suite }) => suite],
  ["judge", "string", "Who judged.", ({ judge }) => judge],
  ["task_id", "string", "The task.", ({ task_id }) => task_id],
  ["condition", "string", "The arm of the suite.", ({ condition }) => condition],
  ["trial", "integer", "Which of the independent trials, from 0.", ({ trial }) => trial],
  ["criterion_id", "string", "What was asked.", ({ criterion_id }) => criterion_id],
  ["polarity", "string", "positive; negative: a fault.", ({ polarity }) => polarity],
  ["importance", "string", "Such as must have.", ({ importance }) => importance],
  ["vote", "integer", "Which of the votes, from 0.", ({ vote }) => vote],
  ["verdict", "string", "What the judge said; empty: it cannot be read, or was not asked.", ({ verdict }) => verdict],
  [
    "score",
    "number",
    "1: passed (of a fault: it is not there); a mark of 10, by 10; empty: not known.",
    ({ score }) => score,
  ],
  ["evaluable", "boolean", "Whether the verdict counts.", ({ score }) => score !== null],
  ["justification", "string", "Why, in the judge's words.", ({ justification }) => justification],
]);

/** `verdicts.csv`: what the judge said of the agent that the run is about. */
export const VERDICT_TABLE: Table<VerdictRow> = {
  file: "verdicts.csv",
  title: "One row a vote: what the judge said of a criterion.",
  primaryKey: ["run_id", "condition", "task_id", "trial", "criterion_id", "vote"],
  columns: COLUMNS,
};

/** `control_verdicts.csv`: likewise of the controls, by which the judge is judged. */
export const CONTROL_TABLE: Table<VerdictRow> = {
  file: "control_verdicts.csv",
  title: "One row a vote: what the judge said of right solutions and of empty ones.",
  primaryKey: ["run_id", "agent", "condition", "task_id", "trial", "criterion_id", "vote"],
  columns: [
    ...columnsOf<VerdictRow>([
      ["agent", "string", "Whose solution: gold, or noop, which is empty.", ({ agent }) => agent],
    ]),
    ...columnsAbout((row: VerdictRow) => row, COLUMNS),
  ],
};
