import { ProbeError } from "../base/errors.js";
import { distributionOf } from "../stats/distribution.js";
import type { DecisionsFile } from "./decisions-file.js";
import { agreementOfCategories, agreementOnKeeping, type CategoryAgreement, pairsOf } from "./kappa-compare.js";

/** How the examples that both decided are cut into rounds: into so many, or of so many examples each. */
export type RoundSplit =
  | { readonly by: "rounds"; readonly rounds: number }
  | { readonly by: "size"; readonly size: number };

/** Agreement in one round. */
export interface KappaRound {
  /** From 1. */
  readonly round: number;
  /** Id of its first example. */
  readonly from: string;
  readonly keepDrop: CategoryAgreement;
  readonly allCategories: CategoryAgreement;
}

/** Kappa over the rounds that have one. */
export interface KappaSpread {
  readonly n: number;
  /** Rounds whose kappa is undefined: both put every example into one and the same category. */
  readonly excluded: number;
  /** `null` when n = 0. */
  readonly mean: number | null;
  /** Sample standard deviation, divisor n − 1; `null` when n < 2. */
  readonly sd: number | null;
}

/** Agreement round by round, as the paper reports it (§4: 46 rounds, µ = 0.89, σ = 0.11). */
export interface KappaRounds {
  readonly rounds: readonly KappaRound[];
  readonly keepDrop: KappaSpread;
  readonly allCategories: KappaSpread;
}

/**
 * Cohen's kappa of each round. A round is a batch of consecutive examples, in the order in which the first annotator
 * first decided them. So many rounds are as equal as can be, the first ones one larger; of rounds of a size the last
 * holds the rest.
 * @throws ProbeError `bad_input` for more rounds than examples that both decided
 */
export function kappaByRound(a: DecisionsFile, b: DecisionsFile, split: RoundSplit): KappaRounds {
  const pairs = pairsOf(a, b);
  let taken = 0;
  const rounds = roundSizes(pairs.length, split).map((size, i): KappaRound => {
    const own = pairs.slice(taken, taken + size);
    taken += size;
    return {
      round: i + 1,
      from: own[0]?.[0].example_id ?? "",
      keepDrop: agreementOnKeeping(own),
      allCategories: agreementOfCategories(own),
    };
  });
  return {
    rounds,
    keepDrop: spreadOf(rounds.map(({ keepDrop }) => keepDrop)),
    allCategories: spreadOf(rounds.map(({ allCategories }) => allCategories)),
  };
}

function roundSizes(examples: number, split: RoundSplit): number[] {
  if (split.by === "size") {
    const { size } = split;
    return Array.from({ length: Math.ceil(examples / size) }, (_, i) => Math.min(size, examples - i * size));
  }
  const { rounds } = split;
  if (rounds > examples) {
    throw new ProbeError(
      "bad_input",
      `Expected no more rounds than the ${examples} examples that both decided, found --rounds ${rounds}. Ask for fewer.`,
    );
  }
  const larger = examples % rounds;
  return Array.from({ length: rounds }, (_, i) => Math.floor(examples / rounds) + (i < larger ? 1 : 0));
}

function spreadOf(agreements: readonly CategoryAgreement[]): KappaSpread {
  const { n, mean, sd } = distributionOf(agreements.map(({ kappa }) => kappa).filter((kappa) => kappa !== null));
  return { n, excluded: agreements.length - n, mean, sd };
}
