import { COMMON_TRIGRAMS } from "./common-trigrams.js";

/**
 * Commonness of the characters of some code: mean of log(1 + count) over its trigrams, counted in the hunk and in a small
 * corpus of code (`COMMON_TRIGRAMS`). 0 without a trigram.
 */
export function characterFluency(codes: readonly string[], hunk: readonly string[]): number[] {
  const counts = countOf(hunk.flatMap((line) => trigramsOf(line)));
  return codes.map((code) =>
    meanOf(code.split("\n").flatMap(trigramsOf), (trigram) =>
      Math.log(1 + (counts.get(trigram) ?? 0) + (CORPUS.get(trigram) ?? 0)),
    ),
  );
}

/**
 * Commonness of each token beside the one before: mean of log(1 + 4 · count of the pair + count of the token) in the hunk.
 * 0 without a token.
 */
export function wordFluency(codes: readonly string[], hunk: readonly string[]): number[] {
  const lines = hunk.map(tokensIn);
  const [single, pairs] = [countOf(lines.flat()), countOf(lines.flatMap(pairsOf))];
  const common = (pair: Pair) => 4 * (pairs.get(pair.join(" ")) ?? 0) + (single.get(pair[1]) ?? 0);
  return codes.map((code) =>
    meanOf(
      code.split("\n").flatMap((line) => pairListOf(tokensIn(line))),
      (pair) => Math.log(1 + common(pair)),
    ),
  );
}

/** Mean over the words of some code of log(1 + their count in the hunk); 0 without words. */
export function nameCommonness(codes: readonly (readonly string[])[], known: readonly string[]): number[] {
  const counts = countOf(known);
  return codes.map((words) => meanOf(words, (word) => Math.log(1 + (counts.get(word) ?? 0))));
}

/** The tokens of a text in their order: a word, or one other character; space is none. */
export function tokensIn(text: string): string[] {
  return text.match(/[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? [];
}

type Pair = readonly [string, string];

/** Each token with the one before; the first with the line's beginning. */
function pairListOf(tokens: readonly string[]): Pair[] {
  return tokens.map((token, i): Pair => [tokens[i - 1] ?? "", token]);
}

function pairsOf(tokens: readonly string[]): string[] {
  return pairListOf(tokens).map((pair) => pair.join(" "));
}

/** Runs of three characters of a line, its outer space aside. */
export function trigramsOf(line: string): string[] {
  const text = line.trim();
  return Array.from({ length: Math.max(0, text.length - 2) }, (_, i) => text.slice(i, i + 3));
}

function countOf(items: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  return counts;
}

/** Rounded, so that sums of the same numbers in another order are equal. */
function meanOf<T>(items: readonly T[], measure: (item: T) => number): number {
  if (items.length === 0) return 0;
  const mean = items.reduce((total, item) => total + measure(item), 0) / items.length;
  return Math.round(mean * 1e9) / 1e9;
}

/** Counts by trigram, at least: 4, 8, 16 … */
const CORPUS: ReadonlyMap<string, number> = new Map(
  COMMON_TRIGRAMS.flatMap((trigrams, tier) =>
    Array.from({ length: trigrams.length / 3 }, (_, i) => [trigrams.slice(3 * i, 3 * i + 3), 2 ** (tier + 2)] as const),
  ),
);
