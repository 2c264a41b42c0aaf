import { setTimeout as wait } from "node:timers/promises";
import { serverRoot } from "./server-address.js";

/** Reads JSON from a path under the server's root (GET, or POST with a body); `null` when there is none. */
export type ReadJson = (path: string, body?: Readonly<Record<string, unknown>>) => Promise<unknown>;

const TIMEOUT_MS = 10_000;
const TRIES = 3;
const WAIT_MS = 250;

/**
 * Reads a server's own pages. A page that is not there (404 and such) is `null` at once; one that fails is tried a few
 * times, since what the server is taken for depends on it.
 */
export function serverReader(baseUrl: string, apiKey: string | null, fetchJson: typeof fetch): ReadJson {
  return async (path, body) => {
    for (let tries = 1; ; tries++) {
      const page = await readPage(`${serverRoot(baseUrl)}${path}`, body, apiKey, fetchJson);
      if (page.status === "read") return page.json;
      if (page.status === "absent" || tries === TRIES) return null;
      await wait(WAIT_MS * tries);
    }
  };
}

type Page = { readonly status: "read"; readonly json: unknown } | { readonly status: "absent" | "failed" };

async function readPage(
  url: string,
  body: Readonly<Record<string, unknown>> | undefined,
  apiKey: string | null,
  fetchJson: typeof fetch,
): Promise<Page> {
  try {
    const response = await fetchJson(url, {
      method: body === undefined ? "GET" : "POST",
      headers: {
        ...(apiKey !== null && { authorization: `Bearer ${apiKey}` }),
        ...(body !== undefined && { "content-type": "application/json" }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (response.ok) return { status: "read", json: await response.json() };
    return { status: response.status < 500 && response.status !== 429 ? "absent" : "failed" };
  } catch {
    return { status: "failed" };
  }
}
