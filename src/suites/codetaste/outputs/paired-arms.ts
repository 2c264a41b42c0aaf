import { seededIntegers } from "../../../base/random.js";
import { benjaminiHochberg, realSignFlipTest, signFlipTest } from "../../../stats/p-values.js";
import { type Arm, agentArms, type MetricName } from "./output-arms.js";

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
export interface Standing {
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
