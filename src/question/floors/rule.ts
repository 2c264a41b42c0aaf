/**
 * Sight of a rule. A rule that sees `options` or `options+code` does not read the review (*no-read*); one that is
 * `lexical` matches words of the review, and understands none of it.
 */
export const RULE_SIGHTS = ["options", "options+code", "lexical"] as const;

export type RuleSight = (typeof RULE_SIGHTS)[number];

/**
 * A way to pick an option without comprehension (spec §7, *Floors*; after the choices-only prompts of Balepur et al.,
 * arXiv 2402.12483).
 */
export interface Rule<View> {
  /** Such as `longest`; the metric is `floor_longest`. */
  readonly name: string;
  readonly sees: RuleSight;
  /**
   * A finite number an option, in the order of the view's options; the highest is picked. It may not depend on the order
   * in which the options stand, so that the pick is the same under every permutation.
   */
  score(view: View): readonly number[];
}

/** A rule that comes with the program. */
export interface ShippedRule<View> extends Rule<View> {
  /** Its pick as a half sentence, for tables and documents. */
  readonly text: string;
  /**
   * Cost of its uneven ranks when a benchmark is built (`RankBalance`). Absent: the rule is kept out of the selection of
   * options, which no new rule may change, and is only reported.
   */
  readonly balance?: number;
}

/**
 * Probability that a rule picks option 0, the right one: ties at the top are split evenly.
 * @returns 0 where another option is higher, else 1 / options that share the top
 */
export function shareOfRight(scores: readonly number[]): number {
  const [right = Number.NEGATIVE_INFINITY] = scores;
  const top = Math.max(...scores);
  return right < top ? 0 : 1 / scores.filter((score) => score === top).length;
}

/**
 * Sum of a symmetric measure of each item and every other one, added in the order of the items.
 * @returns a sum an item
 */
export function sumsOverOthers<T>(items: readonly T[], measure: (first: T, second: T) => number): number[] {
  const sums = items.map(() => 0);
  for (const [i, item] of items.entries()) {
    for (const [j, other] of items.slice(0, i).entries()) {
      const between = measure(other, item);
      sums[i] = (sums[i] ?? 0) + between;
      sums[j] = (sums[j] ?? 0) + between;
    }
  }
  return sums;
}

/**
 * Similarity of each set of pieces to the others: Σ |A ∩ B| / |A ∪ B| (Jaccard). Two empty sets are alike.
 * @param pieces lists, of which each piece counts once
 * @returns a sum a list, from 0 to the number of other lists
 */
export function setOverlaps<T>(pieces: readonly (readonly T[])[]): number[] {
  const sets = pieces.map((own) => new Set(own));
  return sumsOverOthers(sets, jaccard).map(rounded);
}

function jaccard<T>(a: ReadonlySet<T>, b: ReadonlySet<T>): number {
  let shared = 0;
  for (const item of a) if (b.has(item)) shared++;
  const union = a.size + b.size - shared;
  return union === 0 ? 1 : shared / union;
}

/** Nine decimals: finer than the difference of any two sums of similarities, coarser than the rounding in such a sum. */
export function rounded(score: number): number {
  return Math.round(score * 1e9) / 1e9;
}
