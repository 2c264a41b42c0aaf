import type { OptionValues } from "../../../console/option.js";
import {
  choiceOption,
  positional,
  positionals,
  repeatedOption,
  required,
  switchOption,
  textOption,
} from "../../../console/option-kinds.js";
import { EXPORT_FORMATS, type ExportFormatName } from "../export/export-formats.js";
import { MATCH_NAMES } from "../metric/written/generation-score.js";

const NAMES = Object.keys(EXPORT_FORMATS) as readonly ExportFormatName[];

const namesOf = (kind: "run" | "benchmark") => NAMES.filter((name) => EXPORT_FORMATS[name].of === kind).join(", ");

/** The options of `probe export`. */
export const EXPORT_OPTIONS = {
  what: positional("a run, or a data set: a JSONL file, hf:OWNER/NAME or starter"),
  format: required(
    choiceOption(`of a run: ${namesOf("run")}; of a data set: ${namesOf("benchmark")} (required)`, NAMES, null),
  ),
  out: required(textOption("folder to write: a new one (required)")),
  dataset: repeatedOption("the file a run asked about, if it is not where it was"),
  json: switchOption("print one JSON document in place of the message"),
};

export type ExportValues = OptionValues<typeof EXPORT_OPTIONS>;

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
