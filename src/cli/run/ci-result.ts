import type { CiResult } from "../../console/ci-output.js";
import { comparisonBlocks } from "../../report/comparison-blocks.js";
import { comparisonChecks } from "../../report/comparison-checks.js";
import { renderMarkdown } from "../../report/markdown.js";
import { runChecks } from "../../report/run-checks.js";
import type { ComparisonReport } from "../../run/compare-runs.js";
import type { ScoredRun } from "../../run/score-folder.js";
import type { FailUnder } from "../compare/fail-under.js";

/** What a scored run has to show. */
export function ciResult({ score }: ScoredRun): CiResult {
  return { checks: () => runChecks(score.verdicts), markdown: () => renderMarkdown(score.blocks) };
}

/** What a comparison has to show, and what `--fail-under` says of it. */
export function comparisonResult(report: ComparisonReport, failUnder: FailUnder | null): CiResult {
  return {
    checks: () => comparisonChecks(report, failUnder),
    markdown: () => renderMarkdown(comparisonBlocks(report, failUnder)),
  };
}
