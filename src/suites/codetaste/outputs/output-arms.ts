import { groupBy } from "../../../base/grouping.js";
import { seededIntegers } from "../../../base/random.js";
import { type Bounds, type Estimate, SHARE, tInterval } from "../../../stats/interval.js";
import { benjaminiHochberg } from "../../../stats/p-values.js";
import { realSignFlipTest, signFlipTest } from "../../../stats/sign-flip.js";
import { RELEASED, type ReleasedName } from "../score/taste-scores.js";
import type { OutputRow } from "./read-outputs.js";

/** An agent under a condition, on all its instances. */
export interface Arm {
  readonly condition: string;
  readonly agent: string;
  readonly rows: readonly OutputRow[];
  readonly values: Readonly<Record<MetricName, ArmValue>>;
}

/** A mean with its 95 % t interval, and how many instances it is over. */
export interface ArmValue {
  readonly estimate: Estimate | null;
  readonly n: number;
  /** Instances without a value. */
  readonly excluded: number;
}

type Value = (row: OutputRow) => number | null;

export type MetricName = "pass" | ReleasedName | `${ReleasedName}_published` | "cost_usd";

/** Every number of an arm, in the order in which they are told. */
const METRICS = Object.fromEntries<Value>([
  ["pass", ({ scores: { pass } }) => (pass === null ? null : Number(pass))],
  ...RELEASED.flatMap((name): [string, Value][] => [
    [name, ({ scores }) => scores[name]],
    [`${name}_published`, ({ scores }) => scores.published[name]],
  ]),
  ["cost_usd", ({ costUsd }) => costUsd],
]) as Readonly<Record<MetricName, Value>>;

const METRIC_NAMES = Object.keys(METRICS) as MetricName[];

/** Values of a row by their names. */
export function valuesOf(row: OutputRow): Record<MetricName, number | null> {
  return Object.fromEntries(METRIC_NAMES.map((name) => [name, METRICS[name](row)])) as Record<
    MetricName,
    number | null
  >;
}

/** Results of each agent under each condition, in the order in which they first stand. */
export function armsOf(rows: readonly OutputRow[]): Arm[] {
  const arms = groupBy(rows, ({ condition, agent }) => JSON.stringify([condition, agent]));
  return [...arms.values()].flatMap((own): Arm[] => {
    const [first] = own;
    if (first === undefined) return [];
    const values = Object.fromEntries(
      METRIC_NAMES.map((name) => [name, meanOf(own, METRICS[name], name === "cost_usd" ? undefined : SHARE)]),
    );
    return [
      { condition: first.condition, agent: first.agent, rows: own, values: values as Record<MetricName, ArmValue> },
    ];
  });
}

function meanOf(rows: readonly OutputRow[], value: Value, bounds?: Bounds): ArmValue {
  const known = rows.flatMap((row) => value(row) ?? []);
  return { estimate: tInterval(known, bounds), n: known.length, excluded: rows.length - known.length };
}

/** Metrics that are tested between arms. */
export const TESTED = ["pass", "ifr", "alignment", "precision"] as const satisfies readonly MetricName[];
type Tested = (typeof TESTED)[number];

/** The most that an adjusted p-value may be to call a difference one. */
export const LEVEL = 0.05;

/** Two arms on the instances that both have a value of. */
export interface PairedTest {
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

/**
 * Every two arms that differ in the agent or in the condition alone, by a sign-flip test of the differences on each instance.
 * Right and empty solutions are no arms of it. A pair without an instance in common is left out.
 */
export function pairedTests(arms: readonly Arm[]): PairedTest[] {
  const agents = arms.filter(({ condition }) => !condition.startsWith("pseudo_agents/"));
  const pairs = agents.flatMap((first, i) =>
    agents.slice(i + 1).flatMap((second) => {
      return (first.agent === second.agent) === (first.condition === second.condition) ? [] : [{ first, second }];
    }),
  );
  return TESTED.flatMap((metric) => {
    const tests = pairs.flatMap(({ first, second }) => testOf(metric, first, second));
    const adjusted = benjaminiHochberg(tests.map(({ p }) => p));
    return tests.map((test, i) => ({ ...test, q: adjusted[i] ?? 1 }));
  });
}

function testOf(metric: Tested, first: Arm, second: Arm): Omit<PairedTest, "q">[] {
  const value = METRICS[metric];
  const theirs = new Map(first.rows.map((row) => [row.task, value(row)]));
  const differences = second.rows.flatMap((row) => {
    const [mine, other] = [value(row), theirs.get(row.task) ?? null];
    return mine === null || other === null ? [] : [mine - other];
  });
  const n = differences.length;
  if (n === 0) return [];
  const difference = differences.reduce((sum, each) => sum + each, 0) / n;
  // Passes differ by whole numbers: exact, however many there are.
  const p = metric === "pass" ? signFlipTest(differences) : realSignFlipTest(differences, seededIntegers(0)).pValue;
  return [{ metric, first: nameOf(first), second: nameOf(second), difference, n, p }];
}

function nameOf({ condition, agent }: Arm): Pick<Arm, "condition" | "agent"> {
  return { condition, agent };
}
