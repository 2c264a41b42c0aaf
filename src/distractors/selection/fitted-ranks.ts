import { mean } from "simple-statistics";
import { shareOfRight } from "../../question/floors/rule.js";
import { fitConditionalLogit } from "../../stats/conditional-logit.js";
import { rankShares } from "./rank-balance.js";

/** Options of a question as rules see them: option by option, a deviation a rule; the right option first. */
export interface SeenOptions {
  readonly values: Float32Array;
  readonly options: number;
}

/** A chosen question. */
export interface ChosenQuestion {
  readonly seen: SeenOptions;
  /** Number of the fold that it counts in. */
  readonly fold: number;
}

/** Coarser than what the order of adding leaves in a utility, so that equal options tie. */
const PRECISION = 1e6;

/**
 * Two rules that are fitted on what was chosen, over the rules that do not read the review and over all: conditional
 * logits, a question's weights being those of the other folds.
 */
export class FittedRules {
  /** By group of rules, then by fold. */
  readonly #weights: readonly (readonly (readonly number[])[])[];
  readonly #groups: readonly (readonly number[])[];

  /** @param groups by fitted rule, the numbers of the rules that it is fitted over */
  constructor(chosen: readonly ChosenQuestion[], groups: readonly (readonly number[])[], folds: number) {
    this.#groups = groups;
    this.#weights = groups.map((rules) =>
      Array.from({ length: folds }, (_, fold) =>
        fitOver(
          chosen.filter((question) => question.fold !== fold),
          rules,
        ),
      ),
    );
  }

  /** By fitted rule, the utility of each option. */
  utilities({ values, options }: SeenOptions, fold: number): number[][] {
    const size = values.length / options;
    return this.#groups.map((rules, group) => {
      const weights = this.#weights[group]?.[fold] ?? [];
      return Array.from({ length: options }, (_, option) => {
        let total = 0;
        for (const [k, rule] of rules.entries()) total += (weights[k] ?? 0) * (values[option * size + rule] ?? 0);
        return Math.round(total * PRECISION) / PRECISION;
      });
    });
  }

  /** By fitted rule, then rank: the probability that the truth has it. */
  ranks(seen: SeenOptions, fold: number): Float64Array {
    return Float64Array.from(this.utilities(seen, fold).flatMap(rankShares));
  }

  /** Mean over the fitted rules of how often they find the truth. */
  found(chosen: readonly ChosenQuestion[]): number {
    if (this.#groups.length === 0) return 0;
    return mean(chosen.flatMap(({ seen, fold }) => this.utilities(seen, fold).map(shareOfRight)));
  }
}

function fitOver(chosen: readonly ChosenQuestion[], rules: readonly number[]): number[] {
  const rows = chosen.flatMap(({ seen: { values, options } }) => {
    const size = values.length / options;
    return Array.from({ length: options }, (_, option) => rules.map((rule) => values[option * size + rule] ?? 0));
  });
  let start = 0;
  const spans = chosen.map(({ seen: { options } }) => {
    start += options;
    return { start: start - options, end: start };
  });
  return fitConditionalLogit({ features: rules.length, values: Float64Array.from(rows.flat()), spans });
}
