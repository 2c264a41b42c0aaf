import { switchOption } from "../../console/option-kinds.js";
import { JUDGE_OPTIONS } from "../../judge/judge-options.js";
import { REPO_OPTION, TRIAL_OPTIONS } from "../../trial/trial-options.js";

/** What the benchmark takes besides the options of every judged suite. */
export const OWN_OPTIONS = {
  repo: REPO_OPTION,
  smellAnalysis: switchOption("have the judge describe each case's smell first, where the case has no such text", {
    parameter: "smell_analysis",
  }),
};

/** All that `probe suite run smellbench` takes. */
export const SMELL_OPTIONS = { ...TRIAL_OPTIONS, ...JUDGE_OPTIONS, ...OWN_OPTIONS };
