import type { GenerationScore } from "./generation-score.js";
import type { MetricName } from "./metric-names.js";

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
