import { command } from "../console/command.js";
import { seedOption } from "../console/model-options.js";
import type { OptionValues } from "../console/option.js";
import {
  listOption,
  numberOption,
  positional,
  required,
  switchOption,
  textOption,
  wholeOption,
} from "../console/option-kinds.js";
import type { SuiteCommand } from "../run/suite-entry.js";
import { thinkOption } from "../run/think-option.js";
import { TRIAL_OPTIONS, type TrialValues } from "../trial/trial-options.js";
import type { SortedSuite } from "./classes/classify-handler.js";

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
    { parameter: "judge_votes", group: "judge" },
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

/**
 * `probe suite classify` of a suite.
 * @param failures what is sorted, and into how many classes
 * @param run the runs that have such
 */
export function classifyCommand(
  { failures, run }: { readonly failures: string; readonly run: string },
  load: () => Promise<SortedSuite>,
): SuiteCommand {
  return command({
    name: "classify",
    describe:
      `Sorts ${failures}, by a model, asked twice about each;\n` +
      "beside it the failures of known class that it sorts right, and its agreement with itself.",
    synopsis: "<run> --judge M",
    options: {
      run: positional(`folder of ${run}`, { isRun: true }),
      judge: required({ ...JUDGE_OPTIONS.judge, describe: "the model that sorts, as for --model", isDemanded: true }),
      judgeBaseUrl: JUDGE_OPTIONS.judgeBaseUrl,
      judgeApiKeyEnv: JUDGE_OPTIONS.judgeApiKeyEnv,
      judgeThink: JUDGE_OPTIONS.judgeThink,
      seed: seedOption("seed of the model (default: 0)"),
      dryRun: switchOption("count the calls, and ask nobody"),
      json: switchOption("print one JSON document"),
      quiet: switchOption("no messages", { alias: "q" }),
    },
    examples: [
      ["results/my-run --judge gpt-4o --dry-run", "how often it would be asked"],
      ["results/my-run --judge gpt-4o", "the classes; replies and table in results/my-run/classes"],
    ],
    run: async (...call) => (await import("./classes/classify-handler.js")).handleClassify(await load(), ...call),
  });
}
