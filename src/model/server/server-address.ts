import { ProbeError } from "../../base/errors.js";
import { shorten } from "../../base/text.js";
import { readKey } from "../http/secrets.js";
import type { OpenModelOptions } from "../model.js";
import type { ServerSettings } from "./server-settings.js";

/**
 * The servers that the options name, or the alias, or `fallback`.
 * @throws ProbeError `bad_input` for what is not an http(s) URL
 */
export function chooseBaseUrls({ connection }: OpenModelOptions, settings: ServerSettings, fallback: string): string[] {
  const fromSettings = settings.baseUrl === undefined ? [] : [settings.baseUrl].flat();
  const urls = connection.baseUrls.length > 0 ? [...connection.baseUrls] : fromSettings;
  return (urls.length > 0 ? urls : [fallback]).map((url) => {
    if (!URL.canParse(url) || !/^https?:/.test(url)) {
      throw new ProbeError("bad_input", `Expected --base-url to be http(s)://host…/v1, found "${shorten(url, 120)}".`);
    }
    return url.replace(/\/+$/, "");
  });
}

/** The key from the source that the options or the alias name, or from `usual`, which may be empty. */
export function serverKey(
  { connection }: OpenModelOptions,
  settings: ServerSettings,
  usual: string,
): Promise<string | null> {
  const named = connection.apiKeyEnv ?? settings.apiKeyEnv;
  return readKey({
    environmentVariable: named ?? usual,
    isRequired: named !== undefined && connection.apiKeyFile === null,
    file: connection.apiKeyFile,
  });
}

/** `http://host:port/v1` → `http://host:port`. */
export function serverRoot(baseUrl: string): string {
  return baseUrl.replace(/\/+$/, "").replace(/\/v1$/, "");
}
