import OpenAI, { APIConnectionError, APIError } from "openai";
import { errorOfConnection, errorOfContent, errorOfReply, type RequestError } from "../http/request-error.js";
import { OPENAI } from "../openai/own-service.js";
import { serverRoot } from "../server/server-access.js";
import type { Transport } from "../server/server-channel.js";
import type { WireReply } from "../wire/ways.js";

interface TransportOptions {
  readonly apiKey: string | null;
  readonly timeoutMs: number;
  readonly fetch: typeof fetch;
  readonly redact: (text: string) => string;
}

const ROOT_PATHS = new Set(["/completion", "/infill", "/tokenize"]);

/** Sends requests by the `openai` package: one client a server, no tries of its own (the endpoint counts them). */
export function openaiTransport(options: TransportOptions): Transport {
  const clients = new Map<string, OpenAI>();
  const clientOf = (baseUrl: string) => {
    const client = clients.get(baseUrl) ?? newClient(baseUrl, options);
    clients.set(baseUrl, client);
    return client;
  };
  return async (baseUrl, { path, body }, signal) => {
    // llama.cpp's own endpoints lie beside the API's base.
    const url = ROOT_PATHS.has(path) ? `${serverRoot(baseUrl)}${path}` : path;
    const send = () => clientOf(baseUrl).post(url, { body, signal }).asResponse();
    return readReply(await orRequestError(send, options.redact), options.redact);
  };
}

function newClient(baseURL: string, { apiKey, timeoutMs, fetch }: TransportOptions): OpenAI {
  return new OpenAI({
    baseURL,
    apiKey: apiKey ?? "none",
    maxRetries: 0,
    timeout: timeoutMs,
    fetch: keepingErrorBody(withOwnHeaders(fetch, apiKey)),
    logLevel: "off",
  });
}

/** Headers of the package's that any server may have. */
const PLAIN_HEADERS = ["accept", "content-type", "user-agent"];
/** What says whose account it is; from the environment. */
const ACCOUNT_HEADERS = ["openai-organization", "openai-project"];

/**
 * The package takes headers from the environment (`OPENAI_ADMIN_KEY` in place of the key, `OPENAI_CUSTOM_HEADERS`,
 * `OPENAI_ORG_ID`, `OPENAI_PROJECT_ID`), whatever the server. Here a server has the key that is meant for it, and its
 * own service the account too.
 */
function withOwnHeaders(send: typeof fetch, apiKey: string | null): typeof fetch {
  return (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    const isOwn = new URL(url).origin === new URL(OPENAI.url).origin;
    const given = new Headers(init?.headers);
    const names = isOwn ? [...PLAIN_HEADERS, ...ACCOUNT_HEADERS] : PLAIN_HEADERS;
    const headers = new Headers([...given].filter(([name]) => names.includes(name)));
    if (apiKey !== null) headers.set("authorization", `Bearer ${apiKey}`);
    return send(input, { ...init, headers });
  };
}

/**
 * The package keeps of an error's body what lies under `error`, and of that the message: where others put theirs (vLLM
 * before 0.10, FastAPI) and the codes are lost. Here the whole body is made that message.
 */
function keepingErrorBody(send: typeof fetch): typeof fetch {
  return async (input, init) => {
    const response = await send(input, init);
    if (response.ok) return response;
    const message = await response.text();
    const { status, headers } = response;
    return new Response(message === "" ? null : JSON.stringify({ error: { message } }), { status, headers });
  };
}

async function orRequestError<T>(send: () => Promise<T>, redact: (text: string) => string): Promise<T> {
  try {
    return await send();
  } catch (error) {
    throw toRequestError(error, redact);
  }
}

function toRequestError(error: unknown, redact: (text: string) => string): RequestError {
  if (error instanceof APIError && !(error instanceof APIConnectionError) && error.status !== undefined) {
    // The package's message is the status and the body.
    const body = redact(error.message.replace(/^\d{3}\s*/, ""));
    return errorOfReply(error.status, body, error.headers ?? new Headers(), Date.now());
  }
  return errorOfConnection(error, redact);
}

async function readReply(response: Response, redact: (text: string) => string): Promise<WireReply> {
  let text: string;
  try {
    text = await response.text();
  } catch (error) {
    throw errorOfConnection(error, redact);
  }
  try {
    const json: unknown = JSON.parse(text);
    return { json, text: redact(text) };
  } catch {
    throw errorOfContent("not JSON", redact(text));
  }
}
