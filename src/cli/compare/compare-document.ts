import type { ComparisonReport, RunComparison } from "../../run/compare/compare-runs.js";
import type { ScoredRun } from "../../run/score-folder.js";
import type { PairedRow } from "../../verdict/compare-verdicts.js";
import type { PairedMeans } from "../../verdict/paired-means.js";
import { verdictEntry } from "../verdict-document.js";
import type { FailUnder } from "./fail-under.js";

/** What `probe compare --json` prints. */
export function comparisonDocument(report: ComparisonReport, failUnder: FailUnder | null): object {
  return {
    method: {
      difference: "candidate minus baseline",
      test: "mcnemar_exact; sign_flip_by_example where an example has several questions",
      sided: 2,
      adjustment: "benjamini_hochberg",
      tests: report.tests,
      interval: "percentile bootstrap by example, 95 %",
      resamples: report.resamples,
      seed: report.seed,
      detectable: "80 % power of one test at 0.05",
    },
    comparisons: report.comparisons.map(comparisonEntry),
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

function comparisonEntry({ baseline, candidate, alsoDiffer, rows }: RunComparison): object {
  const { verdicts } = baseline.score;
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
    rows: rows.map((row) => rowEntry(row, baseline.suite.measures)),
  };
}

function runEntry({ folder, run, score }: ScoredRun): object {
  return {
    folder,
    run_id: run.run_id,
    model: run.model.label,
    forced: run.model.check?.["forced"] === true,
    verdicts: score.verdicts.forms.map(verdictEntry),
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
