import { sum } from "simple-statistics";
import { groupBy } from "../../../base/grouping.js";
import type { Column, Table } from "../../../store/table.js";

/** The two arms of the released results, as they name them. */
export const ARMS = { enabled: "Enabled", disabled: "Disabled" } as const;

/** The rows of one model under one condition. */
export interface Condition {
  readonly model: string;
  readonly testRunner: string;
  readonly rows: readonly PublishedRow[];
}

/** A mean two ways: of what was measured, and as the released tables take it. */
interface TwoMeans {
  /** Mean of the values that are there; `null`: there is none. */
  readonly measured: number | null;
  /** Values there are. */
  readonly n: number;
  /** Rows without one. */
  readonly blank: number;
  /** Blanks as 0, over all rows; `null`: there is no row. */
  readonly published: number | null;
}

/** The conditions in the order in which the file has them. */
export function conditionsOf(rows: readonly PublishedRow[]): Condition[] {
  const found = groupBy(rows, ({ model, testRunner }) => JSON.stringify([model, testRunner]));
  return [...found.values()].flatMap((own) => {
    const [first] = own;
    return first === undefined ? [] : [{ model: first.model, testRunner: first.testRunner, rows: own }];
  });
}

/** Model and arm of a row or a condition, by the names that `--json` prints. */
export function keyOf({ model, testRunner }: Pick<Condition, "model" | "testRunner">) {
  return { model, test_runner: testRunner };
}

export function countOf(rows: readonly PublishedRow[], isSo: (row: PublishedRow) => boolean): number {
  return rows.filter(isSo).length;
}

export const passes = (row: PublishedRow): boolean => row.passesTests;
export const reports = (row: PublishedRow): boolean => row.reportedSuccess === true;
export const isFalselyConfident = (row: PublishedRow): boolean => reports(row) && !passes(row);

/** Minutes a row. */
export function minutes(rows: readonly PublishedRow[]): TwoMeans {
  return twoMeans(rows.map(({ durationMs }) => minutesOf(durationMs)));
}

/** US dollars a row; the 0 of a synthetic row, which stands for a trial without a result, was not measured. */
export function dollars(rows: readonly PublishedRow[]): TwoMeans {
  return twoMeans(rows.map(({ costUsd, isSynthetic }) => (isSynthetic === true ? null : costUsd)));
}

function twoMeans(values: readonly (number | null)[]): TwoMeans {
  const known = values.filter((value) => value !== null);
  const total = sum([...known]);
  return {
    measured: known.length === 0 ? null : total / known.length,
    n: known.length,
    blank: values.length - known.length,
    published: values.length === 0 ? null : total / values.length,
  };
}

/** Columns of a row by its members; `flag`: 1 or 0. */
const COLUMNS = {
  provider: ["model_provider", "string", "Name of the model and who serves it."],
  model: ["model", "string", "Model, as tables name it."],
  // Other conditions have names of their own.
  testRunner: ["test_runner", "string", "Tests that the agent could run: Enabled or Disabled."],
  fixture: ["fixture", "string", "Folder of the fixture."],
  passesTests: ["passes_tests", "flag", "1: the hidden tests passed."],
  reportedSuccess: ["agent_reported_success", "flag", "1: the agent said it succeeded."],
  isNonTrivial: ["non_triviality", "flag", "1: at least one file is new."],
  filesCompiled: ["files_compiled", "number", "1 − errors/files, as published: may be below 0."],
  failureBucket: ["failure_bucket", "string", "Passed, or the first class of failures that matches."],
  durationMs: ["duration_ms", "integer", "Wall-clock time, milliseconds."],
  costUsd: ["refactoring_cost_usd", "number", "Cost of the model's calls, US dollars."],
  promptTokens: ["prompt_tokens", "integer", "Tokens of the prompts."],
  completionTokens: ["completion_tokens", "integer", "Tokens that were written."],
  filesBefore: ["files_before", "integer", "Files of the fixture's source."],
  filesAfter: ["files_after", "integer", "Files when the agent was done."],
  totalFilesCompiled: ["total_files_compiled", "integer", "Files that were checked for errors."],
  isSynthetic: ["synthetic_terminal_failure", "boolean", "A row for a trial without a result."],
  sourceExport: ["source_export", "string", "Where the row comes from: a run."],
  experimentId: ["experiment_id", "string", "The experiment it belongs to."],
  resultId: ["result_id", "string", "The result's own name."],
  createdAt: ["result_created_at", "string", "When it was made, ISO 8601: the latest counts."],
} as const;

type Columns = typeof COLUMNS;
type Kind = Columns[keyof Columns][1];
type ValueOf<K extends Kind> = K extends "string" ? string : K extends "flag" | "boolean" ? boolean : number;

/** Members without which there is nothing to say; a row without a provider has the model's name for it. */
type Known = "provider" | "model" | "testRunner" | "fixture" | "passesTests";

/** Result of one fixture under one condition, as the released tables keep it. `null`: blank, or no such column. */
export type PublishedRow = {
  readonly [Name in keyof Columns]: ValueOf<Columns[Name][1]> | (Name extends Known ? never : null);
};

/** A row from its cells. @param read the value of a cell; `null`: blank, or no such column */
export function rowFrom(read: (column: string, kind: Kind) => string | number | boolean | null): PublishedRow {
  const members = Object.entries(COLUMNS).map(([name, [column, kind]]) => [name, read(column, kind)]);
  return Object.fromEntries(members) as PublishedRow;
}

const MS_A_MINUTE = 60_000;

const MINUTES: Column<PublishedRow> = {
  name: "duration_min",
  type: "number",
  description: "The same in minutes.",
  value: ({ durationMs }) => minutesOf(durationMs),
};

/** Milliseconds in minutes. */
function minutesOf(durationMs: number | null): number | null {
  return durationMs === null ? null : durationMs / MS_A_MINUTE;
}

/** Rows as they are published: 22 columns; binary values as 1 and 0. */
export const PUBLISHED_TABLE: Table<PublishedRow> = {
  file: "per_fixture.csv",
  title: "One row a trial, with the columns of the published results.",
  primaryKey: ["model_provider", "test_runner", "fixture", "result_id"],
  columns: Object.entries(COLUMNS).flatMap(([member, [name, kind, description]]): Column<PublishedRow>[] => {
    const of = (row: PublishedRow) => row[member as keyof PublishedRow];
    if (kind === "flag") return [{ name, type: "integer", description, value: (row) => binary(of(row)) }];
    const column = { name, type: kind, description, value: of };
    return name === "duration_ms" ? [column, MINUTES] : [column];
  }),
};

function binary(value: unknown): number | null {
  return value === null ? null : Number(value);
}
