import { mean, median } from "simple-statistics";
import { groupBy } from "../../../base/grouping.js";
import { type ColumnOf, numberColumn, textColumn } from "../../../report/make-block.js";
import { CONTRACT_FAMILIES, type FixtureFacts } from "./contracts.js";
import { type Condition, countOf, type PublishedRow, passes } from "./published-row.js";

/** Rows to recompute the tables from. */
export interface Published {
  readonly rows: readonly PublishedRow[];
  readonly conditions: readonly Condition[];
  /** `true`: Table 13 from rounded means, dollars to three decimals, minutes to one, as the printed one was made. */
  readonly isRounded: boolean;
  readonly facts: ReadonlyMap<string, FixtureFacts>;
}

/** A table of the paper. */
export interface PaperTable<Row> {
  readonly title: string;
  /** Columns that it wants besides those of all tables. */
  readonly wants: readonly string[];
  /** Rows, by the names that `--json` prints. */
  readonly rows: (from: Published) => Row[];
  /** Columns for people. */
  readonly columns: readonly ColumnOf<Row>[];
}

/** A table, once its columns are told, which are of its rows. */
export function paperTable<Row>(table: Omit<PaperTable<Row>, "columns">) {
  return (columns: PaperTable<Row>["columns"]): PaperTable<Row> => ({ ...table, columns });
}

/** What the hidden tests of fixtures tell, which is in no table of results. */
export const HIDDEN_TESTS = "the hidden tests (--data)";
export const CATEGORY = "fixture_category";

/** Rows of Table 10. */
const HARDEST = 10;
/** Classes that Table 11 names of each category. */
const LARGEST = 3;

/** Categories as Table 10 prints them. */
const SHORT = new Map([
  ["React web UI", "Web UI"],
  ["Mobile / React Native", "Mobile"],
]);

/** Tables about fixtures, over all conditions. */
export const FIXTURE_TABLES = {
  table10: paperTable({
    title: "Table 10: fixtures that fail most",
    wants: ["failure_bucket", "duration_ms"],
    rows: (from: Published) =>
      [...groupBy(from.rows, ({ fixture }) => fixture)]
        .map(([fixture, own]) => hardRow(from, fixture, own))
        .toSorted(
          (a, b) => b.failures - a.failures || (b.avg_min ?? 0) - (a.avg_min ?? 0) || byText(a.fixture, b.fixture),
        )
        .slice(0, HARDEST),
  })([
    textColumn("fixture", "fixture", ({ fixture }) => fixture),
    textColumn("category", "category", ({ category }) => category ?? ""),
    numberColumn("lines", "lines", "count", ({ loc }) => loc),
    numberColumn("passes", "passes", "count", (row) => row.passes),
    numberColumn("minutes", "min", "short", (row) => row.avg_min),
    textColumn("bucket", "most fail by", ({ bucket }) => bucket ?? "", { width: 28 }),
  ]),
  table11: paperTable({
    title: "Table 11: fixtures that nobody passes, by category",
    wants: ["failure_bucket", CATEGORY],
    rows: (from: Published) => {
      const zero = zeroPass(from);
      const byCategory = groupBy(zero, ({ fixture }) => from.facts.get(fixture)?.category ?? "");
      return [...byCategory]
        .map(([category, own]) => {
          const lines = own.flatMap(({ fixture }) => from.facts.get(fixture)?.lines ?? []).sort((a, b) => a - b);
          const largest = bucketsOf(own.flatMap(({ rows }) => rows)).slice(0, LARGEST);
          return {
            category,
            fixtures: own.length,
            share: own.length / zero.length,
            median_loc: lines.length === 0 ? null : median(lines),
            median_loc_published: lines[Math.floor(lines.length / 2)] ?? null,
            largest: Object.fromEntries(largest),
          };
        })
        .toSorted((a, b) => b.fixtures - a.fixtures);
    },
  })([
    textColumn("category", "category", ({ category }) => category),
    numberColumn("fixtures", "fixtures", "count", ({ fixtures }) => fixtures),
    numberColumn("share", "%", "points", ({ share }) => share),
    numberColumn("lines", "lines, median", "short", (row) => row.median_loc),
    numberColumn("lines_published", "upper middle", "count", (row) => row.median_loc_published, { importance: 2 }),
    textColumn("largest", "most fail by", ({ largest }) => largestText(largest), { width: 40 }),
  ]),
  table12: paperTable({
    title: "Table 12: what hidden tests demand that nobody passes",
    wants: [HIDDEN_TESTS],
    rows: (from: Published) => {
      const told = zeroPass(from).flatMap(({ fixture }) => from.facts.get(fixture)?.contracts ?? []);
      return CONTRACT_FAMILIES.map(([family]) => ({ family, fixtures: told.filter((each) => each === family).length }));
    },
  })([
    textColumn("family", "family", ({ family }) => family),
    numberColumn("fixtures", "fixtures", "count", ({ fixtures }) => fixtures),
  ]),
  hidden_tests: paperTable({
    title: "Hidden tests by fixture",
    wants: [HIDDEN_TESTS],
    rows: (from: Published) =>
      [...groupBy(from.rows, ({ fixture }) => fixture).keys()].flatMap((fixture) => {
        const { makeup = null, contracts = null } = from.facts.get(fixture) ?? {};
        return makeup === null ? [] : [{ fixture, ...makeup, contracts }];
      }),
  })([
    textColumn("fixture", "fixture", ({ fixture }) => fixture),
    numberColumn("tests", "tests", "count", (row) => row.test_count),
    numberColumn("assertions", "expectations", "count", (row) => row.assertion_count),
    numberColumn("interactions", "interactions", "count", (row) => row.interaction_count),
    numberColumn("waits", "waits", "count", (row) => row.async_wait_count),
  ]),
};

function hardRow({ facts }: Published, fixture: string, rows: readonly PublishedRow[]) {
  const known = rows.flatMap(({ durationMs }) => durationMs ?? []);
  const { lines = null, category = null } = facts.get(fixture) ?? {};
  return {
    fixture,
    category: category === null ? null : (SHORT.get(category) ?? category),
    loc: lines,
    passes: countOf(rows, passes),
    failures: countOf(rows, (row) => !passes(row)),
    avg_min: known.length === 0 ? null : mean(known) / 60_000,
    bucket: bucketsOf(rows)[0]?.[0] ?? null,
  };
}

/** Fixtures that nobody passes. */
function zeroPass({ rows }: Published) {
  return [...groupBy(rows, ({ fixture }) => fixture)].flatMap(([fixture, own]) =>
    own.some(passes) ? [] : [{ fixture, rows: own }],
  );
}

/** Classes of the failures, the most frequent first, of as many those whose name comes first. */
function bucketsOf(rows: readonly PublishedRow[]): [string, number][] {
  const named = rows.flatMap((row) => (passes(row) || row.failureBucket === null ? [] : [row.failureBucket]));
  return [...groupBy(named, (bucket) => bucket)]
    .map(([bucket, own]): [string, number] => [bucket, own.length])
    .toSorted(([a, n], [b, m]) => m - n || byText(a, b));
}

function byText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

function largestText(largest: Readonly<Record<string, number>>): string {
  return Object.entries(largest)
    .map(([bucket, count]) => `${bucket} (${count})`)
    .join(", ");
}
