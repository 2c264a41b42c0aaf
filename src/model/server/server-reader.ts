import { Endpoint, type PatienceOptions } from "../http/endpoint.js";
import { errorOfConnection, errorOfContent, errorOfReply, RequestError } from "../http/request-error.js";
import { serverRoot } from "./server-access.js";

/** Reads JSON from a path under the server's root (GET, or POST with a body); `null` when there is none. */
export type ReadJson = (path: string, body?: Readonly<Record<string, unknown>>) => Promise<unknown>;

const TIMEOUT_MS = 20_000;
const TRIES = 3;
/** What a server says of itself is not waited for as its answers are, unless it says how long. */
const PATIENCE_MS = 1000;

interface ReaderOptions {
  readonly apiKey: string | null;
  readonly fetch: typeof fetch;
  readonly redact: (text: string) => string;
  readonly patience: PatienceOptions;
  readonly signal?: AbortSignal;
}

/**
 * Reads a server's own pages. A page that is not there (404 and such) is `null` at once; one that fails is tried a few
 * times, since what the server is taken for depends on it; a server that does not answer is not asked for another. The
 * signal's reason is thrown when it is aborted.
 */
export function serverReader(baseUrl: string, options: ReaderOptions): ReadJson {
  const { patience, signal = new AbortController().signal, ...how } = options;
  const endpoint = new Endpoint(baseUrl, { ...patience, timeoutMs: TIMEOUT_MS, maxTries: TRIES });
  endpoint.setPatience(Math.min(PATIENCE_MS, patience.patienceMs));
  return async (path, body) => {
    try {
      return await endpoint.send(() => readPage(`${serverRoot(baseUrl)}${path}`, body, how, signal), signal);
    } catch (error) {
      if (error instanceof RequestError) return null;
      throw error;
    }
  };
}

async function readPage(
  url: string,
  body: Readonly<Record<string, unknown>> | undefined,
  { apiKey, fetch: fetchJson, redact }: Pick<ReaderOptions, "apiKey" | "fetch" | "redact">,
  signal: AbortSignal,
): Promise<unknown> {
  let response: Response;
  try {
    response = await fetchJson(url, {
      method: body === undefined ? "GET" : "POST",
      headers: {
        ...(apiKey !== null && { authorization: `Bearer ${apiKey}` }),
        ...(body !== undefined && { "content-type": "application/json" }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
  } catch (error) {
    throw errorOfConnection(error, redact);
  }
  const text = await response.text();
  if (!response.ok) throw errorOfReply(response.status, redact(text), response.headers, Date.now());
  try {
    return JSON.parse(text);
  } catch {
    throw errorOfContent("not JSON", redact(text));
  }
}
