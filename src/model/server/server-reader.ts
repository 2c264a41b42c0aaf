import { Endpoint, type PatienceOptions } from "../http/endpoint.js";
import { errorOfConnection, errorOfContent, errorOfReply, RequestError } from "../http/request-error.js";
import type { WireReply } from "../wire/ways.js";
import { serverRoot } from "./server-access.js";

/** Means to send requests to a model's servers. */
export interface WireAccess {
  /** `null`: none is sent. */
  readonly apiKey: string | null;
  readonly fetch: typeof fetch;
  /** Takes out of a text what nobody is to see. */
  readonly redact: (text: string) => string;
  /** Time for one reply, ms. */
  readonly timeoutMs: number;
}

/**
 * Reads the JSON of the reply to a request.
 * @throws RequestError when there is no reply, or one of an error, or one that is no JSON
 */
export async function readJsonReply(send: () => Promise<Response>, redact: WireAccess["redact"]): Promise<WireReply> {
  let response: Response;
  let text: string;
  try {
    response = await send();
    text = await response.text();
  } catch (error) {
    throw errorOfConnection(error, redact);
  }
  const { status, headers } = response;
  const shown = redact(text);
  if (status < 200 || status > 299) throw errorOfReply(status, shown || "status code (no body)", headers, Date.now());
  try {
    return { json: JSON.parse(text) as unknown, text: shown };
  } catch {
    throw errorOfContent("not JSON", shown);
  }
}

/**
 * Sends JSON to a URL, or gets it from there.
 * @param body `null`: a GET
 * @throws RequestError
 */
export function requestJson(
  url: string,
  body: Readonly<Record<string, unknown>> | null,
  { apiKey, fetch: send, redact, timeoutMs }: WireAccess,
  signal: AbortSignal,
): Promise<WireReply> {
  const bounded = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  const headers = { ...(apiKey !== null && { authorization: `Bearer ${apiKey}` }) };
  const init: RequestInit =
    body === null
      ? { method: "GET", headers, signal: bounded }
      : {
          method: "POST",
          headers: { ...headers, "content-type": "application/json" },
          body: JSON.stringify(body),
          signal: bounded,
        };
  return readJsonReply(() => send(url, init), redact);
}

/** The API's own pages lie under its base, which ends in another version than `/v1` at some vendors. */
function pageUrl(baseUrl: string, path: string): string {
  const base = baseUrl.replace(/\/+$/, "");
  const hasOwnBase = new URL(base).pathname !== "/" && !base.endsWith("/v1");
  return hasOwnBase && path.startsWith("/v1/") ? `${base}${path.slice(3)}` : `${serverRoot(base)}${path}`;
}

/** Reads JSON from a path under the server's root (GET, or POST with a body); `null` when there is none. */
export type ReadJson = (path: string, body?: Readonly<Record<string, unknown>>) => Promise<unknown>;

const TIMEOUT_MS = 20_000;
const TRIES = 3;
/** Patience for a server's own pages, ms: they are not waited for as answers are, unless it says how long. */
const PATIENCE_MS = 1000;

interface ReaderOptions extends Omit<WireAccess, "timeoutMs"> {
  readonly patience: PatienceOptions;
  readonly signal: AbortSignal;
}

/**
 * Reads a server's own pages. A page that is not there (404 and such) is `null` at once; one that fails is tried a few
 * times, since what the server is taken for depends on it; a server that does not answer is not asked for another. The
 * signal's reason is thrown when it is aborted.
 */
export function serverReader(baseUrl: string, { patience, signal, ...how }: ReaderOptions): ReadJson {
  const access = { ...how, timeoutMs: TIMEOUT_MS };
  const endpoint = new Endpoint(baseUrl, { ...patience, timeoutMs: TIMEOUT_MS, maxTries: TRIES });
  endpoint.setPatience(Math.min(PATIENCE_MS, patience.patienceMs));
  return async (path, body = undefined) => {
    const url = pageUrl(baseUrl, path);
    try {
      return (await endpoint.send(() => requestJson(url, body ?? null, access, signal), signal)).json;
    } catch (error) {
      if (error instanceof RequestError) return null;
      throw error;
    }
  };
}
