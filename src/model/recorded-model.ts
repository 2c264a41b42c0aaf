import { publicUrl } from "./http/public-url.js";
import type { ConnectionOptions } from "./model.js";
import type { ResolvedModel } from "./resolved-model.js";

/** Settings that say how a server is reached, not what it is asked; recorded with the connection. */
const CONNECTION_SETTINGS: ReadonlySet<string> = new Set(["baseUrl", "apiKeyEnv"]);

/** Whether a recorded `key=value` says how a server is reached: records of ours hold none. */
export function isConnectionSetting(pair: string): boolean {
  return CONNECTION_SETTINGS.has(pair.split("=", 1)[0] ?? "");
}

/** How the servers were reached, as a record keeps it; of URLs what may be shown. */
interface RecordedConnection {
  readonly base_urls: string[];
  readonly api_key_env: string | null;
  readonly api_key_file: string | null;
  readonly concurrency: number | null;
}

/** By options, or by the alias's settings. */
export function recordedConnection(
  connection: ConnectionOptions,
  settings: ResolvedModel["settings"],
): RecordedConnection {
  const { baseUrl, apiKeyEnv } = settings;
  const fromSettings = [baseUrl ?? []].flat().map(String);
  const urls = connection.baseUrls.length > 0 ? connection.baseUrls : fromSettings;
  const named = typeof apiKeyEnv === "string" ? apiKeyEnv : null;
  return {
    base_urls: urls.map(publicUrl),
    api_key_env: connection.apiKeyFile === null ? (connection.apiKeyEnv ?? named) : null,
    api_key_file: connection.apiKeyFile,
    concurrency: connection.concurrency,
  };
}

/** The settings that make a model what it is, as `key=value`. */
export function recordedSettings(settings: ResolvedModel["settings"]): string[] {
  return Object.entries(settings)
    .filter(([key]) => !CONNECTION_SETTINGS.has(key))
    .map(([key, value]) => `${key}=${String(value)}`);
}
