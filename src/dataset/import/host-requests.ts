import { setTimeout as sleep } from "node:timers/promises";
import { Agent, type Dispatcher, interceptors } from "undici";
import { badInput, isSystemError } from "../../base/errors.js";
import { shorten } from "../../base/text.js";
import { fetchWhole, send } from "../../model/http/http-client.js";
import { MAX_BODY_BYTES, RefusedBody } from "../../model/http/reply-body.js";
import { readRetryAfter } from "../../model/http/request-error.js";

/** GitHub and GitLab redirect from a repository's old name, the hub to where it keeps its files. */
const redirect = interceptors.redirect({ maxRedirections: 5 });

const replies = new Agent({ maxResponseSize: MAX_BODY_BYTES }).compose(redirect);
const files = new Agent().compose(redirect);

/** `fetch` for what is read as a whole: no more than `MAX_BODY_BYTES` of it. */
export const fetchReply: typeof fetch = (input, init) => fetchWhole(replies, input, init);

/** Connections to one API: hosts ask clients not to hurry. */
const MOST_CONNECTIONS = 5;

/**
 * `fetch` of an API that wants a token, for what is read as a whole. The token's header is added to what goes to the API's own scheme, host and
 * port, and to nothing else, wherever redirections or links between pages lead; a reply that repeats the token is rid of
 * it.
 * @param headerOf the header that a token is sent in
 */
export function fetchFor(
  apiUrl: string,
  token: Token | null,
  headerOf: (secret: string) => Readonly<Record<string, string>>,
): typeof fetch {
  const { origin } = new URL(apiUrl);
  const header = token === null ? {} : headerOf(token.secret);
  const limits = { maxResponseSize: MAX_BODY_BYTES, connections: MOST_CONNECTIONS };
  const api = new Agent(limits).compose(addTo(origin, header), redirect);
  return (input, init) => fetchWhole(api, input, init, (text) => withoutToken(text, token));
}

function addTo(origin: string, secret: Readonly<Record<string, string>>): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, handler) => {
    const isOwn = options.origin !== undefined && new URL(options.origin).origin === origin;
    return dispatch(isOwn ? { ...options, headers: withSecret(options.headers, secret) } : options, handler);
  };
}

/** Headers come as they were given, or after a redirection as a flat list of names and values. */
function withSecret(
  headers: Dispatcher.DispatchOptions["headers"],
  secret: Readonly<Record<string, string>>,
): string[] | Record<string, string | string[] | undefined> {
  if (Array.isArray(headers)) return [...headers, ...Object.entries(secret).flat()];
  const given = headers == null ? [] : Symbol.iterator in headers ? [...headers] : Object.entries(headers);
  return Object.fromEntries([...given, ...Object.entries(secret)]);
}

/** `fetch` for a file that is written as it comes; its reader counts the bytes. What is no file is read as a whole. */
export const fetchFile: typeof fetch = async (input, init) => {
  const { head, body } = await send(files, input, init);
  if (head.status < 300) return new Response(streamOf(body), head);
  await body.dump();
  return fetchReply(input, init);
};

function streamOf(body: Dispatcher.ResponseData["body"]): ReadableStream<Uint8Array> {
  const chunks: AsyncIterator<Uint8Array> = body[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done === true) controller.close();
      else controller.enqueue(value);
    },
    cancel: () => void body.destroy(),
  });
}

/** A secret, and the variable it came from: the variable may be shown, the secret never. */
export interface Token {
  readonly variable: string;
  readonly secret: string;
}

/**
 * The token in the first of these environment variables that holds one; `null` when none does.
 * @throws ProbeError `bad_input` when it holds what cannot be a token
 */
export function readToken(variables: readonly string[], environment: NodeJS.ProcessEnv): Token | null {
  for (const variable of variables) {
    const secret = environment[variable]?.trim();
    if (secret === undefined || secret === "") continue;
    // A header holds visible ASCII; an error of the network's would show anything else.
    if (/^[\x21-\x7e]+$/.test(secret)) return { variable, secret };
    throw badInput(
      `Expected a token of visible ASCII characters in $${shorten(variable, 120)}, found others. Copy it again.`,
    );
  }
  return null;
}

/** The text without the token, should a server or an error repeat it. */
export function withoutToken(text: string, token: Token | null): string {
  return token === null ? text : text.replaceAll(token.secret, "[token]");
}

const UNREACHABLE = ["ENOTFOUND", "EAI_AGAIN", "ECONNREFUSED", "ENETUNREACH", "EHOSTUNREACH", "ENETDOWN"] as const;

/** Tells whether no server could be reached at all: no network, no such host, nothing listening. Asking again is no use. */
export function isUnreachable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (UNREACHABLE.some((code) => isSystemError(error, code))) return true;
  // Several addresses were tried (`AggregateError`), or `fetch` wrapped it.
  const inner: readonly unknown[] = error instanceof AggregateError ? error.errors : [];
  return inner.some(isUnreachable) || (error.cause !== undefined && isUnreachable(error.cause));
}

/** A wait that a reply asks for. */
export interface Limit {
  readonly seconds: number;
  /** Absent: its status says it. */
  readonly reason?: string;
}

/** Rules by which passing faults are waited out. */
export interface Patience {
  readonly signal: AbortSignal;
  /** Times that one request is sent, at most. */
  readonly tries: number;
  readonly longestWaitSeconds: number;
  /** Limit that a reply tells of in its own way; `Retry-After` goes before its seconds. `null`: none. */
  readonly limitOf?: (reply: Response) => Promise<Limit | null>;
  /** Told before each wait. */
  readonly onWait: (seconds: number, found: string) => void;
}

const PASSING_STATUSES: ReadonlySet<number> = new Set([429, 500, 502, 503, 504]);

/** A `fetch` that asks again after passing faults and limits; waits as long as the server asks it to. */
export function patientFetch(patience: Patience, send: typeof fetch): typeof fetch {
  const { signal, tries, longestWaitSeconds, onWait } = patience;
  return async (input, init) => {
    for (let attempt = 1; ; attempt++) {
      const isLast = attempt === tries;
      const reply = await attemptFetch(() => send(input, { ...init, signal }), signal, isLast);
      const wait = reply === null ? { reason: "the connection broke" } : await waitAsked(reply, patience);
      if (reply !== null && (wait === null || isLast)) return reply;
      const seconds = Math.min(wait?.seconds ?? attempt ** 2, longestWaitSeconds);
      onWait(seconds, wait?.reason ?? `it answered ${reply?.status}`);
      await reply?.body?.cancel();
      await sleep(seconds * 1000, undefined, { signal });
    }
  };
}

/** @returns `null` for a reply that is no passing fault */
async function waitAsked(reply: Response, { limitOf }: Patience): Promise<Partial<Limit> | null> {
  const limit = (await limitOf?.(reply)) ?? null;
  if (limit === null && !PASSING_STATUSES.has(reply.status)) return null;
  const milliseconds = readRetryAfter(reply.headers, Date.now());
  return { ...limit, ...(milliseconds !== null && { seconds: Math.ceil(milliseconds / 1000) }) };
}

/** @returns `null` for a passing fault of the connection */
async function attemptFetch(
  send: () => Promise<Response>,
  signal: AbortSignal,
  isLast: boolean,
): Promise<Response | null> {
  try {
    return await send();
  } catch (error) {
    if (signal.aborted || isLast || isUnreachable(error) || error instanceof RefusedBody) throw error;
    return null;
  }
}
