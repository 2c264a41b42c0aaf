import type { PairedMeans } from "../metric/paired/compare-questions.js";
import type { AdjustedRow, ComparisonReport, RunComparison } from "../run/compare.js";
import type { StoredRun } from "../run/stored-run.js";
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
        difference: row.invariantAccuracy.difference,
      })),
    },
  };
}

function comparisonEntry({ baseline, candidate, alsoDiffer, rows }: RunComparison): object {
  return {
    baseline: runEntry(baseline),
    candidate: runEntry(candidate),
    examples: baseline.run.dataset.selected,
    questions: baseline.questions.length,
    also_differ: alsoDiffer,
    rows: rows.map(rowEntry),
  };
}

function runEntry({ folder, run }: StoredRun): object {
  return { folder, run_id: run.run_id, model: run.model.label, forced: run.model.check?.["forced"] === true };
}

/** `task` and `difficulty` are `null` on the row over all probe forms. */
function formOf({ form }: AdjustedRow): object {
  return {
    scope: form === null ? "overall" : "form",
    task: form?.task ?? null,
    difficulty: form?.difficulty ?? null,
  };
}

function rowEntry(row: AdjustedRow): object {
  return {
    ...formOf(row),
    examples: row.examples,
    invariant_accuracy: meansEntry(row.invariantAccuracy),
    only_baseline: row.onlyBaseline,
    only_candidate: row.onlyCandidate,
    lost_baseline: row.lost.baseline,
    lost_candidate: row.lost.candidate,
    test: row.test,
    p_value: row.pValue,
    p_adjusted: row.adjustedPValue,
    detectable_difference: row.detectableDifference,
    mean_accuracy: row.meanAccuracy && meansEntry(row.meanAccuracy),
    plurality_agreement: row.pluralityAgreement && meansEntry(row.pluralityAgreement),
  };
}

function meansEntry({ n, baseline, candidate, difference, interval }: PairedMeans): object {
  return { n, baseline, candidate, difference, ci_low: interval?.low ?? null, ci_high: interval?.high ?? null };
}
