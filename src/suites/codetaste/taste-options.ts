import type { OptionValues } from "../../console/option.js";
import { choiceOption, listOption, optionalPositionals, switchOption, textOption } from "../../console/option-kinds.js";
import { ADVICE_OPTIONS } from "../../judge/judge-options.js";
import { DATA_OPTION, IMAGE_OPTION, REPO_OPTION, SANDBOX_OPTION, TRIAL_OPTIONS } from "../../trial/trial-options.js";
import { ENGINES } from "./rules/taste-rule.js";

/** Options that choose instances, and how they are graded. */
export const INSTANCE_OPTIONS = {
  repo: REPO_OPTION,
  testCmd: textOption("how the tests of the repository are run, for sh -c; counts as JSON on the last line", {
    isNamedAnew: true,
  }),
  ruleEngine: choiceOption("what runs the rules: auto takes the first of opengrep, semgrep, regex", ENGINES, "auto", {
    parameter: "rule_engine",
  }),
};

/** A further judgement of the plans of a run. */
export const SIX_PLANS_OPTION = {
  sixPlans: switchOption(
    "have the judge choose again, among the five plans and the one of open/plan; with controls of the judge",
    { parameter: "six_plans", group: "judge", record: (isAsked) => isAsked || undefined },
  ),
};

/** All that `probe suite run codetaste` takes. */
export const TASTE_OPTIONS = { ...TRIAL_OPTIONS, ...INSTANCE_OPTIONS, ...ADVICE_OPTIONS, ...SIX_PLANS_OPTION };

/** Options of `probe suite stats codetaste`. */
export const STATS_OPTIONS = {
  files: optionalPositionals(
    "folders of outputs: TRACK/MODE/OWNER/REPOSITORY/HASH/AGENT/prediction.diff and evaluation/; trials.csv of runs",
  ),
  data: textOption("the folder that has assets and baseline_results (default: the one that OUTPUTS is in)"),
  json: switchOption("print one JSON document, in full precision, instead of the tables"),
};

export type StatsValues = OptionValues<typeof STATS_OPTIONS>;

/** Options of `probe suite rules check codetaste`. */
export const RULES_OPTIONS = {
  data: DATA_OPTION,
  repo: INSTANCE_OPTIONS.repo,
  ruleEngine: INSTANCE_OPTIONS.ruleEngine,
  taskId: listOption("only these instances: comma list or repeated"),
  sandbox: SANDBOX_OPTION,
  image: IMAGE_OPTION,
  out: textOption("a folder to write rules.csv to"),
  json: switchOption("print one JSON document instead of the table"),
};

export type RulesValues = OptionValues<typeof RULES_OPTIONS>;
