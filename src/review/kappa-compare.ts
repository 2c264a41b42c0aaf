import { ProbeError } from "../base/errors.js";
import { type Agreement, cohensKappa } from "../stats/rater-agreement.js";
import { categoryOf, type Decision } from "./decision.js";
import type { DecisionsFile } from "./decisions-file.js";
import { REASONS } from "./reasons.js";

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
  /** In the order of the first annotator's decisions. */
  readonly conflicts: readonly Conflict[];
}

/** What the first and the second annotator decided about one example. */
export type Pair = readonly [Decision, Decision];

/** The examples that both decided, in the order in which the first annotator first decided them. */
export function pairsOf(a: DecisionsFile, b: DecisionsFile): Pair[] {
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
  throw new ProbeError(
    "bad_input",
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
export function agreementOnKeeping(pairs: readonly Pair[]): CategoryAgreement {
  return agreementOf(pairs, ["keep", "drop"], ({ decision }) => decision);
}

/** Over keep and the seven reasons. */
export function agreementOfCategories(pairs: readonly Pair[]): CategoryAgreement {
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
