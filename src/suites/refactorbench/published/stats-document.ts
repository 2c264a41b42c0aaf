import type { Estimate } from "../../../stats/interval.js";
import type { PublishedTables } from "./published-tables.js";
import type { ConditionKey } from "./tables.js";

/** What `--json` prints: numbers in full precision, shares 0–1. */
export function statsDocument(stats: PublishedTables): object {
  const { rows, superseded, conditions, fixtures, hardness, findings, leftOut } = stats;
  return {
    ...{ rows, superseded, conditions, fixtures },
    table3: stats.table3.map((row) => ({
      ...keyOf(row),
      ...{ n: row.n, pass: row.passes, ...bounds("rate", row.rate) },
      ...{ avg_min: row.averageMinutes, avg_min_published: row.averageMinutesPublished },
    })),
    table4: stats.table4.map(({ model, both, enabledOnly, disabledOnly, neither, difference, p, q }) => ({
      ...{ model, both, enabled_only: enabledOnly, disabled_only: disabledOnly, neither, delta: difference, p, q },
    })),
    table5: stats.table5?.map((row) => ({
      ...keyOf(row),
      ...{ reported: row.reported, actual: row.passes, false_confidence: row.falseConfidence },
      ...bounds("rate", row.rate),
    })),
    table6: stats.table6?.map((row) => ({
      ...keyOf(row),
      ...{ avg_min_published: row.averageMinutesPublished, avg_usd: row.averageUsd, avg_usd_n: row.costsMeasured },
      ...{ avg_usd_published: row.averageUsdPublished, total_usd: row.totalUsd, non_success: row.nonSuccess },
    })),
    table7: stats.table7?.map((row) => ({
      ...keyOf(row),
      ...{ pass: row.passes, gap: row.gap, non_success_failures: row.nonSuccessFailures },
      reported_success_failures: row.reportedSuccessFailures,
    })),
    table8: stats.table8,
    table9: stats.table9?.map(({ model, failures, counts }) => ({ model, fail: failures, ...counts })),
    table13: stats.table13?.map((row) => ({
      ...{ ...keyOf(row), p_succ: row.success, usd_per_success_published: row.usdPerSuccessPublished },
      min_per_success_published: row.minutesPerSuccessPublished,
    })),
    hardness: {
      ...{ zero_pass: hardness.zeroPass, all_pass: hardness.allPass, passes: hardness.passes, rows: hardness.rows },
      zero_pass_non_success: hardness.zeroPassNonSuccess,
      target_lines: hardness.lines && {
        zero_pass: linesOf(hardness.lines.zeroPass),
        others: linesOf(hardness.lines.others),
      },
    },
    findings: findingsDocument(findings),
    left_out: leftOut,
  };
}

function findingsDocument(findings: PublishedTables["findings"]): object {
  const { costs } = findings;
  return {
    alike_failures: findings.alikeFailures,
    trivial_passes: findings.trivialPasses,
    unreported_passes: findings.unreportedPasses,
    costs: costs && {
      ...{ blank: costs.blank, blank_non_success: costs.blankNonSuccess, rows: costs.rows },
      widest: costs.widest && {
        ...{ ...keyOf(costs.widest), avg_usd: costs.widest.measured, avg_usd_published: costs.widest.published },
      },
    },
    negative_files_compiled: findings.negativeCompiled,
    synthetic: findings.synthetic?.map((row) => ({ ...keyOf(row), fixture: row.fixture })) ?? null,
    equal_durations:
      findings.equalDurations?.map(({ durationMs, rows }) => ({
        duration_ms: durationMs,
        rows: rows.map((row) => ({ ...keyOf(row), fixture: row.fixture })),
      })) ?? null,
  };
}

function keyOf({ model, testRunner }: ConditionKey): object {
  return { model, test_runner: testRunner };
}

function bounds(name: string, estimate: Estimate | null): object {
  return { [name]: estimate?.value ?? null, ci_low: estimate?.low ?? null, ci_high: estimate?.high ?? null };
}

function linesOf(lines: NonNullable<PublishedTables["hardness"]["lines"]>["zeroPass"]): object | null {
  return lines && { n: lines.n, mean: lines.mean, median: lines.median, median_published: lines.medianPublished };
}
