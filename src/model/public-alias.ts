import { VARIABLE_NAME } from "../trust/claim.js";
import type { Alias } from "./aliases.js";
import { HIDDEN, publicUrl } from "./http/public-url.js";

/** Settings that are what they are: nobody keeps a secret there. */
const OPEN_SETTINGS: ReadonlySet<string> = new Set([
  "sha256",
  "contextSize",
  "batchSize",
  "threads",
  "kvCache",
  "gpu",
  "chatTemplate",
  "extraction",
  "sequence",
  "topLogprobs",
  "timeoutSeconds",
  "patienceSeconds",
]);

/** An alias as it may be shown: of its URLs what is no secret, of settings that no provider knows their names. */
export function publicAlias({ settings, ...alias }: Alias): Alias {
  return {
    ...alias,
    settings: Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, publicSetting(name, value)])),
  };
}

function publicSetting(name: string, value: unknown): unknown {
  if (OPEN_SETTINGS.has(name)) return value;
  if (name === "apiKeyEnv" && typeof value === "string" && VARIABLE_NAME.test(value)) return value;
  if (name === "baseUrl") return Array.isArray(value) ? value.map(shownUrl) : shownUrl(value);
  return HIDDEN;
}

function shownUrl(value: unknown): string {
  return typeof value === "string" && URL.canParse(value) ? publicUrl(value) : HIDDEN;
}
