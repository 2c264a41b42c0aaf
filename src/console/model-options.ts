import { type ConnectionOptions, PROMPT_MODES } from "../model/model.js";
import { wholeNumber } from "./arguments.js";
import {
  choiceOption,
  countOption,
  givenFrom,
  listOption,
  type Option,
  type OptionValues,
  switchOption,
  textOption,
  texts,
} from "./option.js";

/** The options that say which model is opened, and how it is reached; the same for every command that opens one. */
export const MODEL_OPTIONS = {
  promptMode: choiceOption(
    "completion (raw text, as in the paper) or chat (the model's template)",
    PROMPT_MODES,
    "completion",
    { parameter: "prompt_mode", inConfig: "anything" },
  ),
  modelArg: {
    kind: "list",
    describe: "setting of the model: key=value, repeated",
    parse: (given) => [texts(given) ?? []].flat(),
    // Kept by `model_args`, with the settings of the alias.
    replay: ({ parameters }) => givenFrom(parameters["model_args"]),
  } satisfies Option<readonly string[]>,
  baseUrl: connectionOption(listOption("server's API, http(s)://host/v1; several share the load"), "base_urls"),
  apiKeyEnv: connectionOption(textOption("environment variable that holds the key"), "api_key_env"),
  apiKeyFile: connectionOption(textOption("file whose first line is the key"), "api_key_file"),
  concurrency: connectionOption(
    countOption("requests under way at once, at most (default: adapts, up to 64)", 1, { inConfig: "anything" }),
    "concurrency",
  ),
  allowGenerated: connectionOption(
    switchOption("take the letter a server writes if it reports no log probabilities", { inConfig: "anything" }),
    "allow_generated",
  ),
  force: connectionOption(switchOption("ask even a server that the check refuses; the report says so"), "force"),
};

/** Kept with the model's connection. */
function connectionOption<T>(option: Option<T>, name: string): Option<T> {
  return { ...option, replay: ({ model }) => givenFrom(model.connection[name]) };
}

/** The values of the options that say how a model is reached. */
export type ConnectionValues = Omit<OptionValues<typeof MODEL_OPTIONS>, "promptMode" | "modelArg">;

/** What these options say. */
export function connectionOf(values: ConnectionValues): ConnectionOptions {
  const { baseUrl, apiKeyEnv, apiKeyFile, concurrency, allowGenerated, force } = values;
  return { baseUrls: baseUrl, apiKeyEnv, apiKeyFile, concurrency, allowGenerated, force };
}

/** `--model`. */
export const MODEL_OPTION: Option<string | null> = textOption(
  "alias, provider:name or .gguf file (see: probe models)",
  {
    alias: "m",
    inConfig: "anything",
    replay: ({ model }) => model.label,
  },
);

/** `--seed` and its like: a whole number with a default. */
export function seedOption(describe: string): Option<number> {
  return {
    kind: "value",
    describe,
    parse: (given, flag) => wholeNumber(flag, texts(given), 0) ?? 0,
    parameter: "seed",
    inConfig: "anything",
    isDefault: (recorded, { parameters }) => parameters["sample"] == null && (recorded ?? 0) === 0,
  };
}
