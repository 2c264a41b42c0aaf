import { publicUrl } from "./http/public-url.js";
import type { ConnectionOptions } from "./model.js";
import { isConnectionSetting } from "./model-settings.js";
import type { ResolvedModel } from "./resolved-model.js";

/** Connection of a run, as a record keeps it; of URLs the part that may be shown. */
interface RecordedConnection {
  readonly base_urls: string[];
  readonly api_key_env: string | null;
  readonly api_key_file: string | null;
  readonly concurrency: number | null;
}

/** The connection by options, or by the alias's settings. */
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
    .filter(([key]) => !isConnectionSetting(key))
    .map(([key, value]) => `${key}=${String(value)}`);
}
