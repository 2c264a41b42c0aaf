import { groupBy } from "../../../base/grouping.js";
import type { Block, Inline } from "../../../report/block.js";
import {
  type ColumnOf,
  heading,
  numberCell,
  numberColumn,
  rightColumn,
  sentence,
  tableOf,
  textCell,
  textColumn,
} from "../../../report/make-block.js";
import type { Arm, LanguageRow, MetricName } from "./output-arms.js";
import { LEVEL, type PairedTest, type Standing, TESTED } from "./paired-arms.js";

/** A mean in percent, with half of its 95 % interval in points where there are two values. */
export function shareColumn(name: MetricName, label: string): ColumnOf<Arm> {
  return rightColumn(name, label, ({ values }) => {
    const estimate = values[name].estimate;
    const half = estimate?.high == null ? null : (estimate.high - estimate.value) * 100;
    const note: Inline[] = half === null ? [] : ["±", { value: half, format: "short" }];
    return numberCell(estimate === null ? null : estimate.value * 100, "short", { note });
  });
}

/** Mean lines of code a patch, and the precision of these alone: Table 6. */
export function lineBlocks(names: readonly ColumnOf<Arm>[], arms: readonly Arm[]): Block[] {
  const lines = (name: MetricName, label: string) =>
    numberColumn<Arm>(name, label, "short", ({ values }) => values[name].estimate?.value);
  const columns = [
    ...names,
    shareColumn("precision_filtered", "Prec"),
    shareColumn("precision_added_filtered", "Prec⁺"),
    shareColumn("precision_removed_filtered", "Prec⁻"),
    lines("edited_lines", "|L|"),
    lines("added_lines", "|L⁺|"),
    lines("removed_lines", "|L⁻|"),
  ];
  return [
    heading(3, "Lines of code alone (no documents, configuration, comments, blanks)"),
    tableOf(null, columns, arms),
  ];
}

const LANGUAGE_COLUMNS: ColumnOf<LanguageRow>[] = [
  textColumn("condition", "condition", ({ condition }) => condition, { width: 20 }),
  textColumn("language", "language", ({ language }) => language),
  numberColumn("n", "n", "count", ({ n }) => n),
  rightColumn("alignment", "A", ({ alignment, standardError }) => {
    const note: Inline[] = standardError === null ? [] : ["± ", { value: standardError * 100, format: "short" }];
    return numberCell(alignment === null ? null : alignment * 100, "short", { note });
  }),
];

/** Mean alignment and its standard error by language: Table 7; nothing where no language is known. */
export function languageBlocks(rows: readonly LanguageRow[]): Block[] {
  if (rows.length === 0) return [];
  return [heading(3, "By language (mean and standard error, all agents)"), tableOf(null, LANGUAGE_COLUMNS, rows)];
}

interface StandingRow {
  readonly condition: string;
  readonly agent: string;
  readonly cells: ReadonlyMap<string, Standing>;
}

/** Wins and losses: Table 8; nothing where no two agents can be compared. */
export function standingBlocks(found: readonly Standing[]): Block[] {
  if (found.length === 0) return [];
  const rows = [...groupBy(found, ({ condition, agent }) => JSON.stringify([condition, agent])).values()].map(
    (own): StandingRow => {
      const { condition = "", agent = "" } = own[0] ?? {};
      return { condition, agent, cells: new Map(own.map((each) => [each.metric, each])) };
    },
  );
  const columns: ColumnOf<StandingRow>[] = [
    textColumn("condition", "condition", ({ condition }) => condition, { width: 20 }),
    textColumn("agent", "agent", ({ agent }) => agent, { width: 24 }),
    ...TESTED.map((metric) =>
      rightColumn<StandingRow>(metric, metric, ({ cells }) => {
        const own = cells.get(metric);
        return own === undefined ? { kind: "missing" } : textCell(`${own.wins}–${own.losses} of ${own.rivals}`);
      }),
    ),
  ];
  const text = `Agents that one is better and worse than under the same condition, of those it was tested against; q ≤ ${LEVEL}, adjusted over all such pairs of a metric.`;
  return [heading(3, "Wins and losses"), sentence(text), tableOf(null, columns, rows)];
}

/** Differences that are one, of every two arms that differ in one thing. */
export function testBlocks(tests: readonly PairedTest[]): Block[] {
  if (tests.length === 0) return [];
  const found = tests.filter(({ q }) => q <= LEVEL);
  const text =
    `Sign-flip tests on the same instances, of every two arms that differ in agent or condition alone; q after ` +
    `Benjamini and Hochberg over all pairs of a metric (${TESTED.join(", ")}). Differences with q ≤ ${LEVEL}: `;
  const count = (value: number): Inline => ({ value, format: "count" });
  return [
    heading(3, "Differences"),
    sentence(text, count(found.length), " of ", count(tests.length), "."),
    ...(found.length === 0 ? [] : [tableOf(null, TEST_COLUMNS, found)]),
  ];
}

const TEST_COLUMNS: ColumnOf<PairedTest>[] = [
  textColumn("metric", "metric", (test) => test.metric),
  textColumn("first", "first", ({ first }) => `${first.agent}, ${first.condition}`, { width: 22 }),
  textColumn("second", "second", ({ second }) => `${second.agent}, ${second.condition}`, { width: 22 }),
  numberColumn("n", "n", "count", ({ n }) => n),
  numberColumn("difference", "second − first", "change", ({ difference }) => difference, { shortLabel: "diff" }),
  numberColumn("q", "q", "pvalue", ({ q }) => q),
];
