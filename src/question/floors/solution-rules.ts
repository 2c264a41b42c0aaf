import { distance } from "fastest-levenshtein";
import type { Rule } from "./rule.js";
import { tokenOverlaps } from "./text-rules.js";

/** What the rules of SI see: the options as the question shows them, the code, the review. */
export interface SolutionView {
  /** Diffs of changed lines, `N - …` and `N + …`; the right one first. */
  readonly solutions: readonly string[];
  /** Without marker column. */
  readonly preReviewLines: readonly string[];
  readonly review: string;
}

/**
 * The rules of solution identification (spec §7). `longest` and `shortest` count UTF-16 units. By tokens a medoid shares
 * most of its set of tokens with the other options; where all options differ in one token of the same place, edit
 * distances would all tie, and a right token that also stands on a removed line would go unseen. By characters it has
 * the smallest sum of edit distances (Levenshtein). The lexical rules look at the lines that an option adds: how much of
 * their words stands in the prompt, or in the review.
 */
export const SOLUTION_RULES: readonly Rule<SolutionView>[] = [
  /** score = characters of the option. */
  { name: "longest", sees: "options", score: ({ solutions }) => solutions.map((text) => text.length) },
  /** score = −characters of the option. */
  { name: "shortest", sees: "options", score: ({ solutions }) => solutions.map((text) => -text.length) },
  /** score = Σ over the other options of |A ∩ B| / |A ∪ B|, A and B sets of tokens (a word, or one other character). */
  { name: "medoid_tokens", sees: "options", score: ({ solutions }) => tokenOverlaps(solutions) },
  /** score = −Σ over the other options of the edit distance in characters. */
  { name: "medoid_characters", sees: "options", score: ({ solutions }) => closeness(solutions) },
  /** score = words of the added lines that occur in code or review / words of the added lines; 0 without words. */
  { name: "tokens_in_prompt", sees: "lexical", score: shareInPrompt },
  /** score = different words of the review that occur in the added lines; names are split, letter case is ignored. */
  { name: "review_overlap", sees: "lexical", score: overlapWithReview },
];

function closeness(texts: readonly string[]): number[] {
  const sums = texts.map(() => 0);
  for (const [i, text] of texts.entries()) {
    for (const [j, other] of texts.slice(0, i).entries()) {
      const apart = distance(text, other);
      sums[i] = (sums[i] ?? 0) + apart;
      sums[j] = (sums[j] ?? 0) + apart;
    }
  }
  return sums.map((sum) => 0 - sum);
}

function shareInPrompt({ solutions, preReviewLines, review }: SolutionView): number[] {
  const known = new Set(wordsOf([...preReviewLines, review].join("\n")));
  return solutions.map((solution) => {
    const words = wordsOf(addedLines(solution));
    return words.length === 0 ? 0 : words.filter((word) => known.has(word)).length / words.length;
  });
}

function overlapWithReview({ solutions, review }: SolutionView): number[] {
  const asked = new Set(partsOf(review));
  return solutions.map((solution) => {
    const parts = new Set(partsOf(addedLines(solution)));
    return [...asked].filter((part) => parts.has(part)).length;
  });
}

/** The lines that an option adds, without number and marker. */
export function addedLines(solution: string): string {
  return solution
    .split("\n")
    .flatMap((line) => /^\d+ \+ (.*)$/su.exec(line)?.[1] ?? [])
    .join("\n");
}

export function wordsOf(text: string): string[] {
  return text.match(/[\p{L}\p{N}_]+/gu) ?? [];
}

/** The words that names are made of, in small letters: `readNextLine` and `read_next_line` have the same three. */
export function partsOf(text: string): string[] {
  const apart = text.replace(/(?<=\p{Ll})(?=\p{Lu})/gu, " ").replace(/(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu, " ");
  return (apart.match(/\p{L}+|\p{N}+/gu) ?? []).map((part) => part.toLowerCase());
}
