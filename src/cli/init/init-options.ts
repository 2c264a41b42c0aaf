import { list } from "../../console/arguments.js";
import { GATE_OPTIONS } from "../../console/ci-options.js";
import { MODEL_OPTION, MODEL_OPTIONS } from "../../console/model-options.js";
import { type OptionValues, texts } from "../../console/option.js";
import { choiceOption, parsedListOption, switchOption, textOption } from "../../console/option-kinds.js";

/** CI servers that a job is written for. */
export const CI_SERVERS = ["github", "gitlab"] as const;

/** Options of `probe init` that a person at the terminal is asked for. */
export const INIT_ANSWERS = {
  model: MODEL_OPTION,
  baseUrl: MODEL_OPTIONS.baseUrl,
  apiKeyEnv: MODEL_OPTIONS.apiKeyEnv,
  reviews: textOption(
    "your reviews: a JSONL or CSV file, github:OWNER/REPO, gitlab:GROUP/PROJECT or hf:OWNER/NAME (default: the starter set)",
  ),
  ci: choiceOption("write a CI job for this server: github or gitlab", CI_SERVERS, null),
  failUnder: parsedListOption(GATE_OPTIONS.failUnder.describe, (given, flag): readonly string[] => {
    GATE_OPTIONS.failUnder.parse(given, flag);
    return list(texts(given));
  }),
};

/** What somebody has. */
export type InitAnswers = OptionValues<typeof INIT_ANSWERS>;

/** Options of `probe init`. */
export const INIT_OPTIONS = {
  ...INIT_ANSWERS,
  yes: switchOption("ask nothing: what is not named has its default"),
  force: switchOption("set the model, the data and the bar anew in probe.config.json, and replace the CI job"),
  json: switchOption("print one JSON document"),
};

export type InitValues = OptionValues<typeof INIT_OPTIONS>;
