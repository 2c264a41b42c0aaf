import { Readable } from "node:stream";
import { Agent, type Dispatcher, request } from "undici";
import {
  announcesSmall,
  cutShort,
  MAX_BODY_BYTES,
  type ReplyHead,
  readBody,
  tooLong,
  WholeReply,
} from "./reply-body.js";
import { RequestError } from "./request-error.js";

type Fetch = typeof fetch;

/** Ways to send requests. */
export interface HttpClient {
  /** Keeps connections open. */
  readonly fetch: Fetch;
  /** A connection of its own for every request: nothing that was left on one can be taken for a reply. */
  readonly freshFetch: Fetch;
  /** Hands a reply over as it comes: for files of results, of any length. */
  readonly stream: Fetch;
  /** Gives up the open connections once their requests are done; the next requests open new ones. */
  readonly refresh: () => void;
  readonly close: () => void;
}

/** The longest pause within a file of results, ms. */
const LONGEST_PAUSE_MS = 120_000;

/** Limits of a connection; the time of a request is limited by its signal. */
const LIMITS = { headersTimeout: 0, bodyTimeout: 0, maxResponseSize: MAX_BODY_BYTES };

/**
 * A `fetch` over undici's `request`, which takes a quarter of the processor time of the built-in one. For JSON requests
 * with a text body; the whole reply is read before it resolves, and cut off at `MAX_BODY_BYTES`.
 * @param maxSockets connections kept to one host
 * @param redact takes secrets out of every reply: nothing of it is read before
 */
export function httpClient(maxSockets: number, redact?: (text: string) => string): HttpClient {
  const newAgent = () => new Agent({ ...LIMITS, connections: maxSockets });
  const fresh = new Agent({ ...LIMITS, connections: maxSockets, pipelining: 0 });
  const long = new Agent({ headersTimeout: LONGEST_PAUSE_MS, bodyTimeout: LONGEST_PAUSE_MS, connections: 1 });
  let kept = newAgent();
  const open = new Set<Agent>([kept, fresh, long]);
  return {
    fetch: (input, init) => fetchWhole(kept, input, init, redact),
    freshFetch: (input, init) => fetchWhole(fresh, input, init, redact),
    stream: async (input, init) => {
      const { head, body } = await send(long, input, init);
      return new Response(Readable.toWeb(body) as ReadableStream, { status: head.status, headers: head.headers });
    },
    refresh: () => {
      // Of replies that were under way one may fail after the last.
      if (kept.destroyed) return;
      const retired = kept;
      kept = newAgent();
      open.add(kept);
      const forget = () => open.delete(retired);
      void retired.close().then(forget, forget);
    },
    close: () => {
      for (const agent of open) void agent.destroy();
    },
  };
}

/**
 * Sends one request, and reads its reply whole.
 * @throws RequestError `bad_response` for a body that is cut short, or longer or deeper than one may be
 */
export async function fetchWhole(
  dispatcher: Dispatcher,
  input: Parameters<Fetch>[0],
  init: Parameters<Fetch>[1],
  redact?: (text: string) => string,
): Promise<Response> {
  const { head, body } = await send(dispatcher, input, init);
  try {
    return await readBody(body, announcesSmall(head.headers), (bytes) => new WholeReply(bytes, head, redact));
  } catch (error) {
    if (error instanceof RequestError) throw error;
    if (isTooLong(error)) throw tooLong(head.status, error);
    init?.signal?.throwIfAborted();
    throw cutShort(head.status, error);
  }
}

/** Sends one request; the reply's body is still to be read. */
export async function send(
  dispatcher: Dispatcher,
  input: Parameters<Fetch>[0],
  init: Parameters<Fetch>[1],
): Promise<{ head: ReplyHead; body: Dispatcher.ResponseData["body"] }> {
  const url = input instanceof Request ? input.url : String(input);
  const text = init?.body ?? null;
  if (text !== null && typeof text !== "string") throw new TypeError("Expected a text body.");
  const headers = new Headers(init?.headers);
  // A packed body has no length that could be limited before.
  headers.set("accept-encoding", "identity");
  const { signal } = init ?? {};
  signal?.throwIfAborted();
  const method = methodOf(init?.method);
  const reply = await request(url, { dispatcher, method, headers, body: text, ...(signal && { signal }) });
  const pairs = Object.entries(reply.headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((each): [string, string] => [name, each]),
  );
  return { head: { status: reply.statusCode, headers: pairs, url }, body: reply.body };
}

const METHODS = ["GET", "POST", "HEAD"] as const;

function methodOf(name = "GET"): (typeof METHODS)[number] {
  const method = METHODS.find((each) => each === name.toUpperCase());
  if (method === undefined) throw new TypeError(`Expected one of ${METHODS.join(", ")}, found ${name}.`);
  return method;
}

function isTooLong(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "UND_ERR_RES_EXCEEDED_MAX_SIZE";
}
