import { choiceOption, switchOption, textOption } from "../../console/option-kinds.js";
import { ADVICE_OPTIONS } from "../../judge/judge-options.js";
import { REPO_OPTION, TRIAL_OPTIONS } from "../../trial/trial-options.js";
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
