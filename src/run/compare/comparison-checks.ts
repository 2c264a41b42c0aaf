import { limitedText } from "../../base/text.js";
import { modelName } from "../../model/vendor/model-name.js";
import type { CiCheckResult, CiReport, CiSuite } from "../../report/junit.js";
import { isControl, type PairedRow } from "../../verdict/paired-comparison.js";
import type { ComparisonReport, RunComparison } from "./compare-runs.js";

/** The rows whose difference is under the least one allowed. */
export interface BelowThreshold {
  /** Candidate minus baseline in the share right, -1 to 1. */
  readonly threshold: number;
  readonly below: readonly { readonly row: PairedRow }[];
}

/**
 * A suite a candidate, a check a probe form (and one over all): is the difference from the baseline as asked for?
 * @param threshold `null`: nothing was asked for, so that nothing is judged
 */
export function comparisonChecks({ comparisons }: ComparisonReport, threshold: BelowThreshold | null): CiReport {
  return {
    name: "compare",
    timestamp: null,
    durationMs: null,
    suites: comparisons.map((comparison) => comparisonSuite(comparison, threshold)),
  };
}

function comparisonSuite({ baseline, candidate, rows }: RunComparison, threshold: BelowThreshold | null): CiSuite {
  return {
    name: `${runName(candidate)} against ${runName(baseline)}`,
    properties: new Map([
      ["baseline", baseline.run.run_id],
      ["candidate", candidate.run.run_id],
      ...(threshold === null ? [] : [["fail_under", String(threshold.threshold)] as const]),
    ]),
    checks: rows.map((row) => ({ name: `share right, ${row.label}`, result: judge(row, threshold) })),
  };
}

function runName({ run, folder }: RunComparison["baseline"]): string {
  return `${modelName(run.model)} (${folder})`;
}

function judge(row: PairedRow, limit: BelowThreshold | null): CiCheckResult {
  if (limit === null) return { status: "skipped", reason: "Not judged: no least difference was given (--fail-under)." };
  if (isControl(row)) return { status: "skipped", reason: "Not judged: a control, of which less is no loss." };
  const { n, baseline, candidate, difference, interval } = row.share;
  const range = interval === null ? "" : `, 95 % interval ${interval.low.toFixed(4)} to ${interval.high.toFixed(4)}`;
  const text =
    `baseline ${baseline.toFixed(4)}, candidate ${candidate.toFixed(4)}, ${n} ${row.items}\n` +
    `difference ${difference.toFixed(4)}${range}, adjusted p ${row.adjustedPValue.toPrecision(3)}`;
  if (!limit.below.some(({ row: found }) => found === row)) return { status: "passed", text };
  const message = `The difference ${limitedText(difference, limit.threshold)} is under ${limit.threshold} (--fail-under).`;
  return { status: "failed", kind: "fail_under", message, text };
}
