import type { ExactMatch } from "../metric/acr/exact-match.js";
import type { GenerationScore } from "../metric/acr/generation-score.js";
import type { PaperExactMatch } from "../metric/acr/paper-exact-match.js";

/** The exact matches a generation can be judged by, named as the columns of `generations.csv`. */
export const MATCH_NAMES = [
  "em",
  "em_trim",
  "em_no_space",
  "em_no_comment",
  "paper_em",
  "paper_em_trim",
  "paper_em_no_space",
  "paper_em_no_comment",
] as const;

export type MatchName = (typeof MATCH_NAMES)[number];

const SCORES: Readonly<Record<MatchName, keyof ExactMatch | keyof PaperExactMatch>> = {
  em: "em",
  em_trim: "emTrim",
  em_no_space: "emNoSpace",
  em_no_comment: "emNoComment",
  paper_em: "paperEm",
  paper_em_trim: "paperEmTrim",
  paper_em_no_space: "paperEmNoSpace",
  paper_em_no_comment: "paperEmNoComment",
};

export function isMatch(match: MatchName, score: GenerationScore): boolean {
  return score[SCORES[match]];
}
