import { mean, median } from "simple-statistics";
import { groupBy } from "../../../base/grouping.js";
import type { FixtureFacts } from "./contracts.js";
import { countOf, dollars, type PublishedRow, passes, reports, type TwoMeans } from "./published-row.js";

/** Findings that a reader of the tables should know. `null`: the columns that tell it are not there. */
export interface Findings {
  /** Fixtures that nobody passes and on which every reported success fails alike, by that class. */
  readonly alikeFailures: readonly AlikeFailures[] | null;
  /** Passes without a new file: a fixture that was left as it is passes its own tests. */
  readonly trivialPasses: { readonly count: number; readonly passes: number } | null;
  /** Passes that the agent did not report. */
  readonly unreportedPasses: number | null;
  readonly costs: CostFinding | null;
  /** `files_compiled` below 0. */
  readonly negativeCompiled: { readonly count: number; readonly least: number } | null;
  /** Rows that stand for a trial without a result. */
  readonly synthetic: readonly RowName[] | null;
  /** Rows that took equally long to the millisecond. */
  readonly equalDurations: readonly EqualDurations[] | null;
}

interface AlikeFailures {
  readonly bucket: string;
  readonly fixtures: readonly string[];
}

/** Costs that are not told. */
interface CostFinding {
  readonly blank: number;
  /** Rows without a cost whose success was not reported; `null`: not told. */
  readonly blankNonSuccess: number | null;
  readonly rows: number;
  /** The condition in which blanks as 0 change the mean most; `null`: in none. */
  readonly widest: (TwoMeans & { readonly model: string; readonly testRunner: string }) | null;
}

interface RowName {
  readonly model: string;
  readonly testRunner: string;
  readonly fixture: string;
}

interface EqualDurations {
  readonly durationMs: number;
  readonly rows: readonly RowName[];
}

/** @param has whether the file has a column */
export function findingsOf(rows: readonly PublishedRow[], has: (column: string) => boolean): Findings {
  const withColumns = <T>(columns: readonly string[], find: () => T) => (columns.every(has) ? find() : null);
  return {
    alikeFailures: withColumns(["failure_bucket", "agent_reported_success"], () => alikeFailures(rows)),
    trivialPasses: withColumns(["non_triviality"], () => ({
      count: countOf(rows, (row) => passes(row) && row.isNonTrivial === false),
      passes: countOf(rows, passes),
    })),
    unreportedPasses: withColumns(["agent_reported_success"], () =>
      countOf(rows, (row) => passes(row) && row.reportedSuccess === false),
    ),
    costs: withColumns(["refactoring_cost_usd"], () => costFinding(rows, has("agent_reported_success"))),
    negativeCompiled: withColumns(["files_compiled"], () => negativeCompiled(rows)),
    synthetic: withColumns(["synthetic_terminal_failure"], () =>
      rows.filter(({ isSynthetic }) => isSynthetic === true).map(nameOf),
    ),
    equalDurations: withColumns(["duration_ms"], () => equalDurations(rows)),
  };
}

function alikeFailures(rows: readonly PublishedRow[]): AlikeFailures[] {
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
  const means = [...groupBy(rows, ({ model, testRunner }) => JSON.stringify([model, testRunner])).values()]
    .flatMap((own) => (own[0] === undefined ? [] : [{ ...dollars(own), ...nameOf(own[0]) }]))
    .filter(({ blank, n }) => blank > 0 && n > 0)
    .sort((left, right) => gapOf(right) - gapOf(left));
  const [widest] = means;
  return {
    blank: countOf(rows, isBlank),
    blankNonSuccess: isReportTold ? countOf(rows, (row) => isBlank(row) && !reports(row)) : null,
    rows: rows.length,
    widest: widest ?? null,
  };
}

function gapOf({ measured, published }: TwoMeans): number {
  return (measured ?? 0) - (published ?? 0);
}

function negativeCompiled(rows: readonly PublishedRow[]): { count: number; least: number } {
  const values = rows.flatMap(({ filesCompiled }) => filesCompiled ?? []);
  return { count: values.filter((value) => value < 0).length, least: Math.min(...values, 0) };
}

function equalDurations(rows: readonly PublishedRow[]): EqualDurations[] {
  const groups = groupBy(rows, ({ durationMs }) => durationMs);
  return [...groups].flatMap(([durationMs, own]) =>
    durationMs === null || own.length < 2 ? [] : [{ durationMs, rows: own.map(nameOf) }],
  );
}

function nameOf({ model, testRunner, fixture }: PublishedRow): RowName {
  return { model, testRunner, fixture };
}

type Facts = ReadonlyMap<string, Pick<FixtureFacts, "lines">>;

/** Hardness of the fixtures, over all conditions. */
export interface Hardness {
  readonly fixtures: number;
  /** Fixtures that nobody passes. */
  readonly zeroPass: readonly string[];
  /** Fixtures that every condition passes. */
  readonly allPass: readonly string[];
  readonly passes: number;
  readonly rows: number;
  /** Share of failures on fixtures that nobody passes that was reported, 0–1; `null`: not told, or none. */
  readonly zeroPassNonSuccess: number | null;
  /** Lines of the target; `null` where no file tells them. */
  readonly lines: { readonly zeroPass: LineStatistics | null; readonly others: LineStatistics | null } | null;
}

/** Lines of the targets of a set of fixtures. */
interface LineStatistics {
  readonly n: number;
  readonly mean: number;
  readonly median: number;
  /** The upper of the two middle values, which the paper prints for the median. */
  readonly medianPublished: number;
}

export function hardnessOf(rows: readonly PublishedRow[], facts: Facts | null): Hardness {
  const byFixture = groupBy(rows, ({ fixture }) => fixture);
  const named = (isSo: (own: readonly PublishedRow[]) => boolean) =>
    [...byFixture].filter(([, own]) => isSo(own)).map(([fixture]) => fixture);
  const zeroPass = named((own) => !own.some(passes));
  const zero = new Set(zeroPass);
  return {
    fixtures: byFixture.size,
    zeroPass,
    allPass: named((own) => own.every(passes)),
    passes: countOf(rows, passes),
    rows: rows.length,
    zeroPassNonSuccess: nonSuccessShare(rows.filter(({ fixture }) => zero.has(fixture))),
    lines:
      facts === null
        ? null
        : {
            zeroPass: lineStatistics(zeroPass, facts),
            others: lineStatistics(
              [...byFixture.keys()].filter((fixture) => !zero.has(fixture)),
              facts,
            ),
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
  return { n: values.length, mean: mean(values), median: median(values), medianPublished: upperMiddle };
}
