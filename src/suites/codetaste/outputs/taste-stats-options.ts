import { switchOption, textOption } from "../../../console/option-kinds.js";

/** What `probe suite stats codetaste` takes. */
export const STATS_OPTIONS = {
  data: textOption("the folder that has assets and baseline_results (default: the one that OUTPUTS is in)"),
  json: switchOption("print one JSON document, in full precision, instead of the tables"),
};
