import { distance } from "fastest-levenshtein";
import type { OptionsView } from "../question.js";
import { type ShippedRule, setOverlaps, sumsOverOthers } from "./rule.js";

/** An SI question to its rules: the options as the question shows them, the code, the review. */
export interface SolutionView {
  /** Diffs of changed lines, `N - …` and `N + …`; the right one first. */
  readonly solutions: readonly string[];
  /** Without marker column. */
  readonly preReviewLines: readonly string[];
  readonly review: string;
}

/** Cost of uneven ranks under a rule of SI. */
const BALANCE = 3;

/**
 * Rules of any texts. `longest` and `shortest` count UTF-16 units. By tokens a medoid shares most of its set of tokens
 * with the other options; where all options differ in one token of the same place, edit distances would all tie, and a
 * right token that also stands on a removed line would go unseen.
 * @param textsOf the options, the right one first
 */
function rulesOfTexts<View>(textsOf: (view: View) => readonly string[]): ShippedRule<View>[] {
  return [
    /** score = characters of the option. */
    {
      name: "longest",
      sees: "options",
      text: "the longest option",
      balance: BALANCE,
      score: (view) => textsOf(view).map((text) => text.length),
    },
    /** score = −characters of the option. */
    {
      name: "shortest",
      sees: "options",
      text: "the shortest option",
      balance: BALANCE,
      score: (view) => textsOf(view).map((text) => -text.length),
    },
    /** score = Σ over the other options of |A ∩ B| / |A ∪ B|, A and B sets of tokens (a word, or one other character). */
    {
      name: "medoid_tokens",
      sees: "options",
      text: "the option whose tokens are most like those of the others",
      balance: BALANCE,
      score: (view) => tokenOverlaps(textsOf(view)),
    },
  ];
}

/** The rules of a probe of one's own (spec §7), besides those that it defines itself. */
export const TEXT_RULES = rulesOfTexts<OptionsView>(({ options }) => options);

/**
 * The rules of solution identification (spec §7). The lexical rules look at the lines that an option adds: how much of
 * their words stands in the prompt, or in the review.
 */
export const SOLUTION_RULES: readonly ShippedRule<SolutionView>[] = [
  ...rulesOfTexts<SolutionView>(({ solutions }) => solutions),
  /** score = −Σ over the other options of the edit distance (Levenshtein) in characters. */
  {
    name: "medoid_characters",
    sees: "options",
    text: "the option most like the others, by characters",
    balance: BALANCE,
    score: ({ solutions }) => sumsOverOthers(solutions, distance).map((apart) => 0 - apart),
  },
  /** score = words of the added lines that occur in code or review / words of the added lines; 0 without words. */
  {
    name: "tokens_in_prompt",
    sees: "lexical",
    text: "the option whose added words are already in the prompt",
    balance: BALANCE,
    score: shareInPrompt,
  },
  /** score = different words of the review that occur in the added lines; names are split, letter case is ignored. */
  {
    name: "review_overlap",
    sees: "lexical",
    text: "the option whose code has most words of the review",
    balance: BALANCE,
    score: overlapWithReview,
  },
];

/**
 * Overlap of each text's set of tokens with those of the others. A token that also stands elsewhere in its text adds
 * nothing to the set, so that a revision whose new word is also shown on a removed line is nearer to the others than one
 * with a word of its own.
 */
export function tokenOverlaps(texts: readonly string[]): number[] {
  return setOverlaps(texts.map(tokensIn));
}

/** The tokens of a text in their order: a word, or one other character; space is none. */
export function tokensIn(text: string): string[] {
  return text.match(/[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? [];
}

function shareInPrompt({ solutions, preReviewLines, review }: SolutionView): number[] {
  const known = new Set(wordsOf([...preReviewLines, review].join("\n")));
  return solutions.map((solution) => shareOf(wordsOf(addedLines(solution)), (word) => known.has(word)));
}

/** Share of the words that count; 0 without words. */
export function shareOf(words: readonly string[], isCounted: (word: string) => boolean): number {
  return words.length === 0 ? 0 : words.filter(isCounted).length / words.length;
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
