import { countBy } from "../../base/grouping.js";
import { asUnits } from "../../base/text.js";
import { tokensIn } from "../../question/floors/fluency.js";
import { type Rule, rounded, setOverlaps, sumsOverOthers } from "../../question/floors/rule.js";
import {
  addedLines,
  SOLUTION_RULES,
  type SolutionView,
  shareOf,
  unitDistance,
  wordsOf,
} from "../../question/floors/solution-rules.js";
import type { RuleScores, RuleWeights } from "../selection/rank-balance.js";

/** Readings of "most like the others" beside those of `SOLUTION_RULES`. */
export const LIKENESS_RULES: readonly Rule<SolutionView>[] = [
  /** score = −Σ over the other options of the edit distance in tokens. */
  {
    name: "token_sequence",
    sees: "options",
    score: ({ solutions }) => closeness(asUnits(solutions.map(tokensIn)), unitDistance),
  },
  /** score = −Σ over the other options of edit distance / length of the longer one, in characters. */
  { name: "character_share", sees: "options", score: ({ solutions }) => closeness(solutions, relativeDistance) },
  /** score = Σ over the other options of the Jaccard similarity of their sets of characters. */
  { name: "character_set", sees: "options", score: ({ solutions }) => setOverlaps(solutions.map((text) => [...text])) },
  /** The same for two characters and for three that follow each other. */
  { name: "character_pairs", sees: "options", score: ({ solutions }) => setOverlaps(solutions.map(piecesOf(2))) },
  { name: "character_threes", sees: "options", score: ({ solutions }) => setOverlaps(solutions.map(piecesOf(3))) },
];

function closeness(texts: readonly string[], apart: (a: string, b: string) => number): number[] {
  return sumsOverOthers(texts, apart).map((sum) => -rounded(sum));
}

function relativeDistance(a: string, b: string): number {
  return unitDistance(a, b) / Math.max(1, a.length, b.length);
}

function piecesOf(length: number): (text: string) => string[] {
  return (text) => {
    const pieces = Math.max(0, text.length - length + 1);
    return Array.from({ length: pieces }, (_, at) => text.slice(at, at + length));
  };
}

/**
 * Shortcuts beside the rules that are reported: a set that is balanced under these leaves less for others to find. A
 * medoid can be read in many ways, and each finds other questions; all are evened out.
 */
const FURTHER_RULES: readonly Rule<SolutionView>[] = [
  ...LIKENESS_RULES,
  /** Share of the added lines' words that stand on the removed lines too. */
  { name: "words_removed", sees: "options", score: ({ solutions }) => solutions.map(shareRemoved) },
  /** Share of the added lines' words that stand there more than once. */
  { name: "words_repeated", sees: "options", score: ({ solutions }) => solutions.map(shareRepeated) },
  /** Distance of the number of words known from the prompt to those of the other options, summed. */
  { name: "odd_in_prompt", sees: "lexical", score: oddInPrompt },
];

const CHOSEN_BY = SOLUTION_RULES.filter(({ balance }) => balance !== undefined);
const FEATURES: readonly Rule<SolutionView>[] = [...CHOSEN_BY, ...FURTHER_RULES];

/** Rules of `solutionFeatures`, in their order. */
export const SOLUTION_WEIGHTS: RuleWeights = {
  weights: CHOSEN_BY.map(({ balance = 1 }) => balance),
  fitted: CHOSEN_BY.length,
  groups: [CHOSEN_BY.flatMap(({ sees }, rule) => (sees === "lexical" ? [] : rule)), CHOSEN_BY.map((_, rule) => rule)],
};

/** Features of an SI question to somebody who does not understand it; the right solution first. */
export function solutionFeatures(view: SolutionView): RuleScores {
  return FEATURES.map((rule) => rule.score(view));
}

function shareRemoved(solution: string): number {
  const removed = new Set(
    solution.split("\n").flatMap((line) => (/^\d+ - /.test(line) ? wordsOf(line.replace(/^\d+/, "")) : [])),
  );
  return shareOf(wordsOf(addedLines(solution)), (word) => removed.has(word));
}

function shareRepeated(solution: string): number {
  const words = wordsOf(addedLines(solution));
  const counts = countBy(words);
  return shareOf(words, (word) => (counts.get(word) ?? 0) > 1);
}

function oddInPrompt({ solutions, preReviewLines, review }: SolutionView): number[] {
  const known = new Set(wordsOf([...preReviewLines, review].join("\n")));
  const counts = solutions.map((solution) => wordsOf(addedLines(solution)).filter((word) => known.has(word)).length);
  return sumsOverOthers(counts, (a, b) => Math.abs(a - b));
}
