import type { OptionValues } from "../../../console/option.js";
import { choiceOption, positionals, switchOption, textOption } from "../../../console/option-kinds.js";
import { MATCH_NAMES } from "../metric/written/generation-score.js";

/** The options of `probe failures`. */
export const FAILURES_OPTIONS = {
  runs: positionals("folders of finished runs", { isRun: true }),
  match: choiceOption(
    "what counts as writing it: em (default), em_trim, em_no_space, em_no_comment, or as the paper's released " +
      "script counts: paper_em, paper_em_trim, paper_em_no_space, paper_em_no_comment",
    MATCH_NAMES,
    "em",
  ),
  by: choiceOption("also by language or change_type", ["language", "change_type"], null),
  list: textOption(
    "print the examples of one cell as CSV instead: non_match, match or all, a dot, and CTR, CL, CL_easy, " +
      "CL_hard, SI, SI_easy, SI_hard, any or none",
  ),
  out: textOption("also write a CSV file: a row an example"),
  overwrite: switchOption("replace the file of --out if it exists"),
  json: switchOption("print one JSON document, with the example ids of every cell"),
};

export type FailuresValues = OptionValues<typeof FAILURES_OPTIONS>;
