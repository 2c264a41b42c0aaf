import { sum } from "simple-statistics";
import { groupBy } from "../../../base/grouping.js";
import { columnsOf, type Table } from "../../../store/table.js";

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

/** Result of one fixture under one condition, as the released tables keep it. `null`: blank, or no such column. */
export interface PublishedRow {
  /** The released name of model and provider; the model's name where there is no such column. */
  readonly provider: string;
  readonly model: string;
  /** `Enabled` or `Disabled`; other conditions have names of their own. */
  readonly testRunner: string;
  readonly fixture: string;
  readonly passesTests: boolean;
  readonly reportedSuccess: boolean | null;
  /** True if at least one file is new. */
  readonly isNonTrivial: boolean | null;
  /** 1 − errors/files: at most 1, below 0 where there are more errors than files. */
  readonly filesCompiled: number | null;
  readonly failureBucket: string | null;
  readonly durationMs: number | null;
  readonly costUsd: number | null;
  readonly promptTokens: number | null;
  readonly completionTokens: number | null;
  readonly filesBefore: number | null;
  readonly filesAfter: number | null;
  readonly totalFilesCompiled: number | null;
  /** True if the row stands for a trial that never gave a result. */
  readonly isSynthetic: boolean | null;
  readonly sourceExport: string | null;
  readonly experimentId: string | null;
  readonly resultId: string | null;
  /** When the result was made, ISO 8601. */
  readonly createdAt: string | null;
}

/** Rows as they are published: 22 columns; binary values as 1 and 0. */
export const PUBLISHED_TABLE: Table<PublishedRow> = {
  file: "per_fixture.csv",
  title: "One row a trial, with the columns of the published results.",
  primaryKey: ["model_provider", "test_runner", "fixture", "result_id"],
  columns: columnsOf([
    ["model_provider", "string", "Name of the model and who serves it.", (row) => row.provider],
    ["model", "string", "Model, as tables name it.", (row) => row.model],
    ["test_runner", "string", "Tests that the agent could run: Enabled or Disabled.", (row) => row.testRunner],
    ["fixture", "string", "Folder of the fixture.", (row) => row.fixture],
    ["passes_tests", "integer", "1: the hidden tests passed.", (row) => binary(row.passesTests)],
    ["agent_reported_success", "integer", "1: the agent said it succeeded.", (row) => binary(row.reportedSuccess)],
    ["non_triviality", "integer", "1: at least one file is new.", (row) => binary(row.isNonTrivial)],
    ["files_compiled", "number", "1 − errors/files, as published: may be below 0.", (row) => row.filesCompiled],
    ["failure_bucket", "string", "Passed, or the first class of failures that matches.", (row) => row.failureBucket],
    ["duration_ms", "integer", "Wall-clock time, milliseconds.", (row) => row.durationMs],
    ["duration_min", "number", "The same in minutes.", (row) => minutesOf(row.durationMs)],
    ["refactoring_cost_usd", "number", "Cost of the model's calls, US dollars.", (row) => row.costUsd],
    ["prompt_tokens", "integer", "Tokens of the prompts.", (row) => row.promptTokens],
    ["completion_tokens", "integer", "Tokens that were written.", (row) => row.completionTokens],
    ["files_before", "integer", "Files of the fixture's source.", (row) => row.filesBefore],
    ["files_after", "integer", "Files when the agent was done.", (row) => row.filesAfter],
    ["total_files_compiled", "integer", "Files that were checked for errors.", (row) => row.totalFilesCompiled],
    ["synthetic_terminal_failure", "boolean", "A row for a trial without a result.", (row) => row.isSynthetic],
    ["source_export", "string", "Where the row comes from: a run.", (row) => row.sourceExport],
    ["experiment_id", "string", "The experiment it belongs to.", (row) => row.experimentId],
    ["result_id", "string", "The result's own name.", (row) => row.resultId],
    ["result_created_at", "string", "When it was made, ISO 8601: the latest counts.", (row) => row.createdAt],
  ]),
};

function binary(value: boolean | null): number | null {
  return value === null ? null : Number(value);
}

const MS_A_MINUTE = 60_000;

/** Milliseconds in minutes. */
function minutesOf(durationMs: number | null): number | null {
  return durationMs === null ? null : durationMs / MS_A_MINUTE;
}
