import { switchOption } from "../../console/option-kinds.js";
import { JUDGED_OPTIONS } from "../../judge/judge-options.js";
import { REPO_OPTION } from "../../trial/trial-options.js";

/** Options of the benchmark besides those of every judged suite. */
export const OWN_OPTIONS = {
  repo: REPO_OPTION,
  smellAnalysis: switchOption("have the judge describe each case's smell first, where the case has no such text", {
    parameter: "smell_analysis",
  }),
};

/** All that `probe suite run smellbench` takes. */
export const SMELL_OPTIONS = { ...JUDGED_OPTIONS, ...OWN_OPTIONS };
