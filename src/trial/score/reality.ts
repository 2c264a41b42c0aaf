import { counted } from "../../base/text.js";
import { numberText } from "../../report/number-text.js";
import { proportion } from "../../stats/interval.js";
import type { RealityFact } from "../../verdict/verdict.js";
import { isWeak } from "../check/mutant-blocks.js";
import type { PlacedCheck } from "../trial-records.js";
import type { TrialRun } from "../trial-run.js";
import { GOLD_METRICS } from "./gold-likeness.js";
import { MUTANTS_KILLED } from "./strength-rows.js";
import type { SummaryRow } from "./trial-tables.js";

/** Facts about a run's tasks: strength of their tests, and similarity of passing patches to right solutions. */
export function trialReality(
  run: Pick<TrialRun, "agents">,
  checks: readonly PlacedCheck[],
  summary: readonly SummaryRow[],
): RealityFact[] {
  return [validity(checks), strength(checks, summary), ...likeness(run, summary)];
}

/** Over all conditions, by their trials; no fact where nothing passed, or no right solution is known. */
function likeness({ agents }: Pick<TrialRun, "agents">, summary: readonly SummaryRow[]): RealityFact[] {
  const own = summary.filter((row) => row.agent === agents[0]?.name && row.groupBy === "overall");
  const meanOf = (metric: string) => {
    const rows = own.filter((row) => row.metric === metric && row.value !== null);
    const n = rows.reduce((sum, row) => sum + row.n, 0);
    return n === 0 ? null : rows.reduce((sum, row) => sum + (row.value ?? 0) * row.n, 0) / n;
  };
  const value = meanOf(GOLD_METRICS.jaccard);
  // Runs of earlier versions have no baselines: alone the number says nothing.
  if (value === null || meanOf(GOLD_METRICS.copy) === null) return [];
  const [copy, other] = [GOLD_METRICS.copy, GOLD_METRICS.other].map((metric) => numberText(meanOf(metric), "fraction"));
  return [
    {
      title: "passing patches like the right solution",
      share: { value, low: null, high: null },
      state: "unknown",
      text: `a copy of the original: ${copy}; another task's: ${other}`,
    },
  ];
}

function validity(checks: readonly PlacedCheck[]): RealityFact {
  const valid = checks.filter((check) => check.valid === true).length;
  const text = `${valid} of ${checks.length}; the others are in no rate`;
  const share = proportion(valid, checks.length);
  const title = "tasks whose own tests hold";
  if (checks.length === 0) return { title, share: null, state: "unknown", text: "not checked" };
  if (valid === checks.length) return { title, share, state: "good", text: `all ${valid}` };
  return { title, share, state: "doubtful", text };
}

function strength(checks: readonly PlacedCheck[], summary: readonly SummaryRow[]): RealityFact {
  const title = "mutants that hidden tests kill";
  const row = summary.find(({ metric }) => metric === MUTANTS_KILLED);
  if (row?.value == null)
    return { title, share: null, state: "unknown", text: "not measured: suite check --mutants 20, then a run" };
  const weak = checks.flatMap(({ task_id, strength: own }) => (own !== undefined && isWeak(own) ? [task_id] : []));
  const share = { value: row.value, low: row.low, high: row.high };
  if (weak.length > 0) return { title, share, state: "bad", text: `fewer than half: ${weak.join(", ")}` };
  return { title, share, state: "good", text: `mean of ${counted(row.n, "tasks")}, none below one half` };
}
