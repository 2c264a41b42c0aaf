import { groupBy } from "../../base/grouping.js";
import { modelName } from "../../model/vendor/model-name.js";
import type { Block } from "../../report/block.js";
import { type ColumnOf, heading, numberColumn, sentence, tableOf, textColumn } from "../../report/make-block.js";
import { columnsOf, type Table } from "../../store/table.js";
import { ownTable } from "../../trial/score/own-table.js";
import { numberOf } from "../../trial/score/summarise-trials.js";
import type { SummaryRow } from "../../trial/score/trial-tables.js";
import type { TrialRecord } from "../../trial/trial-records.js";
import type { TrialRun } from "../../trial/trial-run.js";
import { byDifficulty, SMELLS } from "./smell-case.js";
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
