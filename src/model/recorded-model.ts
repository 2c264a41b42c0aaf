import { publicUrl } from "./http/secrets.js";
import type { ConnectionOptions } from "./model.js";
import type { ResolvedModel } from "./registry.js";

/** Settings that say how a server is reached, not what it is asked; recorded with the connection. */
const CONNECTION_SETTINGS: ReadonlySet<string> = new Set(["baseUrl", "apiKeyEnv"]);

/** How the servers were reached, as a record keeps it; URLs without user and password. */
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
  return {
    base_urls: urls.map(publicUrl),
    api_key_env: connection.apiKeyEnv ?? (typeof apiKeyEnv === "string" ? apiKeyEnv : null),
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
