import type { ReadJson } from "./server-facts.js";
import { serverRoot } from "./transport.js";

const TIMEOUT_MS = 10_000;

/** Reads a server's own pages; whatever goes wrong, the page is not there. */
export function serverReader(baseUrl: string, apiKey: string | null, fetchJson: typeof fetch): ReadJson {
  return async (path, body) => {
    try {
      const response = await fetchJson(`${serverRoot(baseUrl)}${path}`, {
        method: body === undefined ? "GET" : "POST",
        headers: {
          ...(apiKey !== null && { authorization: `Bearer ${apiKey}` }),
          ...(body !== undefined && { "content-type": "application/json" }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      return response.ok ? await response.json() : null;
    } catch {
      return null;
    }
  };
}
