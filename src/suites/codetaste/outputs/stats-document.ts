import type { Arm, ArmValue, PairedTest } from "./arms.js";
import { valuesOf } from "./arms.js";

/** What `--json` prints: numbers in full precision, shares 0–1. */
export function statsDocument(arms: readonly Arm[], tests: readonly PairedTest[]): object {
  return {
    arms: arms.map(({ condition, agent, rows, values }) => ({
      ...{ condition, agent, n: rows.length },
      metrics: Object.fromEntries(Object.entries(values).map(([name, value]) => [name, armValue(value)])),
    })),
    tests,
    rows: arms
      .flatMap((arm) => arm.rows)
      .map((row) => ({
        ...{ condition: row.condition, agent: row.agent, task_id: row.task },
        ...valuesOf(row),
        ...{ ifr_supported: row.scores.ifrSupported, rules_supported: row.scores.rulesSupported },
        ...{ tests: row.tests, missing: row.missing },
        scan_errors: row.tallies.additive.errors + row.tallies.reductive.errors,
      })),
  };
}

function armValue({ estimate, n, excluded }: ArmValue): object {
  return {
    ...{ value: estimate?.value ?? null, ci_low: estimate?.low ?? null, ci_high: estimate?.high ?? null },
    ...{ n, excluded },
  };
}
