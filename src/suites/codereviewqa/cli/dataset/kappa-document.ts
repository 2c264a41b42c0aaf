import type { Applied } from "../../curate/apply.js";
import type { CategoryAgreement, Comparison } from "../../curate/kappa-compare.js";
import type { KappaRounds, KappaSpread } from "../../curate/kappa-rounds.js";

/** What `probe dataset kappa --json` prints; absent statistics are `null`. */
export function kappaDocument(
  comparison: Comparison,
  rounds: KappaRounds | null,
  agreed: { readonly out: string; readonly applied: Applied } | null,
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
    rounds: rounds === null ? null : roundsDocument(rounds),
    conflicts,
    agreed:
      agreed === null ? null : { out: agreed.out, funnel: agreed.applied.funnel, questions: agreed.applied.questions },
  };
}

function roundsDocument({ rounds, keepDrop, allCategories }: KappaRounds) {
  return {
    keep_or_drop: spreadDocument(keepDrop),
    all_categories: spreadDocument(allCategories),
    list: rounds.map((each) => ({
      round: each.round,
      from: each.from,
      n: each.keepDrop.n,
      keep_or_drop: agreementDocument(each.keepDrop),
      all_categories: agreementDocument(each.allCategories),
    })),
  };
}

function spreadDocument({ n, excluded, mean, sd }: KappaSpread) {
  return { rounds: n, rounds_without_kappa: excluded, mean, standard_deviation: sd };
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
