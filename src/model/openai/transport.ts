import OpenAI, { APIConnectionError, APIError } from "openai";
import type { WireReply } from "../extraction/way.js";
import { errorOfConnection, errorOfContent, errorOfReply, type RequestError } from "../http/request-error.js";
import { serverRoot } from "../server/server-address.js";
import type { Transport } from "../server/server-channel.js";

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
    fetch: keepingErrorBody(fetch),
    logLevel: "off",
    ...(apiKey === null && { defaultHeaders: { authorization: null } }),
  });
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
