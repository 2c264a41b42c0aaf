import { groupBy } from "../../../base/grouping.js";
import { seededIntegers } from "../../../base/random.js";
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
import { tInterval } from "../../../stats/interval.js";
import { benjaminiHochberg, realSignFlipTest, signFlipTest } from "../../../stats/p-values.js";
import { type Arm, agentArms, type LanguageRow, type MetricName } from "./output-arms.js";

/**
 * A mean in percent, with half of its 95 % t interval in points, also where that passes 0 or 100 %; with the bounds of its
 * interval where all values are alike, which are not equally far from it.
 */
export function shareColumn(name: MetricName, label: string): ColumnOf<Arm> {
  return rightColumn(name, label, ({ rows, values }) => {
    const estimate = values[name].estimate;
    const percent = (value: number): Inline => ({ value: value * 100, format: "short" });
    const whole = tInterval(rows.flatMap((row) => row.values[name] ?? []));
    if (whole?.high != null)
      return numberCell(whole.value * 100, "short", { note: ["±", percent(whole.high - whole.value)] });
    const hasBounds = estimate?.low != null && estimate.high != null;
    const note = hasBounds ? ["(", percent(estimate.low), "–", percent(estimate.high), ")"] : [];
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
  rightColumn("alignment", "A", ({ alignment, standard_error }) => {
    const note: Inline[] = standard_error === null ? [] : ["± ", { value: standard_error * 100, format: "short" }];
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

/** Metrics that are tested between arms. */
const TESTED = ["pass", "ifr", "alignment", "precision"] as const satisfies readonly MetricName[];
type Tested = (typeof TESTED)[number];

/** The most that an adjusted p-value may be to call a difference one. */
const LEVEL = 0.05;

/** Two arms on the instances that both have a value of. */
interface PairedTest {
  readonly metric: Tested;
  readonly first: Pick<Arm, "condition" | "agent">;
  readonly second: Pick<Arm, "condition" | "agent">;
  /** Mean of the second minus mean of the first. */
  readonly difference: number | null;
  readonly n: number;
  readonly p: number;
  /** Benjamini–Hochberg over all pairs of the metric. */
  readonly q: number;
}

/** Unadjusted tests of every two arms that differ in the agent or in the condition alone. */
type OpenTest = Omit<PairedTest, "q">;

/**
 * Every two arms that differ in the agent or in the condition alone, by a sign-flip test of the differences on each instance.
 * Right and empty solutions are no arms of it. A pair without an instance in common is left out.
 */
export function pairedTests(arms: readonly Arm[]): PairedTest[] {
  return TESTED.flatMap((metric) => adjusted(openTests(arms, metric)));
}

function openTests(arms: readonly Arm[], metric: Tested): OpenTest[] {
  const agents = agentArms(arms);
  return agents.flatMap((first, i) =>
    agents.slice(i + 1).flatMap((second) => {
      const isBoth = (first.agent === second.agent) === (first.condition === second.condition);
      return isBoth ? [] : testOf(metric, first, second);
    }),
  );
}

function adjusted(tests: readonly OpenTest[]): PairedTest[] {
  const q = benjaminiHochberg(tests.map(({ p }) => p));
  return tests.map((test, i) => ({ ...test, q: q[i] ?? 1 }));
}

/** Agents that one is found better and worse than, under one condition: a cell of the paper's Table 8. */
interface Standing {
  readonly metric: Tested;
  readonly condition: string;
  readonly agent: string;
  readonly wins: number;
  readonly losses: number;
  /** Agents that it was tested against. */
  readonly rivals: number;
}

/**
 * Wins and losses by metric, condition and agent (CodeTaste, Table 8): two-sided sign-flip tests between agents under the
 * same condition on the instances that both have; q by Benjamini and Hochberg over all such pairs of the metric, whatever the
 * condition; a win is q ≤ .05 and the higher mean. Every win is a loss of another.
 */
export function standings(arms: readonly Arm[]): Standing[] {
  return TESTED.flatMap((metric) => {
    const tests = adjusted(openTests(arms, metric).filter(({ first, second }) => first.condition === second.condition));
    return agentArms(arms).flatMap(({ condition, agent }): Standing[] => {
      const isMe = (arm: PairedTest["first"]) => arm.condition === condition && arm.agent === agent;
      const own = tests.filter(({ first, second }) => isMe(first) || isMe(second));
      const lead = own
        .filter(({ q }) => q <= LEVEL)
        .map(({ second, difference }) => (difference ?? 0) * (isMe(second) ? 1 : -1));
      const wins = lead.filter((each) => each > 0).length;
      const losses = lead.filter((each) => each < 0).length;
      return own.length === 0 ? [] : [{ metric, condition, agent, wins, losses, rivals: own.length }];
    });
  });
}

function testOf(metric: Tested, first: Arm, second: Arm): OpenTest[] {
  const theirs = new Map(first.rows.map(({ task, values }) => [task, values[metric]]));
  const differences = second.rows.flatMap(({ task, values }) => {
    const [mine, other] = [values[metric], theirs.get(task) ?? null];
    return mine === null || other === null ? [] : [mine - other];
  });
  const n = differences.length;
  if (n === 0) return [];
  const difference = differences.reduce((sum, each) => sum + each, 0) / n;
  // Whole differences, as of passes: exact, however many there are.
  const isWhole = differences.every(Number.isInteger);
  const p = isWhole ? signFlipTest(differences) : realSignFlipTest(differences, seededIntegers(0)).pValue;
  return [{ metric, first: nameOf(first), second: nameOf(second), difference, n, p }];
}

function nameOf({ condition, agent }: Arm): Pick<Arm, "condition" | "agent"> {
  return { condition, agent };
}
