import { columnsOf, type Table } from "../../store/table.js";
import type { OwnTable } from "../../trial/score/own-table.js";
import type { TrialRun } from "../../trial/trial-run.js";
import { RATING_FIELD_TABLE, type RatingRecord } from "../rating-records.js";

/** A vote, and the run and judge that it is of. */
interface RatingRow extends RatingRecord {
  readonly runId: string;
  readonly suite: string;
  readonly judge: string;
}

const COLUMNS = [
  ...columnsOf<RatingRow>([
    ["run_id", "string", "The run.", ({ runId }) => runId],
    ["suite", "string", "The suite.", ({ suite }) => suite],
    ["judge", "string", "Who judged.", ({ judge }) => judge],
  ]),
  ...RATING_FIELD_TABLE.columns<RatingRow>([
    {
      name: "evaluable",
      type: "boolean",
      description: "True if the verdict counts.",
      value: ({ score }) => score !== null,
      behind: "score",
    },
  ]),
];

/** `verdicts.csv`: ratings of the agent that the run is about. */
export const RATING_TABLE: Table<RatingRow> = {
  file: "verdicts.csv",
  title: "One row a vote: what the judge said of a criterion.",
  primaryKey: ["run_id", "condition", "task_id", "trial", "criterion_id", "vote"],
  columns: COLUMNS,
};

/** `control_verdicts.csv`: ratings of the controls, by which the judge is judged. */
const CONTROL_TABLE: Table<RatingRow> = {
  file: "control_verdicts.csv",
  title: "One row a vote: what the judge said of right solutions and of empty ones.",
  primaryKey: ["run_id", "agent", "condition", "task_id", "trial", "criterion_id", "vote"],
  columns: [
    ...columnsOf<RatingRow>([
      ["agent", "string", "Whose solution: gold, or noop, which is empty.", ({ agent }) => agent],
    ]),
    ...COLUMNS,
  ],
};

/** Both tables of a run. */
export function ratingTables(run: TrialRun, judge: string, ratings: readonly RatingRecord[]): OwnTable[] {
  const main = run.agents[0]?.name;
  const rowsOf = (isMain: boolean) =>
    ratings
      .filter(({ agent }) => (agent === main) === isMain)
      .map((record) => ({ ...record, runId: run.run_id, suite: run.suite, judge }));
  return [
    { description: RATING_TABLE, write: (write) => write(RATING_TABLE, rowsOf(true)) },
    { description: CONTROL_TABLE, write: (write) => write(CONTROL_TABLE, rowsOf(false)) },
  ];
}
