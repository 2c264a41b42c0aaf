import { groupBy } from "../../base/grouping.js";
import { areAlike, type Estimate, proportion, SHARE, tInterval } from "../../stats/interval.js";
import type { PlacedCheck, TrialRecord } from "../trial-records.js";
import { judgedTrials } from "./summarise-trials.js";
import type { SummaryRow } from "./trial-tables.js";

/** Row beside every pass rate: the share of mutants that the hidden tests kill. */
export const MUTANTS_KILLED = "mutants_killed";

/**
 * The mean, over the tasks in an arm's rates, of the share of mutants that their hidden tests kill, with its t interval over
 * tasks; of one task its share with Wilson's. No row where no task was checked with mutants.
 */
export function strengthRows(records: readonly TrialRecord[], checks: readonly PlacedCheck[]): SummaryRow[] {
  const strengths = new Map(
    checks.flatMap(({ task_id, strength }) =>
      strength === undefined || strength.mutants === 0 ? [] : [[task_id, strength] as const],
    ),
  );
  if (strengths.size === 0) return [];
  const arms = groupBy(judgedTrials(records), ({ agent, condition }) => JSON.stringify([agent, condition]));
  return [...arms.values()].flatMap((own) => {
    const [first] = own;
    const tasks = [...new Set(own.map(({ task_id }) => task_id))];
    const found = tasks.flatMap((id) => strengths.get(id) ?? []);
    if (first === undefined || found.length === 0) return [];
    const [only] = found;
    const isOne = found.length === 1 && only !== undefined;
    const shares = found.map(({ killed, mutants }) => killed / mutants);
    const estimate: Estimate | null = isOne ? proportion(only.killed, only.mutants) : tInterval(shares, SHARE);
    return {
      agent: first.agent,
      condition: first.condition,
      groupBy: "overall",
      group: "",
      metric: MUTANTS_KILLED,
      value: estimate?.value ?? null,
      low: estimate?.low ?? null,
      high: estimate?.high ?? null,
      interval: isOne ? ("wilson" as const) : areAlike(shares) ? ("wilson_by_task" as const) : ("t_by_task" as const),
      n: found.length,
      excluded: tasks.length - found.length,
      note: "n counts tasks: share of mutants of their code that the hidden tests kill",
    };
  });
}
