import { mean, median } from "simple-statistics";
import { groupBy } from "../../../base/grouping.js";
import type { FixtureFacts } from "./contracts.js";
import {
  type Condition,
  conditionsOf,
  countOf,
  dollars,
  keyOf,
  type PublishedRow,
  passes,
  reports,
} from "./published-row.js";

/**
 * Findings that a reader of the tables should know, by the names that `--json` prints. `null`: the columns that tell it are
 * not there.
 */
export interface Findings {
  /** Fixtures that nobody passes and on which every reported success fails alike, by that class. */
  readonly alike_failures: readonly { readonly bucket: string; readonly fixtures: readonly string[] }[] | null;
  /** Passes without a new file: a fixture that was left as it is passes its own tests. */
  readonly trivial_passes: { readonly count: number; readonly passes: number } | null;
  /** Passes that the agent did not report. */
  readonly unreported_passes: number | null;
  readonly costs: CostFinding | null;
  /** `files_compiled` below 0. */
  readonly negative_files_compiled: { readonly count: number; readonly least: number } | null;
  /** Rows that stand for a trial without a result. */
  readonly synthetic: readonly RowName[] | null;
  /** Rows that took equally long to the millisecond. */
  readonly equal_durations: readonly { readonly duration_ms: number; readonly rows: readonly RowName[] }[] | null;
}

/** Costs that are not told. */
interface CostFinding {
  readonly blank: number;
  /** Rows without a cost whose success was not reported; `null`: not told. */
  readonly blank_non_success: number | null;
  readonly rows: number;
  /** The condition in which blanks as 0 change the mean most; `null`: in none. */
  readonly widest: ReturnType<typeof meansOf> | null;
}

type RowName = ReturnType<typeof nameOf>;

/** @param has whether the file has a column */
export function findingsOf(rows: readonly PublishedRow[], has: (column: string) => boolean): Findings {
  const withColumns = <T>(columns: readonly string[], find: () => T) => (columns.every(has) ? find() : null);
  return {
    alike_failures: withColumns(["failure_bucket", "agent_reported_success"], () => alikeFailures(rows)),
    trivial_passes: withColumns(["non_triviality"], () => ({
      count: countOf(rows, (row) => passes(row) && row.isNonTrivial === false),
      passes: countOf(rows, passes),
    })),
    unreported_passes: withColumns(["agent_reported_success"], () =>
      countOf(rows, (row) => passes(row) && row.reportedSuccess === false),
    ),
    costs: withColumns(["refactoring_cost_usd"], () => costFinding(rows, has("agent_reported_success"))),
    negative_files_compiled: withColumns(["files_compiled"], () => negativeCompiled(rows)),
    synthetic: withColumns(["synthetic_terminal_failure"], () =>
      rows.filter(({ isSynthetic }) => isSynthetic === true).map(nameOf),
    ),
    equal_durations: withColumns(["duration_ms"], () => equalDurations(rows)),
  };
}

function alikeFailures(rows: readonly PublishedRow[]) {
  const found = [...groupBy(rows, ({ fixture }) => fixture)].flatMap(([fixture, own]) => {
    const [bucket, ...others] = new Set(own.filter(reports).map(({ failureBucket }) => failureBucket));
    return bucket == null || others.length > 0 || own.some(passes) ? [] : [{ bucket, fixture }];
  });
  return [...groupBy(found, ({ bucket }) => bucket)]
    .map(([bucket, own]) => ({ bucket, fixtures: own.map(({ fixture }) => fixture) }))
    .sort((left, right) => right.fixtures.length - left.fixtures.length);
}

function costFinding(rows: readonly PublishedRow[], isReportTold: boolean): CostFinding {
  const isBlank = ({ costUsd }: PublishedRow) => costUsd === null;
  const [widest] = conditionsOf(rows)
    .filter(({ rows: own }) => dollars(own).blank > 0 && dollars(own).n > 0)
    .map(meansOf)
    .sort((left, right) => gapOf(right) - gapOf(left));
  return {
    blank: countOf(rows, isBlank),
    blank_non_success: isReportTold ? countOf(rows, (row) => isBlank(row) && !reports(row)) : null,
    rows: rows.length,
    widest: widest ?? null,
  };
}

/** Mean cost of a condition: of what is known, and with blanks as 0, as published. */
function meansOf(condition: Condition) {
  const { measured, published } = dollars(condition.rows);
  return { ...keyOf(condition), avg_usd: measured, avg_usd_published: published };
}

function gapOf({ avg_usd, avg_usd_published }: ReturnType<typeof meansOf>): number {
  return (avg_usd ?? 0) - (avg_usd_published ?? 0);
}

function negativeCompiled(rows: readonly PublishedRow[]): { count: number; least: number } {
  const values = rows.flatMap(({ filesCompiled }) => filesCompiled ?? []);
  return { count: values.filter((value) => value < 0).length, least: Math.min(...values, 0) };
}

function equalDurations(rows: readonly PublishedRow[]) {
  return [...groupBy(rows, ({ durationMs }) => durationMs)].flatMap(([duration_ms, own]) =>
    duration_ms === null || own.length < 2 ? [] : [{ duration_ms, rows: own.map(nameOf) }],
  );
}

function nameOf(row: PublishedRow) {
  return { ...keyOf(row), fixture: row.fixture };
}

type Facts = ReadonlyMap<string, Pick<FixtureFacts, "lines">>;

/** Hardness of the fixtures, over all conditions, by the names that `--json` prints. */
export interface Hardness {
  /** Fixtures that nobody passes. */
  readonly zero_pass: readonly string[];
  /** Fixtures that every condition passes. */
  readonly all_pass: readonly string[];
  readonly passes: number;
  readonly rows: number;
  /** Share of failures on fixtures that nobody passes that was reported, 0–1; `null`: not told, or none. */
  readonly zero_pass_non_success: number | null;
  /** Lines of the target; `null` where no file tells them. */
  readonly target_lines: { readonly zero_pass: LineStatistics | null; readonly others: LineStatistics | null } | null;
}

/** Lines of the targets of a set of fixtures. */
interface LineStatistics {
  readonly n: number;
  readonly mean: number;
  readonly median: number;
  /** The upper of the two middle values, which the paper prints for the median. */
  readonly median_published: number;
}

export function hardnessOf(rows: readonly PublishedRow[], facts: Facts | null): Hardness {
  const byFixture = groupBy(rows, ({ fixture }) => fixture);
  const named = (isSo: (own: readonly PublishedRow[]) => boolean) =>
    [...byFixture].filter(([, own]) => isSo(own)).map(([fixture]) => fixture);
  const zero = named((own) => !own.some(passes));
  const others = named((own) => own.some(passes));
  return {
    zero_pass: zero,
    all_pass: named((own) => own.every(passes)),
    passes: countOf(rows, passes),
    rows: rows.length,
    zero_pass_non_success: nonSuccessShare(zero.flatMap((fixture) => byFixture.get(fixture) ?? [])),
    target_lines: facts && {
      zero_pass: lineStatistics(zero, facts),
      others: lineStatistics(others, facts),
    },
  };
}

/** All of these failed: nobody passes the fixture. */
function nonSuccessShare(failed: readonly PublishedRow[]): number | null {
  const told = failed.filter(({ failureBucket }) => failureBucket !== null);
  if (told.length === 0) return null;
  return countOf(told, ({ failureBucket }) => failureBucket === "Reported non-success") / told.length;
}

function lineStatistics(fixtures: readonly string[], facts: Facts): LineStatistics | null {
  const values = fixtures.flatMap((fixture) => facts.get(fixture)?.lines ?? []).sort((a, b) => a - b);
  const upperMiddle = values[Math.floor(values.length / 2)];
  if (upperMiddle === undefined) return null;
  return { n: values.length, mean: mean(values), median: median(values), median_published: upperMiddle };
}
