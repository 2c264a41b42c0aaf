import type { CiResult } from "../../../console/ci-output.js";
import type { ScoredRun } from "../ask/score.js";
import type { ComparisonReport } from "../compare/compare.js";
import { comparisonChecks } from "../report/ci/comparison-checks.js";
import { runChecks } from "../report/ci/run-checks.js";
import { comparisonMarkdown } from "../report/comparison.js";
import { runMarkdown } from "../report/run-summary.js";
import type { FailUnder } from "./fail-under.js";

/** What a scored run has to show. */
export function runResult(scored: ScoredRun): CiResult {
  return { checks: () => runChecks(scored), markdown: () => runMarkdown(scored) };
}

/** What a comparison has to show, and what `--fail-under` says of it. */
export function comparisonResult(report: ComparisonReport, failUnder: FailUnder | null): CiResult {
  return {
    checks: () => comparisonChecks(report, failUnder),
    markdown: () => comparisonMarkdown(report, failUnder),
  };
}
