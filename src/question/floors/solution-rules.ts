import { distance } from "fastest-levenshtein";
import { withoutCommonEnds } from "../../base/text.js";
import type { OptionsView } from "../question.js";
import { characterFluency, nameCommonness, tokensIn, wordFluency } from "./fluency.js";
import { rounded, type ShippedRule, setOverlaps, sumsOverOthers } from "./rule.js";

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
    score: ({ solutions }) => sumsOverOthers(solutions, unitDistance).map((apart) => 0 - apart),
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
  /** score = 1 − edit distance of the lines that it adds to those that it removes / length of the longer; 0 for none. */
  {
    name: "like_removed",
    sees: "options",
    text: "the option whose added lines are most like its own removed lines",
    balance: 3 * BALANCE,
    score: ({ solutions }) => solutions.map((solution) => likeness(addedLines(solution), removedLines(solution))),
  },
  /** score = parts of names of the added lines that its own removed lines have / such parts; 0 without. */
  {
    name: "names_of_removed",
    sees: "options",
    text: "the option most of whose added names stand on its own removed lines",
    balance: BALANCE,
    score: ({ solutions }) =>
      solutions.map((solution) => shareIn(partsOf(addedLines(solution)), partsOf(removedLines(solution)))),
  },
  /** score = parts of names of the added lines that the code has / such parts; 0 without. */
  {
    name: "names_in_code",
    sees: "options+code",
    text: "the option most of whose added names stand in the code",
    balance: BALANCE,
    score: ({ solutions, preReviewLines }) =>
      solutions.map((solution) => shareIn(partsOf(addedLines(solution)), partsOf(preReviewLines.join("\n")))),
  },
  /** score = mean over the parts of names of the added lines of log(1 + count in the code). */
  {
    name: "commonest_names",
    sees: "options+code",
    text: "the option whose added names are commonest in the code",
    balance: BALANCE,
    score: ({ solutions, preReviewLines }) =>
      nameCommonness(
        solutions.map((solution) => partsOf(addedLines(solution))),
        partsOf(preReviewLines.join("\n")),
      ),
  },
  /** score: see `characterFluency`, of the added lines. */
  {
    name: "character_fluency",
    sees: "options+code",
    text: "the option whose added characters are commonest in the code, and in code at large",
    balance: BALANCE,
    score: ({ solutions, preReviewLines }) => characterFluency(solutions.map(addedLines), preReviewLines),
  },
  /** score: see `wordFluency`, of the added lines. */
  {
    name: "word_fluency",
    sees: "options+code",
    text: "the option whose added words follow each other most as in the code",
    balance: BALANCE,
    score: ({ solutions, preReviewLines }) => wordFluency(solutions.map(addedLines), preReviewLines),
  },
  /** score = mean over the different words of the added lines of the likeness to the review's word that is most alike. */
  {
    name: "review_similarity",
    sees: "lexical",
    text: "the option whose added words are spelt most like words of the review",
    balance: BALANCE,
    score: spelledLikeReview,
  },
  /** score = parts of names of the added lines that the review has / such parts; 0 without. */
  {
    name: "review_words",
    sees: "lexical",
    text: "the option most of whose added words stand in the review",
    balance: BALANCE,
    score: ({ solutions, review }) =>
      solutions.map((solution) => shareIn(partsOf(addedLines(solution)), partsOf(review))),
  },
];

/** Likeness of two texts by characters, 0–1; 0 where one is empty. */
function likeness(text: string, other: string): number {
  if (text === "" || other === "") return 0;
  const [own, its] = [text.slice(0, MOST_COMPARED), other.slice(0, MOST_COMPARED)];
  return rounded(1 - unitDistance(own, its) / Math.max(own.length, its.length));
}

function shareIn(words: readonly string[], known: readonly string[]): number {
  const own = new Set(known);
  return rounded(shareOf(words, (word) => own.has(word)));
}

/** Words of fewer characters are like any other. */
const LEAST_WORD = 3;
/** Words of a long review. */
const MOST_WORDS = 400;
/** Characters that are compared. */
const MOST_COMPARED = 4000;

function spelledLikeReview({ solutions, review }: SolutionView): number[] {
  const asked = [...new Set(partsOf(review))].filter((part) => part.length >= LEAST_WORD).slice(0, MOST_WORDS);
  const known = new Map<string, number>();
  const closest = (word: string) => {
    const found = known.get(word) ?? Math.max(0, ...asked.map((part) => likeness(word, part)));
    known.set(word, found);
    return found;
  };
  return solutions.map((solution) => {
    const words = [...new Set(partsOf(addedLines(solution)))].filter((part) => part.length >= LEAST_WORD);
    return words.length === 0 ? 0 : rounded(words.reduce((total, word) => total + closest(word), 0) / words.length);
  });
}

/**
 * Overlap of each text's set of tokens with those of the others. A token that also stands elsewhere in its text adds
 * nothing to the set, so that a revision whose new word is also shown on a removed line is nearer to the others than one
 * with a word of its own.
 */
export function tokenOverlaps(texts: readonly string[]): number[] {
  return setOverlaps(texts.map(tokensIn));
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

/** Lines that it removes. */
function removedLines(solution: string): string {
  return solution
    .split("\n")
    .flatMap((line) => /^\d+ - (.*)$/su.exec(line)?.[1] ?? [])
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

/**
 * Levenshtein distance of two texts, in UTF-16 units: what a search compares by the thousand. The measure of a review
 * counts characters (`editDistance` of `dataset/curate`).
 */
export function unitDistance(a: string, b: string): number {
  const [own, its] = withoutCommonEnds(a, b);
  return nearDistance(own, its) ?? distance(own, its);
}

/** Shorter texts are compared by `distance` as fast. */
const LONG = 500;
/** Largest distance that is looked for along diagonals. */
const MOST_NEAR = 100;
/** Reach of a diagonal that is not begun. */
const NOWHERE = -(2 ** 30);

/**
 * Distance of two long texts that differ in little (Ukkonen: by diagonal, how far so many edits reach). Time: length +
 * distance², where `distance` takes the product of both lengths.
 * @returns `null` where one is short, or they are further apart than `MOST_NEAR`
 */
function nearDistance(a: string, b: string): number | null {
  const goal = b.length - a.length;
  if (Math.min(a.length, b.length) < LONG || Math.abs(goal) > MOST_NEAR) return null;
  let before = new Int32Array(2 * MOST_NEAR + 3).fill(NOWHERE);
  const middle = MOST_NEAR + 1;
  // No edit reaches a text's begin on its own diagonal: one less than nowhere else.
  before[middle] = -1;
  for (let edits = 0; edits <= MOST_NEAR; edits++) {
    const reach = new Int32Array(before.length).fill(NOWHERE);
    for (let diagonal = -edits; diagonal <= edits; diagonal++) {
      const at = middle + diagonal;
      const [left = NOWHERE, own = NOWHERE, right = NOWHERE] = before.subarray(at - 1, at + 2);
      let i = Math.min(Math.max(left, own + 1, right + 1), a.length, b.length - diagonal);
      while (i < a.length && i + diagonal < b.length && a.charCodeAt(i) === b.charCodeAt(i + diagonal)) i++;
      reach[at] = i;
    }
    if (reach[middle + goal] === a.length) return edits;
    before = reach;
  }
  return null;
}
