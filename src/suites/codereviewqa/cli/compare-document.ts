import type { AdjustedRow, ComparisonReport, RunComparison } from "../compare/compare.js";
import type { PairedMeans } from "../compare/paired-means.js";
import type { ComparableRun } from "../record/comparable-run.js";
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
    generations: baseline.generations.length,
    also_differ: alsoDiffer,
    rows: rows.map(rowEntry),
  };
}

function runEntry({ folder, run }: ComparableRun): object {
  return { folder, run_id: run.run_id, model: run.model.label, forced: run.model.check?.["forced"] === true };
}

/** `task` and `difficulty` are `null` on the row over all multiple-choice forms; of ACR, `metric` is `em`. */
function formOf({ kind, form }: AdjustedRow): object {
  return {
    metric: kind === "generations" ? "em" : "invariant_accuracy",
    scope: form === null ? "overall" : "form",
    task: form?.task ?? null,
    difficulty: form?.difficulty ?? null,
  };
}

function rowEntry(row: AdjustedRow): object {
  return {
    ...formOf(row),
    examples: row.examples,
    ...shareEntries(row),
    only_baseline: row.onlyBaseline,
    only_candidate: row.onlyCandidate,
    lost_baseline: row.lost.baseline,
    lost_candidate: row.lost.candidate,
    test: row.test,
    p_value: row.pValue,
    p_adjusted: row.adjustedPValue,
    detectable_difference: row.detectableDifference,
    ...meanEntries(row),
  };
}

/** Under the name of the metric; the other is `null`. */
function shareEntries({ kind, invariantAccuracy }: AdjustedRow): object {
  const share = meansEntry(invariantAccuracy);
  return kind === "generations" ? { invariant_accuracy: null, em: share } : { invariant_accuracy: share, em: null };
}

function meanEntries(row: AdjustedRow): object {
  const entry = (means: PairedMeans | null) => means && meansEntry(means);
  return {
    mean_accuracy: row.kind === "questions" ? entry(row.meanAccuracy) : null,
    plurality_agreement: row.kind === "questions" ? entry(row.pluralityAgreement) : null,
    edit_similarity: row.kind === "generations" ? entry(row.editSimilarity) : null,
  };
}

function meansEntry({ n, baseline, candidate, difference, interval }: PairedMeans): object {
  return { n, baseline, candidate, difference, ci_low: interval?.low ?? null, ci_high: interval?.high ?? null };
}
