import { InferenceClient, InferenceClientProviderApiError } from "@huggingface/inference";
import { z } from "zod";
import { messageOf } from "../../domain/errors.js";
import { errorOfConnection, errorOfContent, errorOfReply, type RequestError } from "../http/request-error.js";
import { serverRoot } from "../server-address.js";
import type { Transport, WireReply } from "../server-model.js";

export interface TransportOptions {
  readonly apiKey: string | null;
  readonly timeoutMs: number;
  readonly fetch: typeof fetch;
  readonly redact: (text: string) => string;
  /** Model on the hub, for Inference Providers. */
  readonly model: string;
  /** Whether the base URL is an endpoint of its own, rather than the Inference Providers. */
  readonly isEndpoint: boolean;
}

/** Sends chat completions by `@huggingface/inference`, and TGI's `/generate`, whose details that package drops, itself. */
export function huggingfaceTransport(options: TransportOptions): Transport {
  const client = inferenceClient(options.apiKey);
  return async (baseUrl, { path, body }, signal) => {
    const bounded = AbortSignal.any([signal, AbortSignal.timeout(options.timeoutMs)]);
    if (path === "/generate") return postJson(`${serverRoot(baseUrl)}${path}`, body, bounded, options);
    const where = options.isEndpoint ? { endpointUrl: serverRoot(baseUrl) } : { model: options.model };
    try {
      const { logprobs, top_logprobs, ...plain } = chatBody.parse(body);
      const chat = { ...plain, ...(logprobs && { logprobs, top_logprobs }), ...where, model: options.model };
      const json = await client.chatCompletion(chat, { fetch: options.fetch, signal: bounded, retry_on_error: false });
      return { json, text: options.redact(JSON.stringify(json)) };
    } catch (error) {
      throw toRequestError(error, options.redact);
    }
  };
}

/** What `chatRequest` makes, in the package's types. */
const chatBody = z.object({
  messages: z.array(z.object({ role: z.string(), content: z.string() })),
  max_tokens: z.number(),
  temperature: z.number(),
  logprobs: z.boolean().default(false),
  top_logprobs: z.number().default(0),
});

/** A client that sends a key only where there is one. */
export function inferenceClient(apiKey: string | null): InferenceClient {
  return new InferenceClient(apiKey ?? "");
}

async function postJson(
  url: string,
  body: unknown,
  signal: AbortSignal,
  options: TransportOptions,
): Promise<WireReply> {
  let response: Response;
  let text: string;
  try {
    response = await options.fetch(url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...(options.apiKey !== null && { authorization: `Bearer ${options.apiKey}` }),
      },
      body: JSON.stringify(body),
      signal,
    });
    text = await response.text();
  } catch (error) {
    throw errorOfConnection(error, options.redact);
  }
  if (!response.ok) throw errorOfReply(response.status, options.redact(text), response.headers, Date.now());
  try {
    const json: unknown = JSON.parse(text);
    return { json: Array.isArray(json) ? json[0] : json, text: options.redact(text) };
  } catch {
    throw errorOfContent("not JSON", options.redact(text));
  }
}

/** What the package throws: with the reply where there was one. */
export function toRequestError(error: unknown, redact: (text: string) => string): RequestError {
  if (error instanceof InferenceClientProviderApiError) {
    const { status, body } = error.httpResponse;
    return errorOfReply(
      status,
      redact(typeof body === "string" ? body : JSON.stringify(body)),
      new Headers(),
      Date.now(),
    );
  }
  if (error instanceof SyntaxError || (error instanceof Error && error.name === "InferenceClientProviderOutputError")) {
    return errorOfContent("not a chat completion", redact(messageOf(error)));
  }
  return errorOfConnection(error, redact);
}
