import { badInput } from "../../base/errors.js";
import { limitedText } from "../../base/text.js";
import { type Console, EXIT, type ExitCode, jsonText } from "../../console/console.js";
import { openCiOutput } from "../../console/output-file.js";
import { modelName } from "../../model/vendor/model-name.js";
import { showBlocks } from "../../report/terminal.js";
import { type ComparisonReport, compareRuns, type RunComparison, verdictsOf } from "../../run/compare/compare-runs.js";
import { comparedRuns, comparisonBlocks, comparisonMarkdown } from "../../run/compare/comparison-blocks.js";
import { comparisonChecks } from "../../run/compare/comparison-checks.js";
import { pricedGain } from "../../run/compare/spending.js";
import type { ScoredRun } from "../../run/score-folder.js";
import type { Suites } from "../../run/suite-entry.js";
import { type CostRow, costSets } from "../../verdict/cost-front.js";
import { isControl, type PairedMeans, type PairedRow } from "../../verdict/paired-comparison.js";
import type { CompareValues } from "../command-options.js";
import { judgementEntry } from "../run/scored-output.js";

/** `probe compare`: the tables, and exit code 5 when a difference is under `--fail-under`. */
export async function handleCompare(suites: Suites, values: CompareValues, console: Console): Promise<ExitCode> {
  const { runs: folders, allPairs, failUnder: threshold, seed } = values;
  if (folders.length < 2) {
    throw badInput(`Expected two or more runs to compare, found ${folders.length}.`);
  }
  if (allPairs && threshold !== null) {
    throw badInput(
      "Expected --fail-under or --all-pairs, found both. --fail-under takes the first run as the baseline.",
    );
  }
  const ci = await openCiOutput(values, process.env);
  const report = await compareRuns(suites, { folders, allPairs, seed });
  const failUnder = threshold === null ? null : judgeFailUnder(report, threshold);
  if (values.json) console.out(jsonText(comparisonDocument(report, failUnder)));
  else showBlocks(console, comparisonBlocks(report));
  await ci.write({
    checks: () => comparisonChecks(report, failUnder),
    markdown: () => comparisonMarkdown(report, failUnder),
  });
  if (failUnder === null || failUnder.below.length === 0) return EXIT.done;
  console.err(failUnderText(failUnder));
  return EXIT.belowThreshold;
}

/** Document of `probe compare --json`. */
function comparisonDocument(report: ComparisonReport, failUnder: FailUnder | null): object {
  return {
    method: {
      difference: "candidate minus baseline",
      test: "mcnemar_exact; sign_flip_by_example where an example has several questions",
      sided: 2,
      adjustment: "benjamini_hochberg",
      tests: report.tests,
      interval:
        "95 % by example: percentile bootstrap, below 30 examples Student's t; of the share passed it holds 0 just where p > 0.05",
      resamples: report.resamples,
      seed: report.seed,
      detectable: "80 % power of one test at 0.05",
    },
    comparisons: report.comparisons.map(comparisonEntry),
    costs: costSets(comparedRuns(report)).flatMap(({ form, rows }) => rows.map((row) => costEntry(form, row))),
    fail_under: failUnder && {
      threshold: failUnder.threshold,
      passed: failUnder.below.length === 0,
      below: failUnder.below.map(({ comparison, row }) => ({
        candidate_run_id: comparison.candidate.run.run_id,
        ...formOf(row),
        difference: row.share.difference,
      })),
    },
  };
}

function costEntry(form: string | null, { model, runId, n, passed, costUsd, priced, isOnFront }: CostRow): object {
  return { condition: form, model, run_id: runId, n, passed, cost_usd: costUsd, priced, on_front: isOnFront };
}

function comparisonEntry(comparison: RunComparison): object {
  const { baseline, candidate, alsoDiffer, rows } = comparison;
  const verdicts = verdictsOf(comparison).baseline;
  const counts = new Map<string, number>();
  for (const { name, items } of verdicts.forms) {
    const own = verdicts.verdicts.filter(({ form }) => form === name).length;
    counts.set(items, (counts.get(items) ?? 0) + own);
  }
  return {
    baseline: runEntry(baseline),
    candidate: runEntry(candidate),
    examples: new Set(verdicts.verdicts.map(({ cluster }) => cluster)).size,
    ...Object.fromEntries(baseline.suite.items.map((items) => [items, counts.get(items) ?? 0])),
    also_differ: alsoDiffer,
    spending: spendingEntry(comparison),
    rows: rows.map((row) => rowEntry(row, baseline.suite.measures)),
  };
}

/** Tokens and money for each item, and for each percentage point gained; `null` where they are not known. */
function spendingEntry(comparison: RunComparison): object | null {
  const priced = pricedGain(comparison);
  if (priced === null) return null;
  const { baseline, candidate, gain, tokensAPoint, costAPoint } = priced;
  return { baseline, candidate, gain, tokens_per_point: tokensAPoint, cost_per_point: costAPoint };
}

function runEntry({ folder, run, score }: ScoredRun): object {
  return {
    folder,
    run_id: run.run_id,
    model: modelName(run.model),
    forced: run.model.check?.["forced"] === true,
    verdicts: score.verdicts.forms.flatMap(judgementEntry),
  };
}

/** `task` and `difficulty` are `null` on the row over all forms of a pool. */
function formOf({ metric, form }: PairedRow): object {
  return {
    metric,
    scope: form === null ? "overall" : "form",
    task: form?.task ?? null,
    difficulty: form?.difficulty ?? null,
    ablation: form?.ablation ?? null,
  };
}

function rowEntry(row: PairedRow, measures: readonly string[]): object {
  const means = new Map(Object.entries(row.values)).set(row.metric, row.share);
  return {
    ...formOf(row),
    examples: row.examples,
    ...Object.fromEntries(
      [...new Set([...measures, ...means.keys()])].map((name) => [name, meansEntry(means.get(name) ?? null)]),
    ),
    only_baseline: row.onlyBaseline,
    only_candidate: row.onlyCandidate,
    lost_baseline: row.lost.baseline,
    lost_candidate: row.lost.candidate,
    test: row.test,
    p_value: row.pValue,
    p_adjusted: row.adjustedPValue,
    detectable_difference: row.detectableDifference,
  };
}

function meansEntry(means: PairedMeans | null): object | null {
  if (means === null) return null;
  const { n, baseline, candidate, difference, interval } = means;
  return { n, baseline, candidate, difference, ci_low: interval?.low ?? null, ci_high: interval?.high ?? null };
}

/** Judgement of a comparison by a threshold for CI. */
interface FailUnder {
  /** The least difference (candidate minus baseline) that is allowed, -1 to 1. */
  readonly threshold: number;
  /** The rows below it. */
  readonly below: readonly { readonly comparison: RunComparison; readonly row: PairedRow }[];
}

/** Judges by the difference itself, not by its interval: a threshold, not a test. */
export function judgeFailUnder({ comparisons }: ComparisonReport, threshold: number): FailUnder {
  const below = comparisons.flatMap((comparison) =>
    comparison.rows
      .filter((row) => !isControl(row) && row.share.difference < threshold)
      .map((row) => ({ comparison, row })),
  );
  return { threshold, below };
}

/** One line a row below the threshold; none: nothing. */
export function failUnderText({ threshold, below }: FailUnder): string {
  return below
    .map(({ comparison, row }) => {
      const difference = limitedText(row.share.difference, threshold);
      return `${comparison.candidate.folder}, ${row.label}: difference ${difference} is under ${threshold} (--fail-under)\n`;
    })
    .join("");
}
