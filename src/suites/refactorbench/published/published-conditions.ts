import { sum } from "simple-statistics";
import { groupBy } from "../../../base/grouping.js";
import { minutesOf, type PublishedRow } from "./published-row.js";

/** The two arms of the released results, as they name them. */
export const ARMS = { enabled: "Enabled", disabled: "Disabled" } as const;

/** The rows of one model under one condition. */
export interface Condition {
  readonly model: string;
  readonly testRunner: string;
  readonly rows: readonly PublishedRow[];
}

/** A mean two ways: of what was measured, and as the released tables take it. */
export interface TwoMeans {
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
