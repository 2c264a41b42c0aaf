/**
 * What a rule looks at. A rule that sees `options` or `options+code` does not read the review (*no-read*); one that is
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

/**
 * The probability that a rule picks option 0, the right one: ties at the top are split evenly.
 * @returns 0 where another option is higher, else 1 / options that share the top
 */
export function shareOfRight(scores: readonly number[]): number {
  const [right = Number.NEGATIVE_INFINITY] = scores;
  const top = Math.max(...scores);
  return right < top ? 0 : 1 / scores.filter((score) => score === top).length;
}
