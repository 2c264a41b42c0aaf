import type { WriteTable } from "../../run/suite.js";
import type { Table, TableDescription } from "../../store/table.js";
import type { TrialRecord } from "../trial-records.js";
import type { TrialRun } from "../trial-run.js";
import { judgedTrials } from "./summarise-trials.js";

/** A table that a suite has besides those of all: a row a trial that is in the rates. */
export interface OwnTable {
  readonly description: TableDescription;
  /** Writes its rows: of the trials that are in every rate alone. */
  write(write: WriteTable, run: TrialRun, records: readonly TrialRecord[]): Promise<void>;
}

/** Such a table, by what a trial's row is made from. */
export function ownTable<Row>(table: Table<Row>, rowOf: (record: TrialRecord, run: TrialRun) => Row): OwnTable {
  return tableBy(table, (run, records) => judgedTrials(records).map((record) => rowOf(record, run)));
}

/** A table whose rows are known, or follow from the trials. */
export function tableBy<Row>(
  table: Table<Row>,
  rowsOf: (run: TrialRun, records: readonly TrialRecord[]) => readonly Row[],
): OwnTable {
  return { description: table, write: (write, run, records) => write(table, rowsOf(run, records)) };
}
