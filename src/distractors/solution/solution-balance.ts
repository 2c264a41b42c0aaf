import { distance } from "fastest-levenshtein";
import { DIFFICULTIES, type Difficulty } from "../../dataset/example.js";
import type { OfficialRecord } from "../../dataset/official-record.js";
import type { Rule } from "../../question/floors/rule.js";
import { addedLines, SOLUTION_RULES, type SolutionView, wordsOf } from "../../question/floors/solution-rules.js";
import { setOverlaps, tokensIn } from "../../question/floors/text-rules.js";
import { RankBalance, type Standing, standingsOf } from "../rank-balance.js";

/** Readings of "most like the others" beside those of `SOLUTION_RULES`. */
export const LIKENESS_RULES: readonly Rule<SolutionView>[] = [
  /** score = −Σ over the other options of the edit distance in tokens. */
  { name: "token_sequence", sees: "options", score: ({ solutions }) => closeness(tokensAsCharacters(solutions)) },
  /** score = −Σ over the other options of edit distance / length of the longer one, in characters. */
  { name: "character_share", sees: "options", score: ({ solutions }) => relativeCloseness(solutions) },
  /** score = Σ over the other options of the Jaccard similarity of their sets of characters. */
  { name: "character_set", sees: "options", score: ({ solutions }) => setOverlaps(solutions.map((text) => [...text])) },
  /** The same for two characters and for three that follow each other. */
  { name: "character_pairs", sees: "options", score: ({ solutions }) => setOverlaps(solutions.map(piecesOf(2))) },
  { name: "character_threes", sees: "options", score: ({ solutions }) => setOverlaps(solutions.map(piecesOf(3))) },
];

/** Finer than the difference of any two sums of shares, coarser than what the order of adding leaves. */
const PRECISION = 1e9;

function closeness(texts: readonly string[]): number[] {
  return texts.map((text) => -texts.reduce((sum, other) => sum + distance(text, other), 0));
}

function relativeCloseness(texts: readonly string[]): number[] {
  const share = (a: string, b: string) => distance(a, b) / Math.max(1, a.length, b.length);
  return texts.map((text) => {
    return -Math.round(texts.reduce((sum, other) => sum + share(text, other), 0) * PRECISION) / PRECISION;
  });
}

/** One character a token, the same for the same token in every text: the edit distance then counts tokens. */
function tokensAsCharacters(texts: readonly string[]): string[] {
  const characters = new Map<string, string>();
  const characterOf = (token: string) => {
    const character = characters.get(token) ?? String.fromCharCode(characters.size);
    characters.set(token, character);
    return character;
  };
  return texts.map((text) => tokensIn(text).map(characterOf).join(""));
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
  /** Words of the added lines that stand on the removed lines too, a share. */
  { name: "words_removed", sees: "options", score: ({ solutions }) => solutions.map(shareRemoved) },
  /** Words of the added lines that stand there more than once, a share. */
  { name: "words_repeated", sees: "options", score: ({ solutions }) => solutions.map(shareRepeated) },
  /** How far the share of words known from the prompt is from the other options'. */
  { name: "odd_in_prompt", sees: "lexical", score: oddInPrompt },
];

const NO_READ = SOLUTION_RULES.filter(({ sees }) => sees !== "lexical");
const LEXICAL = SOLUTION_RULES.filter(({ sees }) => sees === "lexical");
const RULES = [...NO_READ, ...LEXICAL, ...FURTHER_RULES];

/** What is reported counts more than what is not. */
const REPORTED_WEIGHT = 3;
const WEIGHTS = RULES.map((rule) => (SOLUTION_RULES.includes(rule) ? REPORTED_WEIGHT : 1));

/** The ranks of the right solution in a benchmark so far, easy and hard questions each by themselves. */
export class SolutionBalance {
  readonly #forms: Readonly<Record<Difficulty, RankBalance>> = {
    easy: new RankBalance(WEIGHTS, NO_READ.length),
    hard: new RankBalance(WEIGHTS, NO_READ.length),
  };

  /** Counts the questions of a record, if it has them. */
  add(record: OfficialRecord): void {
    const { solution_correct: right, old, review } = record;
    if (right === undefined) return;
    const preReviewLines = old.split("\n").map((line) => line.slice(1));
    for (const difficulty of DIFFICULTIES) {
      const wrong = record[`solution_wrong_${difficulty}`];
      if (wrong === undefined) continue;
      this.#forms[difficulty].add(standingsIn({ solutions: [right, ...wrong], preReviewLines, review }));
    }
  }

  /** How uneven the ranks of a form would be with one more question; the right solution first. */
  cost(difficulty: Difficulty, view: SolutionView): number {
    return this.#forms[difficulty].cost(standingsIn(view));
  }
}

function standingsIn(view: SolutionView): Standing[] {
  return standingsOf(RULES.map((rule) => rule.score(view)));
}

function shareRemoved(solution: string): number {
  const removed = new Set(
    solution.split("\n").flatMap((line) => (/^\d+ - /.test(line) ? wordsOf(line.replace(/^\d+/, "")) : [])),
  );
  return share(wordsOf(addedLines(solution)), (word) => removed.has(word));
}

function shareRepeated(solution: string): number {
  const words = wordsOf(addedLines(solution));
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return share(words, (word) => (counts.get(word) ?? 0) > 1);
}

function oddInPrompt({ solutions, preReviewLines, review }: SolutionView): number[] {
  const known = new Set(wordsOf([...preReviewLines, review].join("\n")));
  const counts = solutions.map((solution) => wordsOf(addedLines(solution)).filter((word) => known.has(word)).length);
  return counts.map((count) => counts.reduce((sum, other) => sum + Math.abs(count - other), 0));
}

function share(words: readonly string[], isCounted: (word: string) => boolean): number {
  return words.length === 0 ? 0 : words.filter(isCounted).length / words.length;
}
