import { groupBy } from "../../base/grouping.js";
import { modelName } from "../../model/vendor/model-name.js";
import type { Block } from "../../report/block.js";
import { type ColumnOf, heading, numberColumn, sentence, tableOf, textColumn } from "../../report/make-block.js";
import type { ColumnDescription, Table } from "../../store/table.js";
import { ownTable } from "../../trial/score/own-table.js";
import { numberOf } from "../../trial/score/summarise-trials.js";
import type { SummaryRow } from "../../trial/score/trial-tables.js";
import type { TrialRecord } from "../../trial/trial-records.js";
import { isControl, type TrialRun } from "../../trial/trial-run.js";
import { byDifficulty, SMELLS } from "./smell-case.js";
import { JUDGED, type Judged, measuredIn } from "./smell-scores.js";

/** A trial, as `probe suite stats` reads it, by the names of its columns; marks of a judge by 10. */
export interface CaseRow extends Readonly<Record<Judged, number | null>> {
  readonly run_id: string;
  readonly agent: string;
  readonly model: string;
  readonly project: string;
  readonly instance_id: string;
  readonly smell: string;
  readonly difficulty: string;
  readonly setting: string;
  readonly trial: number;
  readonly tpr: boolean;
  readonly la: boolean | null;
  readonly la_file: boolean | null;
}

const COLUMNS: readonly (readonly [keyof CaseRow, ColumnDescription["type"], string])[] = [
  ["run_id", "string", "The run."],
  ["agent", "string", "Who worked."],
  ["model", "string", "The model, or the agent where none is named."],
  ["project", "string", "The repository."],
  ["instance_id", "string", "The case."],
  ["smell", "string", "Its smell."],
  ["difficulty", "string", "easy, medium or hard."],
  ["setting", "string", "guided or targeted."],
  ["trial", "integer", "Number of the independent trial, from 0."],
  ["tpr", "boolean", "The tests pass."],
  ["la", "boolean", "The smelly code was changed; empty: not known."],
  ["la_file", "boolean", "The smelly file was changed."],
  ...JUDGED.map((name) => [name, "number", "By the judge, 0–1; empty: none."] as const),
];

/** `per_case.csv`: what tables by smell, difficulty and setting are made of. */
export const PER_CASE_TABLE: Table<CaseRow> = {
  file: "per_case.csv",
  title: "One row a trial of a valid case, with its smell, difficulty and setting.",
  primaryKey: ["run_id", "agent", "setting", "instance_id", "trial"],
  columns: COLUMNS.map(([name, type, description]) => ({ name, type, description, value: (row) => row[name] })),
};

/** Table of the trials that are in every rate. */
export const PER_CASE = ownTable(PER_CASE_TABLE, rowOf);

function rowOf(record: TrialRecord, run: TrialRun): CaseRow {
  const { agent, condition, group, task_id, trial, scores } = record;
  const { smell, difficulty, tpr, la, la_file } = measuredIn(record);
  const marks = Object.fromEntries(JUDGED.map((name) => [name, numberOf(scores[name])]));
  return {
    run_id: run.run_id,
    agent,
    model: isControl(run, agent) ? agent : modelName(run.model),
    project: group,
    instance_id: task_id,
    smell,
    difficulty,
    setting: condition,
    trial,
    tpr,
    la,
    la_file,
    ...(marks as Record<Judged, number | null>),
  };
}

/** Numbers of some trials, by their metric. */
interface Cells {
  readonly name: string;
  readonly rows: ReadonlyMap<string, SummaryRow>;
}

const MARKS: Readonly<Record<Judged, string>> = {
  smell_elimination: "SE",
  cross_file_coordination: "CC",
  structural_soundness: "SS",
  code_quality: "CQ",
};

/** Scores of the agent that a run is about by setting, difficulty and smell; each table says where there are no marks. */
export function smellBlocks(run: TrialRun, summary: readonly SummaryRow[]): Block[] {
  const own = summary.filter(({ agent }) => agent === run.agents[0]?.name);
  const tables = ["overall", "difficulty", "smell"] as const;
  return [
    heading(3, "By setting, difficulty and smell"),
    ...tables.map((by) => tableBy(own, by)),
    sentence(
      "SE, CC, SS, CQ: the judge's marks for the smell, the files, the structure, the code; of 10. judged: trials with the mark that most have; n of each: summary.csv.",
    ),
  ];
}

function tableBy(summary: readonly SummaryRow[], by: SummaryRow["groupBy"]): Block {
  const placed = summary.filter(({ groupBy: each }) => each === by);
  const settings = [...groupBy(placed, ({ condition }) => condition).values()];
  const own = settings.flatMap((rows) => rows.toSorted((a, b) => byDifficulty(a.group, b.group)));
  const cells = [...groupBy(own, nameOf)].map(([name, rows]): Cells => {
    return { name, rows: new Map(rows.map((row) => [row.metric, row])) };
  });
  const isJudged = cells.some(({ rows }) => judgedOf(rows) > 0);
  return tableOf(isJudged ? null : "No marks: nobody judged, or nothing that can be read", columnsBy(by), cells);
}

function nameOf({ condition, group, groupBy: by }: SummaryRow): string {
  if (by === "overall") return condition;
  return `${condition}, ${Object.hasOwn(SMELLS, group) ? SMELLS[group as keyof typeof SMELLS] : group}`;
}

/** Trials that have a mark. */
function judgedOf(rows: Cells["rows"]): number {
  return Math.max(...JUDGED.map((name) => rows.get(name)?.n ?? 0));
}

function columnsBy(by: string): ColumnOf<Cells>[] {
  return [
    textColumn("name", by === "overall" ? "setting" : by, ({ name }) => name),
    numberColumn("n", "n", "count", ({ rows }) => rows.get("tpr")?.n),
    numberColumn("tpr", "TPR %", "points", ({ rows }) => rows.get("tpr")?.value),
    numberColumn("la", "LA %", "points", ({ rows }) => rows.get("la")?.value),
    numberColumn("excluded", "LA excl.", "count", ({ rows }) => rows.get("la")?.excluded, { importance: 2 }),
    ...JUDGED.map((name) =>
      numberColumn<Cells>(name, MARKS[name], "short", ({ rows }) => tenfold(rows.get(name)?.value)),
    ),
    numberColumn("judged", "judged", "count", ({ rows }) => judgedOf(rows)),
  ];
}

function tenfold(value: number | null | undefined): number | null {
  return value === null || value === undefined ? null : value * 10;
}
