import type { OptionsView } from "../question.js";
import type { Rule } from "./rule.js";

/** The rules of a probe of one's own (spec §7), besides those that it defines itself: they look at any texts. */
export const TEXT_RULES: readonly Rule<OptionsView>[] = [
  /** score = UTF-16 units of the option. */
  { name: "longest", sees: "options", score: ({ options }) => options.map((text) => text.length) },
  /** score = −UTF-16 units of the option. */
  { name: "shortest", sees: "options", score: ({ options }) => options.map((text) => -text.length) },
  /** score = Σ over the other options of the Jaccard similarity of their sets of tokens. */
  { name: "medoid_tokens", sees: "options", score: ({ options }) => tokenOverlaps(options) },
];

/** Finer than the difference of any two sums of similarities, coarser than what the order of adding leaves. */
const PRECISION = 1e9;

/**
 * How much each text's tokens (a word, or one other character) are those of the others: Σ |A ∩ B| / |A ∪ B| over sets. A
 * token that also stands elsewhere in its text adds nothing to the set, so that a revision whose new word is also shown on
 * a removed line is nearer to the others than one with a word of its own.
 */
export function tokenOverlaps(texts: readonly string[]): number[] {
  return setOverlaps(texts.map(tokensIn));
}

/** The tokens of a text in their order: a word, or one other character; space is none. */
export function tokensIn(text: string): string[] {
  return text.match(/[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? [];
}

/** By text, the Jaccard similarities of the set of its pieces to those of the others, summed. */
export function setOverlaps(pieces: readonly (readonly string[])[]): number[] {
  const sets = pieces.map((own) => new Set(own));
  return sets.map((own, i) => {
    const overlap = sets.reduce((total, other, j) => (i === j ? total : total + jaccard(own, other)), 0);
    return Math.round(overlap * PRECISION) / PRECISION;
  });
}

/** Two empty sets are alike. */
function jaccard(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const union = new Set([...a, ...b]).size;
  return union === 0 ? 1 : (a.size + b.size - union) / union;
}
