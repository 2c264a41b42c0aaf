import { badInput } from "../base/errors.js";
import { distributionOf } from "../stats/distribution.js";
import { type Agreement, cohensKappa } from "../stats/rater-agreement.js";
import { categoryOf, type Decision, REASONS } from "./decision.js";
import type { DecisionsFile } from "./decisions-file.js";

/** Agreement over one set of categories, with the counts it comes from. */
export interface CategoryAgreement extends Agreement {
  readonly categories: readonly string[];
  /** Row: the first annotator's category, column: the second's. */
  readonly counts: readonly (readonly number[])[];
}

/** One example on which two annotators differ. */
export interface Conflict {
  readonly example_id: string;
  /** `decision`: one keeps, the other drops. `reason`: both drop, for different reasons. */
  readonly kind: "decision" | "reason";
  readonly a: Decision;
  readonly b: Decision;
}

/** Two annotators' decisions about one dataset, side by side. */
export interface Comparison {
  readonly annotators: readonly [string, string];
  readonly dataset: { readonly sha256: string; readonly examples: number };
  /** Examples that both decided. */
  readonly both: number;
  /** Examples that only one decided, in the order of the decisions. */
  readonly onlyA: readonly string[];
  readonly onlyB: readonly string[];
  /** Examples that neither decided. */
  readonly neither: number;
  readonly keepDrop: CategoryAgreement;
  /** Keep and the seven reasons. */
  readonly allCategories: CategoryAgreement;
  /** Conflicts in the order of the first annotator's decisions. */
  readonly conflicts: readonly Conflict[];
}

/** Decisions of the first and the second annotator about one example. */
type Pair = readonly [Decision, Decision];

/** The examples that both decided, in the order in which the first annotator first decided them. */
function pairsOf(a: DecisionsFile, b: DecisionsFile): Pair[] {
  return [...a.decisions.values()].flatMap((ours): Pair[] => {
    const theirs = b.decisions.get(ours.example_id);
    return theirs === undefined ? [] : [[ours, theirs]];
  });
}

/**
 * Compares what two annotators decided.
 * @throws ProbeError `bad_input` when the files are about different datasets
 */
export function compareDecisions(a: DecisionsFile, b: DecisionsFile): Comparison {
  requireSameDataset(a, b);
  const pairs = pairsOf(a, b);
  const { sha256, examples } = a.header.dataset;
  const onlyA = missingFrom(b, a);
  const onlyB = missingFrom(a, b);
  return {
    annotators: [a.header.annotator, b.header.annotator],
    dataset: { sha256, examples },
    both: pairs.length,
    onlyA,
    onlyB,
    neither: Math.max(0, examples - pairs.length - onlyA.length - onlyB.length),
    keepDrop: agreementOnKeeping(pairs),
    allCategories: agreementOfCategories(pairs),
    conflicts: pairs.filter(([ours, theirs]) => categoryOf(ours) !== categoryOf(theirs)).map(conflictOf),
  };
}

/** @throws ProbeError `bad_input`, naming both */
export function requireSameDataset(a: DecisionsFile, b: DecisionsFile): void {
  const [ours, theirs] = [a.header.dataset, b.header.dataset];
  if (ours.sha256 === theirs.sha256) return;
  const lines = [a, b].map(({ path, header: { dataset } }) => `  ${path}: ${dataset.path}, sha256 ${dataset.sha256}`);
  throw badInput(
    `Expected decisions about the same file, found two:\n${lines.join("\n")}\nReview one of them with both annotators.`,
  );
}

function missingFrom(file: DecisionsFile, other: DecisionsFile): string[] {
  return [...other.decisions.keys()].filter((id) => !file.decisions.has(id));
}

function conflictOf([a, b]: Pair): Conflict {
  return { example_id: a.example_id, kind: a.decision === b.decision ? "reason" : "decision", a, b };
}

/** Over keep and drop, whatever the reason. */
function agreementOnKeeping(pairs: readonly Pair[]): CategoryAgreement {
  return agreementOf(pairs, ["keep", "drop"], ({ decision }) => decision);
}

/** Over keep and the seven reasons. */
function agreementOfCategories(pairs: readonly Pair[]): CategoryAgreement {
  return agreementOf(pairs, ["keep", ...REASONS], categoryOf);
}

function agreementOf(
  pairs: readonly Pair[],
  categories: readonly string[],
  category: (decision: Decision) => string,
): CategoryAgreement {
  const counts = categories.map(() => categories.map(() => 0));
  for (const [ours, theirs] of pairs) {
    const row = counts[categories.indexOf(category(ours))];
    const column = categories.indexOf(category(theirs));
    if (row !== undefined) row[column] = (row[column] ?? 0) + 1;
  }
  return { categories, counts, ...cohensKappa(counts) };
}

/** Split of the examples that both decided into rounds: into so many, or of so many examples each. */
export type RoundSplit =
  | { readonly by: "rounds"; readonly rounds: number }
  | { readonly by: "size"; readonly size: number };

/** Agreement in one round. */
interface KappaRound {
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
    throw badInput(
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
