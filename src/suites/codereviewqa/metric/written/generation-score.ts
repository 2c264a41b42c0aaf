import { distance } from "fastest-levenshtein";
import type { Language } from "../../../../base/language.js";
import { loadSyntax } from "../../../../syntax/load.js";
import type { MetricName } from "../metric-names.js";
import { type NgramCounts, sentenceBleu } from "./bleu.js";
import {
  type ExactMatch,
  exactMatch,
  generatedLines,
  isExact,
  type PaperExactMatch,
  paperExactMatch,
  type RevisionPair,
  referenceLines,
} from "./exact-match.js";

/** The metrics of one generated revision (ACR): the corrected exact matches, those of the released scripts, and two graded ones. */
export interface GenerationScore extends ExactMatch, PaperExactMatch {
  /** Smoothed BLEU-4 of this generation alone, 0–1; `null` where the post-review code is empty. */
  readonly bleu: number | null;
  /** 0–1. */
  readonly editSimilarity: number;
}

type MatchField = {
  [K in keyof GenerationScore]: GenerationScore[K] extends boolean ? K : never;
}[keyof GenerationScore];

/** Exact matches of a generation: metric and column of `generations.csv`, field of the score, note. */
export const MATCHES = [
  ["em", "em", "character for character; Wilson 95 % interval"],
  ["em_trim", "emTrim", "text around the code forgiven"],
  ["em_no_space", "emNoSpace", "whitespace removed"],
  ["em_no_comment", "emNoComment", "comments and whitespace removed"],
  ["paper_em", "paperEm", "as the paper's released script computes it"],
  ["paper_em_trim", "paperEmTrim", "as the paper's released script computes it"],
  ["paper_em_no_space", "paperEmNoSpace", "as the paper's released script computes it"],
  ["paper_em_no_comment", "paperEmNoComment", "as the paper's released script computes it"],
] as const satisfies readonly (readonly [MetricName, MatchField, string])[];

/** Name of an exact match that generations can be held against: a column of `generations.csv`. */
export type MatchName = (typeof MATCHES)[number][0];

export const MATCH_NAMES: readonly MatchName[] = MATCHES.map(([name]) => name);

export function isMatch(match: MatchName, score: GenerationScore): boolean {
  return MATCHES.some(([name, key]) => name === match && score[key]);
}

/** Tests if a generated revision matches in one way; the others are not computed where that can be told without. */
export async function isMatching(
  match: MatchName,
  pair: RevisionPair & { readonly language: Language },
): Promise<boolean> {
  return match === "em" ? isExact(pair) : isMatch(match, await scoreGeneration(pair));
}

/**
 * Scores one generated revision. An empty or cut-off generation is scored like any other: what state it is in, the
 * answer says.
 */
export async function scoreGeneration(
  pair: RevisionPair & { readonly language: Language },
  ngrams?: NgramCounts,
): Promise<GenerationScore> {
  const { language, postReviewLines, generation } = pair;
  return {
    ...exactMatch(await loadSyntax(language), postReviewLines, generation),
    ...paperExactMatch(postReviewLines, generation),
    bleu: sentenceBleu(pair, ngrams),
    editSimilarity: editSimilarity(pair),
  };
}

/**
 * Normalised edit similarity of a generation: 1 − Levenshtein / length of the longer text, in code points (an emoji is
 * one character, not two). 0–1; 1 only for equal code; two empty texts are equal, so 1; an empty generation of code is 0.
 * Code is compared as `em` compares it: line numbers removed if echoed, whitespace and comments kept.
 */
export function editSimilarity({ postReviewLines, generation }: RevisionPair): number {
  const [expected, found] = inSingleUnits(
    referenceLines(postReviewLines).join("\n"),
    generatedLines(generation).join("\n"),
  );
  const longest = Math.max(expected.length, found.length);
  return longest === 0 ? 1 : 1 - distance(expected, found) / longest;
}

/**
 * Two texts with every code point replaced by one UTF-16 unit of its own, as the distance counts units. Texts without a
 * character beyond U+FFFF stay as they are, and so do texts with more different characters than there are units.
 */
function inSingleUnits(a: string, b: string): readonly [string, string] {
  if (!/[\u{10000}-\u{10ffff}]/u.test(a + b)) return [a, b];
  const units = new Map<string, number>();
  for (const character of [...a, ...b]) if (!units.has(character)) units.set(character, units.size);
  if (units.size > 0x10000) return [a, b];
  const encode = (text: string) =>
    Array.from(text, (character) => String.fromCharCode(units.get(character) ?? 0)).join("");
  return [encode(a), encode(b)];
}
