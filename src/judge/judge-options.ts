import { ProbeError } from "../base/errors.js";
import { single, wholeNumber } from "../console/arguments.js";
import { type Option, type OptionValues, textOption, texts } from "../console/option.js";
import type { TrialValues } from "../trial/trial-options.js";

/** 0–2, as servers take it. */
const HOTTEST = 2;

const temperature: Option<number> = {
  kind: "value",
  describe: "temperature of the judge (default: 0)",
  parameter: "judge_temperature",
  isDefault: (recorded) => recorded === 0,
  parse(given, flag) {
    const text = single(flag, texts(given));
    if (text === undefined) return 0;
    const value = Number(text);
    if (text.trim() !== "" && value >= 0 && value <= HOTTEST) return value;
    throw new ProbeError("bad_input", `Expected --${flag} to be a number from 0 to ${HOTTEST}, found "${text}".`);
  },
};

const votes: Option<number> = {
  kind: "value",
  describe: "how often each rubric is judged; the majority counts, of marks the mean (default: 1)",
  parameter: "judge_votes",
  isDefault: (recorded) => recorded === 1,
  parse: (given, flag) => wholeNumber(flag, texts(given), 1) ?? 1,
};

/** What every judged suite takes besides the options of all suites of agents. */
export const JUDGE_OPTIONS = {
  judge: textOption("the model that judges, as for --model; without it what needs a judge has no score", {
    parameter: "judge",
  }),
  judgeVotes: votes,
  judgeTemperature: temperature,
};

export type JudgedValues = TrialValues & OptionValues<typeof JUDGE_OPTIONS>;

/** What suites take whose agents are advised by a judge: it is asked once an attempt. */
export const ADVICE_OPTIONS = {
  judge: {
    ...JUDGE_OPTIONS.judge,
    describe: "the model that judges plans, as for --model (default: the one that works)",
  },
  judgeTemperature: JUDGE_OPTIONS.judgeTemperature,
};

export type AdvisedValues = TrialValues & OptionValues<typeof ADVICE_OPTIONS>;
