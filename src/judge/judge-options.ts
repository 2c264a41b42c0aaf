import type { OptionValues } from "../console/option.js";
import { listOption, numberOption, textOption, wholeOption } from "../console/option-kinds.js";
import { thinkOption } from "../run/think-option.js";
import { TRIAL_OPTIONS, type TrialValues } from "../trial/trial-options.js";

/** 0–2, as servers take it. */
const HOTTEST = 2;

/** Options of every judged suite besides those of all suites of agents. */
export const JUDGE_OPTIONS = {
  judge: textOption("the model that judges, as for --model; without it what needs a judge has no score", {
    parameter: "judge",
  }),
  judgeBaseUrl: listOption("server's API of the judge, http(s)://host/v1; several share the load", {
    isNamedAnew: true,
  }),
  judgeApiKeyEnv: textOption("environment variable that holds the judge's key", { isNamedAnew: true, isOwn: true }),
  judgeThink: thinkOption("of the judge", { parameter: "judge_think", group: "judge" }),
  judgeVotes: wholeOption(
    "how often each rubric is judged; the majority counts, of marks the mean (default: 1)",
    1,
    1,
    {
      parameter: "judge_votes",
      group: "judge",
    },
  ),
  judgeTemperature: numberOption(
    "temperature of the judge (default: 0)",
    {
      fits: (value) => value >= 0 && value <= HOTTEST,
      refusal: (flag, text) => `Expected --${flag} to be a number from 0 to ${HOTTEST}, found "${text}".`,
    },
    0,
    { parameter: "judge_temperature", group: "judge" },
  ),
};

/** All that a judged suite takes that has no options of its own. */
export const JUDGED_OPTIONS = { ...TRIAL_OPTIONS, ...JUDGE_OPTIONS };

export type JudgedValues = OptionValues<typeof JUDGED_OPTIONS>;

/** Options of suites whose agents are advised by a judge: it is asked once an attempt. */
export const ADVICE_OPTIONS = {
  judge: {
    ...JUDGE_OPTIONS.judge,
    describe: "the model that judges plans, as for --model (default: the one that works)",
  },
  judgeBaseUrl: JUDGE_OPTIONS.judgeBaseUrl,
  judgeApiKeyEnv: JUDGE_OPTIONS.judgeApiKeyEnv,
  judgeThink: JUDGE_OPTIONS.judgeThink,
  judgeTemperature: JUDGE_OPTIONS.judgeTemperature,
};

export type AdvisedValues = TrialValues & OptionValues<typeof ADVICE_OPTIONS>;
