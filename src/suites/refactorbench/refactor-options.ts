import { choiceOption } from "../../console/option-kinds.js";
import { TRIAL_OPTIONS } from "../../trial/trial-options.js";

/** Options of the benchmark besides those of every suite of agents. */
export const OWN_OPTIONS = {
  tools: choiceOption(
    "published (those of the paper), or full: also list_files, read_file, search",
    ["published", "full"],
    "published",
    { parameter: "tools" },
  ),
};

/** All that `probe suite run refactorbench` takes. */
export const REFACTOR_OPTIONS = { ...TRIAL_OPTIONS, ...OWN_OPTIONS };
