import { ProbeError } from "../../../base/errors.js";
import { readCsv } from "../../../store/read-csv.js";
import { type Condition, conditionsOf } from "./conditions.js";
import { type Findings, findingsOf } from "./findings.js";
import { type Hardness, hardnessOf, isFixtureTable, targetLines } from "./hardness.js";
import { readRows } from "./read-rows.js";
import * as tables from "./tables.js";

/** A file, and what messages call it. */
export interface NamedText {
  readonly name: string;
  readonly text: string;
}

/** The tables of the paper, recomputed from rows; one whose columns are missing is not there. */
export interface PublishedTables {
  readonly rows: number;
  /** Rows that a later one took the place of. */
  readonly superseded: number;
  readonly conditions: number;
  readonly fixtures: number;
  readonly table3: readonly tables.PassRow[];
  readonly table4: readonly tables.EffectRow[];
  readonly table5: readonly tables.ConfidenceRow[] | null;
  readonly table6: readonly tables.CostRow[] | null;
  readonly table7: readonly tables.GapRow[] | null;
  readonly table8: readonly tables.BucketRow[] | null;
  readonly table9: readonly tables.ModelBucketsRow[] | null;
  readonly table13: readonly tables.RetryRow[] | null;
  readonly hardness: Hardness;
  readonly findings: Findings;
  /** Tables that are not there, and the columns that they want. */
  readonly leftOut: readonly LeftOut[];
}

export interface LeftOut {
  readonly table: string;
  readonly missing: readonly string[];
}

/** What tables want besides the columns that all are made of. */
const WANTED = {
  table5: ["agent_reported_success"],
  table6: ["duration_ms", "refactoring_cost_usd", "agent_reported_success"],
  table7: ["agent_reported_success"],
  table8: ["failure_bucket"],
  table9: ["failure_bucket"],
  table13: ["duration_ms", "refactoring_cost_usd"],
} as const;

/**
 * The tables of the paper (3–9 and 13) from CSV texts: those of results, and, where lines of targets are wanted, the released one of fixtures.
 * @param isRounded whether Table 13 is computed from rounded means, as the printed one was
 * @throws ProbeError `bad_input` for texts that are no such tables
 */
export function publishedTables(files: readonly NamedText[], { isRounded }: { isRounded: boolean }): PublishedTables {
  const read = files.map(({ name, text }) => readCsv(name, text));
  const results = read.filter((table) => !isFixtureTable(table));
  const [fixtures, ...further] = read.filter(isFixtureTable);
  if (results.length === 0 || further.length > 0) {
    throw new ProbeError(
      "bad_input",
      "Expected at least one file of results and at most one of fixtures (with target_loc), found " +
        `${results.length} and ${read.length - results.length}.`,
    );
  }
  const { rows, superseded } = readRows(results);
  if (rows.length === 0) throw new ProbeError("bad_input", `Expected rows in ${results[0]?.name}, found none.`);
  const has = (column: string) =>
    results.every(({ columns }) => columns.has(column) || (column === "duration_ms" && columns.has("duration_min")));
  const conditions = conditionsOf(rows);
  const table = <T>(name: keyof typeof WANTED, make: (from: readonly Condition[]) => T) =>
    WANTED[name].every(has) ? make(conditions) : null;
  return {
    rows: rows.length,
    superseded,
    conditions: conditions.length,
    fixtures: new Set(rows.map(({ fixture }) => fixture)).size,
    table3: tables.passTable(conditions),
    table4: tables.effectTable(conditions),
    table5: table("table5", tables.confidenceTable),
    table6: table("table6", tables.costTable),
    table7: table("table7", tables.gapTable),
    table8: table("table8", () => tables.bucketTable(rows)),
    table9: table("table9", () => tables.modelBucketTable(rows)),
    table13: table("table13", () => tables.retryTable(conditions, isRounded)),
    hardness: hardnessOf(rows, fixtures === undefined ? null : targetLines(fixtures)),
    findings: findingsOf(rows, has),
    leftOut: Object.entries(WANTED).flatMap(([name, columns]) => {
      const missing = columns.filter((column) => !has(column));
      return missing.length === 0 ? [] : [{ table: name, missing }];
    }),
  };
}
