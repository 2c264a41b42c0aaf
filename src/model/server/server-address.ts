import { ProbeError } from "../../base/errors.js";
import { isHidden } from "../http/public-url.js";
import type { OpenModelOptions } from "../model.js";
import type { ServerSettings } from "./server-settings.js";

/** A server, and which file named it; `null`: the user, or the program. */
export interface ServerAddress {
  readonly url: string;
  readonly holder: string | null;
}

/**
 * The servers that the options name, or the alias, or `fallback`.
 * @throws ProbeError `bad_input` for what is not an http(s) URL; it is not repeated, for it may hold a key
 */
export function chooseServers(
  { connection, foundIn }: Pick<OpenModelOptions, "connection" | "foundIn">,
  settings: Pick<ServerSettings, "baseUrl">,
  fallback: string,
): ServerAddress[] {
  const named = (urls: readonly string[], holder: string | undefined) =>
    urls.map((url) => ({ url: requireServerUrl(url), holder: holder ?? null }));
  if (connection.baseUrls.length > 0) return named(connection.baseUrls, connection.foundIn?.baseUrl);
  if (settings.baseUrl !== undefined) return named([settings.baseUrl].flat(), foundIn?.baseUrl);
  return named([fallback], undefined);
}

/** @throws ProbeError `bad_input` for what is not an http(s) URL, or not a whole one */
export function requireServerUrl(url: string): string {
  if (!URL.canParse(url) || !/^https?:\/\//i.test(url)) {
    throw new ProbeError(
      "bad_input",
      "Expected --base-url to be http(s)://host…/v1, found something else (not shown: it may hold a key). " +
        "Such as --base-url http://127.0.0.1:8000/v1",
    );
  }
  if (isHidden(url)) {
    throw new ProbeError(
      "bad_input",
      `Expected the whole URL of the server, found ${url}: no record keeps a key. Name it again with --base-url.`,
    );
  }
  return url.replace(/\/+$/, "");
}

/** `http://host:port/v1` → `http://host:port`. */
export function serverRoot(baseUrl: string): string {
  return baseUrl.replace(/\/+$/, "").replace(/\/v1$/, "");
}
