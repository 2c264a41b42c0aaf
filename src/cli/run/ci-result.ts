import type { CiResult } from "../../console/ci-output.js";
import { runChecks } from "../../report/run-checks.js";
import type { ComparisonReport } from "../../run/compare/compare-runs.js";
import { comparisonMarkdown } from "../../run/compare/comparison-blocks.js";
import { comparisonChecks } from "../../run/compare/comparison-checks.js";
import { runMarkdown } from "../../run/run-blocks.js";
import type { ScoredRun } from "../../run/score-folder.js";
import type { GateFinding } from "../../verdict/gate.js";
import type { FailUnder } from "../compare/fail-under.js";

/** What a scored run has to show, and what `--fail-under` and `--require` say of it. */
export function runResult(scored: ScoredRun, findings: readonly GateFinding[]): CiResult {
  return { checks: () => runChecks(scored.score.verdicts, findings), markdown: () => runMarkdown(scored, findings) };
}

/** What a comparison has to show, and what `--fail-under` says of it. */
export function comparisonResult(report: ComparisonReport, failUnder: FailUnder | null): CiResult {
  return {
    checks: () => comparisonChecks(report, failUnder),
    markdown: () => comparisonMarkdown(report, failUnder),
  };
}
