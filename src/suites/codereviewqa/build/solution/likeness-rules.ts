import { distance } from "fastest-levenshtein";
import type { Rule } from "../../floors/rule.js";
import type { SolutionView } from "../../floors/solution-rules.js";
import { setOverlaps, tokensIn } from "../../floors/text-rules.js";

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
