import { InferenceClient, InferenceClientProviderApiError } from "@huggingface/inference";
import { z } from "zod";
import { messageOf } from "../../base/errors.js";
import { errorOfConnection, errorOfContent, errorOfReply, type RequestError } from "../http/request-error.js";
import { serverRoot } from "../server/server-access.js";
import type { Transport } from "../server/server-channel.js";
import type { WireReply } from "../wire/ways.js";

interface TransportOptions {
  readonly apiKey: string | null;
  readonly timeoutMs: number;
  readonly fetch: typeof fetch;
  readonly redact: (text: string) => string;
  /** Model on the hub, for Inference Providers. */
  readonly model: string;
  /** Whether the base URL is an endpoint of its own, rather than the Inference Providers. */
  readonly isEndpoint: boolean;
}

/**
 * Sends chat completions and feature extraction by `@huggingface/inference`, and TGI's `/generate`, whose details that
 * package drops, itself.
 */
export function huggingfaceTransport(options: TransportOptions): Transport {
  const client = inferenceClient(options.apiKey);
  return async (baseUrl, { path, body }, signal) => {
    const bounded = AbortSignal.any([signal, AbortSignal.timeout(options.timeoutMs)]);
    if (path === "/generate") return postJson(`${serverRoot(baseUrl)}${path}`, body, bounded, options);
    const where = options.isEndpoint ? { endpointUrl: serverRoot(baseUrl) } : { model: options.model };
    // What the package throws has the reply's body, and not its headers.
    let headers = new Headers();
    const fetch: typeof options.fetch = async (input, init) => {
      const response = await options.fetch(input, init);
      headers = response.headers;
      return response;
    };
    const how = { fetch, signal: bounded, retry_on_error: false };
    try {
      const json: unknown =
        path === "/feature-extraction"
          ? await client.featureExtraction({ ...featuresBody.parse(body), ...where }, how)
          : await client.chatCompletion({ ...chatOf(body), ...where, model: options.model }, how);
      return { json, text: options.redact(JSON.stringify(json)) };
    } catch (error) {
      throw toRequestError(error, options.redact, headers);
    }
  };
}

/** What the ways of this provider make, in the package's types. */
const toolCall = z.object({
  id: z.string(),
  type: z.literal("function"),
  function: z.object({ name: z.string(), arguments: z.string() }),
});
const chatBody = z.object({
  messages: z.array(
    z.object({
      role: z.string(),
      content: z.string(),
      tool_calls: z.array(toolCall).exactOptional(),
      tool_call_id: z.string().exactOptional(),
    }),
  ),
  tools: z
    .array(
      z.object({
        type: z.literal("function"),
        function: z.object({
          name: z.string(),
          description: z.string(),
          parameters: z.record(z.string(), z.unknown()),
        }),
      }),
    )
    .exactOptional(),
  tool_choice: z.enum(["auto", "none", "required"]).exactOptional(),
  response_format: z.object({ type: z.literal("json_object") }).exactOptional(),
  max_tokens: z.number(),
  temperature: z.number(),
  logprobs: z.boolean().default(false),
  top_logprobs: z.number().default(0),
  stop: z.array(z.string()).default([]),
  seed: z.number().nullable().default(null),
});
const featuresBody = z.object({ inputs: z.string() });

function chatOf(body: unknown) {
  const { logprobs, top_logprobs, stop, seed, ...plain } = chatBody.parse(body);
  return {
    ...plain,
    ...(logprobs && { logprobs, top_logprobs }),
    ...(stop.length > 0 && { stop }),
    ...(seed !== null && { seed }),
  };
}

/** A client that sends a key only where there is one. */
function inferenceClient(apiKey: string | null): InferenceClient {
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
function toRequestError(error: unknown, redact: (text: string) => string, headers: Headers): RequestError {
  if (error instanceof InferenceClientProviderApiError) {
    const { status, body } = error.httpResponse;
    return errorOfReply(status, redact(typeof body === "string" ? body : JSON.stringify(body)), headers, Date.now());
  }
  if (error instanceof SyntaxError || (error instanceof Error && error.name === "InferenceClientProviderOutputError")) {
    return errorOfContent("not what was asked for", redact(messageOf(error)));
  }
  return errorOfConnection(error, redact);
}
