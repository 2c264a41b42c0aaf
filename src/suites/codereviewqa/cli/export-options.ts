import type { OptionValues } from "../../../console/option.js";
import {
  choiceOption,
  positional,
  repeatedOption,
  required,
  switchOption,
  textOption,
} from "../../../console/option-kinds.js";
import { EXPORT_FORMATS, type ExportFormatName } from "../export/export-formats.js";

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
