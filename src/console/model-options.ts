import { badInput } from "../base/errors.js";
import { isPublic, requireHttp } from "../model/http/public-url.js";
import { type ConnectionOptions, PROMPT_MODES } from "../model/model.js";
import type { ResolvedModel } from "../model/resolved-model.js";
import { findVendor } from "../model/vendor/vendors.js";
import {
  eachText,
  type Given,
  type GivenOptions,
  givenOf,
  list,
  type Option,
  type OptionValues,
  settings,
  texts,
} from "./option.js";
import {
  choiceOption,
  countOption,
  listOption,
  repeatedOption,
  switchOption,
  textOption,
  wholeOption,
} from "./option-kinds.js";
import { givenFrom } from "./recorded-options.js";

/** The options that say which model is opened, and how it is reached; the same for every command that opens one. */
export const MODEL_OPTIONS = {
  promptMode: choiceOption(
    "completion (raw text, as in the paper) or chat (the model's template)",
    PROMPT_MODES,
    "completion",
    { parameter: "prompt_mode", inConfig: "anything", group: "model" },
  ),
  modelArg: repeatedOption("setting of the model: key=value, repeated", {
    group: "model",
    // Kept by `model_args`, with the settings of the alias.
    replay: ({ parameters }) => givenFrom(parameters["model_args"]),
  }),
  baseUrl: connectionOption(
    listOption("a server's API, http(s)://host/v1; several share the load", { anew: serversAnew, parse: parseUrls }),
    "base_urls",
  ),
  apiKeyEnv: connectionOption(
    textOption("environment variable that holds the key", {
      group: "model",
      isOwn: true,
      anew: (given) => namedBy(given, "apiKeyEnv"),
    }),
    "api_key_env",
  ),
  apiKeyFile: connectionOption(
    textOption("file whose first line is the key", { group: "model", isOwn: true, isNamedAnew: true }),
    "api_key_file",
  ),
  concurrency: connectionOption(
    countOption("requests under way at once, at most (default: adapts, up to 64)", 1, {
      group: "model",
      inConfig: "anything",
      isOwn: true,
    }),
    "concurrency",
  ),
  allowGenerated: connectionOption(
    switchOption("take the letter a server writes if it reports no log probabilities", {
      group: "model",
      inConfig: "anything",
    }),
    "allow_generated",
  ),
  force: connectionOption(
    switchOption("ask even a server that the check refuses; the report says so", { group: "model" }),
    "force",
  ),
};

/** Kept with the model's connection. */
function connectionOption<T>(option: Option<T>, name: string): Option<T> {
  return { ...option, replay: ({ model }) => givenFrom(model.connection[name]) };
}

/**
 * The servers that `--resume` needs again: those that a key was named for, as a record sends none by itself, and those
 * whose URL a record keeps in part, which is not shown.
 */
function serversAnew(given: GivenOptions): string[] {
  const urls = namedBy(given, "baseUrl");
  const hasKey = namedBy(given, "apiKeyEnv").length > 0 || given["apiKeyFile"] !== undefined;
  if (!hasKey && urls.every(isWhole)) return [];
  return urls.map((list) => (isWhole(list) ? list : "URL"));
}

/** Values of an option; where it was not given, of the setting of `--model-arg` that says the same. */
function namedBy(given: GivenOptions, name: "baseUrl" | "apiKeyEnv"): string[] {
  const own = eachText(givenOf(given, name));
  if (own.length > 0) return [...own];
  return [settings(eachText(givenOf(given, "modelArg")))[name] ?? []].flat();
}

/** @throws ProbeError `bad_input` for what is no URL, whether the model has a server or not */
function parseUrls(given: Given): string[] {
  const urls = list(texts(given));
  for (const url of urls) requireHttp(url);
  return urls;
}

/** Tests for URLs without anything secret. */
function isWhole(list: string): boolean {
  return list.split(",").every((url) => URL.canParse(url.trim()) && isPublic(url.trim()));
}

/** The values of the options that say how a model is reached. */
export type ConnectionValues = Omit<OptionValues<typeof MODEL_OPTIONS>, "promptMode" | "modelArg">;

/**
 * The connection that the options ask for.
 * @param foundIn files that named some of it
 * @throws ProbeError `bad_input` for a server or a key that is typed for a model in this process
 */
export function connectionOf(
  values: ConnectionValues,
  model: Pick<ResolvedModel, "label" | "provider">,
  foundIn: ConnectionOptions["foundIn"] = {},
): ConnectionOptions {
  const { baseUrl, apiKeyEnv, apiKeyFile, concurrency, allowGenerated, force } = values;
  const isServed = findVendor(model.provider) !== undefined;
  if (!isServed) requireNoServer(values, model.label, foundIn);
  const connection = { baseUrls: baseUrl, apiKeyEnv, apiKeyFile, concurrency, force };
  return {
    ...connection,
    // A config file allows it to all models.
    allowGenerated: allowGenerated && isServed,
    ...(Object.keys(foundIn).length > 0 && { foundIn }),
  };
}

/** Older records of models in this process hold what was ignored: what they name is no mistake of the user's. */
function requireNoServer(
  { baseUrl, apiKeyEnv, apiKeyFile }: ConnectionValues,
  label: string,
  foundIn: NonNullable<ConnectionOptions["foundIn"]>,
): void {
  const typed = [
    ...(baseUrl.length > 0 && foundIn.baseUrl === undefined ? ["--base-url"] : []),
    ...(apiKeyEnv !== null && foundIn.apiKey === undefined ? ["--api-key-env"] : []),
    ...(apiKeyFile !== null && foundIn.apiKey === undefined ? ["--api-key-file"] : []),
  ];
  if (typed.length === 0) return;
  throw badInput(
    `Expected no ${typed.join(" or ")} with ${label}: it runs in this process. Leave it out, or name a server's model, ` +
      "such as openai:auto.",
  );
}

/** `--model`. */
export const MODEL_OPTION: Option<string | null> = textOption(
  "alias, provider:name or .gguf file (see: probe models)",
  {
    alias: "m",
    async values(workingDirectory) {
      const { loadAliases } = await import("../model/model-aliases.js");
      return [...(await loadAliases(workingDirectory)).keys()];
    },
    inConfig: "anything",
    replay: ({ model }) => model.label,
  },
);

/** `--seed` and its like: a whole number with a default. */
export function seedOption(describe: string, rest: Pick<Option<number>, "group"> = {}): Option<number> {
  return wholeOption(describe, 0, 0, {
    ...rest,
    parameter: "seed",
    inConfig: "anything",
    isDefault: (recorded, { parameters }) => parameters["sample"] == null && (recorded ?? 0) === 0,
  });
}
