import type { CategoryAgreement, Comparison } from "../../curate/kappa-compare.js";
import type { Funnel } from "../../dataset/funnel.js";

/** What `probe dataset kappa --json` prints; absent statistics are `null`. */
export function kappaDocument(
  comparison: Comparison,
  agreed: { readonly out: string; readonly funnel: Funnel } | null,
) {
  const { annotators, dataset, both, onlyA, onlyB, neither, keepDrop, allCategories, conflicts } = comparison;
  return {
    annotators,
    dataset,
    both,
    only_a: onlyA,
    only_b: onlyB,
    neither,
    keep_or_drop: agreementDocument(keepDrop),
    all_categories: agreementDocument(allCategories),
    conflicts,
    agreed,
  };
}

function agreementDocument(agreement: CategoryAgreement) {
  const { categories, counts, n, observed, expected, kappa, standardError, low, high } = agreement;
  return {
    categories,
    counts,
    n,
    observed,
    expected,
    kappa,
    standard_error: standardError,
    ci_low: low,
    ci_high: high,
  };
}
