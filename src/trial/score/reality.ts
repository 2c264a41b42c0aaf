import { proportion } from "../../stats/interval.js";
import type { RealityFact } from "../../verdict/verdict.js";
import { isWeak } from "../check/mutants/strength-report.js";
import type { PlacedCheck } from "../records.js";
import { MUTANTS_KILLED } from "./strength-rows.js";
import type { SummaryRow } from "./trial-tables.js";

/** What the tests of a run's tasks are worth. */
export function trialReality(checks: readonly PlacedCheck[], summary: readonly SummaryRow[]): RealityFact[] {
  return [validity(checks), strength(checks, summary)];
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
  return { title, share, state: "good", text: `mean of ${row.n} tasks, none below one half` };
}
