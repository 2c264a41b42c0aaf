import type { ConnectionOptions } from "../model/model.js";
import { list, single, type Values, wholeNumber } from "./arguments.js";

/** The options that say how a model is opened and reached; the same for every command that opens one. */
export const MODEL_OPTIONS = {
  "prompt-mode": {
    type: "string",
    requiresArg: true,
    describe: "completion (raw text, as in the paper) or chat (the model's template)",
  },
  "model-arg": {
    type: "string",
    array: true,
    requiresArg: true,
    describe: "setting of the model: key=value, repeated",
  },
  "base-url": {
    type: "string",
    array: true,
    requiresArg: true,
    describe: "server's API, http(s)://host/v1; several share the load",
  },
  "api-key-env": { type: "string", requiresArg: true, describe: "environment variable that holds the key" },
  "api-key-file": { type: "string", requiresArg: true, describe: "file whose first line is the key" },
  concurrency: {
    type: "string",
    requiresArg: true,
    describe: "requests under way at once, at most (default: adapts, up to 64)",
  },
  "allow-generated": {
    type: "boolean",
    describe: "take the letter a server writes if it reports no log probabilities",
  },
  force: { type: "boolean", describe: "ask even a server that the check refuses; the report says so" },
} as const;

/** These options as the parser hands them over. */
interface Given {
  readonly baseUrl?: Values;
  readonly apiKeyEnv?: Values;
  readonly apiKeyFile?: Values;
  readonly concurrency?: Values;
  readonly allowGenerated?: boolean | undefined;
  readonly force?: boolean | undefined;
}

/** What these options say. */
export function connectionOf(given: Given): ConnectionOptions {
  return {
    baseUrls: list(given.baseUrl),
    apiKeyEnv: single("api-key-env", given.apiKeyEnv) ?? null,
    apiKeyFile: single("api-key-file", given.apiKeyFile) ?? null,
    concurrency: wholeNumber("concurrency", given.concurrency, 1) ?? null,
    allowGenerated: given.allowGenerated === true,
    force: given.force === true,
  };
}
