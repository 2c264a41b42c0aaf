import { modelName } from "../../model/vendor/model-name.js";
import { columnsOf, type Table } from "../../store/table.js";
import { ownTable } from "../../trial/score/own-table.js";
import { numberOf } from "../../trial/score/summarise-trials.js";
import type { TrialRecord } from "../../trial/trial-records.js";
import type { TrialRun } from "../../trial/trial-run.js";
import { JUDGED, type Judged, measuredIn } from "./smell-scores.js";

/** A trial, as `probe suite stats` reads it. */
export interface CaseRow {
  readonly run: string;
  readonly agent: string;
  readonly model: string;
  readonly project: string;
  readonly instance: string;
  readonly smell: string;
  readonly difficulty: string;
  readonly setting: string;
  readonly trial: number;
  readonly tpr: boolean;
  readonly la: boolean | null;
  readonly laFile: boolean | null;
  /** Marks by 10. */
  readonly marks: Readonly<Record<Judged, number | null>>;
}

/** `per_case.csv`: what tables by smell, difficulty and setting are made of. */
export const PER_CASE_TABLE: Table<CaseRow> = {
  file: "per_case.csv",
  title: "One row a trial of a valid case, with its smell, difficulty and setting.",
  primaryKey: ["run_id", "agent", "setting", "instance_id", "trial"],
  columns: columnsOf<CaseRow>([
    ["run_id", "string", "The run.", ({ run }) => run],
    ["agent", "string", "Who worked.", ({ agent }) => agent],
    ["model", "string", "The model, or the agent where none is named.", ({ model }) => model],
    ["project", "string", "The repository.", ({ project }) => project],
    ["instance_id", "string", "The case.", ({ instance }) => instance],
    ["smell", "string", "Its smell.", ({ smell }) => smell],
    ["difficulty", "string", "easy, medium or hard.", ({ difficulty }) => difficulty],
    ["setting", "string", "guided or targeted.", ({ setting }) => setting],
    ["trial", "integer", "Number of the independent trial, from 0.", ({ trial }) => trial],
    ["tpr", "boolean", "The tests pass.", ({ tpr }) => tpr],
    ["la", "boolean", "The smelly code was changed; empty: not known.", ({ la }) => la],
    ["la_file", "boolean", "The smelly file was changed.", ({ laFile }) => laFile],
    ...JUDGED.map(
      (name) => [name, "number", "By the judge, 0–1; empty: none.", ({ marks }: CaseRow) => marks[name]] as const,
    ),
  ]),
};

/** Table of the trials that are in every rate. */
export const PER_CASE = ownTable(PER_CASE_TABLE, rowOf);

function rowOf(record: TrialRecord, run: TrialRun): CaseRow {
  const { agent, condition, group, task_id, trial, scores } = record;
  const { smell, difficulty, tpr, la, la_file } = measuredIn(record);
  const isControl = run.agents.some(({ name, is_control }) => is_control && name === agent);
  const [se, cc, ss, cq] = JUDGED.map((name) => numberOf(scores[name]));
  return {
    run: run.run_id,
    agent,
    model: isControl ? agent : modelName(run.model),
    project: group,
    instance: task_id,
    smell,
    difficulty,
    setting: condition,
    trial,
    tpr,
    la,
    laFile: la_file,
    marks: {
      smell_elimination: se ?? null,
      cross_file_coordination: cc ?? null,
      structural_soundness: ss ?? null,
      code_quality: cq ?? null,
    },
  };
}
