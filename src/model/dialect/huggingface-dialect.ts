import { InferenceClient } from "@huggingface/inference";
import { z } from "zod";
import { messageOf } from "../../base/errors.js";
import { errorOfConnection, errorOfContent, errorOfReply, type RequestError } from "../http/request-error.js";
import type { PromptMode } from "../model.js";
import type { Embedding } from "../requests.js";
import { serverRoot } from "../server/server-access.js";
import type { Transport } from "../server/server-channel.js";
import { requestJson, type WireAccess } from "../server/server-reader.js";
import { chatWay, type TalkThinking } from "../wire/chat-wire.js";
import { type SequenceReading, sequenceFault, sequenceScores } from "../wire/sequence-scores.js";
import {
  type CompletionWay,
  type EmbeddingWay,
  type ExtractionWay,
  embeddingOf,
  type Fields,
  generatedWay,
  listWay,
  type SequenceWay,
  type WirePrompt,
  type WireRequest,
} from "../wire/ways.js";
import type { Dialect } from "./dialect.js";
import { talkThinking } from "./letter-ways.js";

const endpointInfo = z.looseObject({
  model_id: z.string(),
  version: z.string().nullish(),
  model_sha: z.string().nullish(),
  /** Told by Text Embeddings Inference, not by TGI. */
  model_type: z.looseObject({}).nullish(),
});

/** Hugging Face Inference Providers (a model of the hub), Inference Endpoints and TGI (`--base-url`). */
export const huggingfaceDialect: Dialect = async ({ options, settings, isOwnService, read }) => {
  const { name: model, promptMode } = options;
  const info = isOwnService ? undefined : endpointInfo.safeParse(await read("/info")).data;
  const thinking = talkThinking("effort", options.think);
  const how = { alwaysSeed: false, takesOneCall: false, thinking };
  const talk = chatWay({ model, path: "/chat", limit: "max_tokens", ...how });
  return {
    model,
    report:
      info === undefined
        ? { kind: isOwnService ? "inference providers" : "endpoint" }
        : {
            kind: info.model_type == null ? "TGI" : "TEI",
            version: info.version ?? null,
            model: info.model_id,
            revision: info.model_sha ?? null,
          },
    ways: {
      symbols: symbolWays(promptMode, settings.topLogprobs ?? null),
      token_scores: isOwnService ? [] : [prefillWay],
      completions: [completionWay(promptMode, thinking)],
      infill: [],
      embeddings: [featureWay],
      conversations: [talk],
      tools: [talk],
    },
    connect: (access) => ({
      transport: huggingfaceTransport(access, model, !isOwnService),
      encode: (_, prompt) => Promise.resolve(prompt),
    }),
    countTokens: null,
  };
};

/** The bodies that the ways of this dialect make, in the package's types. */
const chatArguments = z.custom<Parameters<InferenceClient["chatCompletion"]>[0]>();
const featureArguments = z.custom<Parameters<InferenceClient["featureExtraction"]>[0]>();

/**
 * Sends chat completions and feature extraction by `@huggingface/inference`, and TGI's `/generate`, whose details that
 * package drops, itself.
 * @param isEndpoint `false`: the base URL is that of the Inference Providers, which take the model's name on the hub
 */
function huggingfaceTransport(access: WireAccess, model: string, isEndpoint: boolean): Transport {
  // Without a key it sends none.
  const client = new InferenceClient(access.apiKey ?? "");
  const fetch = throwingErrors(access);
  return async (baseUrl, { path, body }, signal) => {
    const root = serverRoot(baseUrl);
    if (path === "/generate") {
      const { json, text } = await requestJson(`${root}${path}`, body, access, signal);
      return { json: Array.isArray(json) ? (json[0] as unknown) : json, text };
    }
    const where = isEndpoint ? { endpointUrl: root } : { model };
    const bounded = AbortSignal.any([signal, AbortSignal.timeout(access.timeoutMs)]);
    const how = { fetch, signal: bounded, retry_on_error: false };
    try {
      const json: unknown =
        path === "/feature-extraction"
          ? await client.featureExtraction(featureArguments.parse({ ...body, ...where }), how)
          : await client.chatCompletion(chatArguments.parse({ ...body, ...where, model }), how);
      return { json, text: access.redact(JSON.stringify(json)) };
    } catch (error) {
      throw toRequestError(error, access.redact);
    }
  };
}

/** The errors that the package makes of replies with an error status have no headers: here they are thrown before. */
function throwingErrors({ fetch: send, redact }: WireAccess): typeof fetch {
  return async (input, init) => {
    const response = await send(input, init);
    if (response.ok) return response;
    throw errorOfReply(response.status, redact(await response.text()), response.headers, Date.now());
  };
}

function toRequestError(error: unknown, redact: WireAccess["redact"]): RequestError {
  const isOutput = error instanceof Error && error.name === "InferenceClientProviderOutputError";
  if (error instanceof SyntaxError || isOutput)
    return errorOfContent("not what was asked for", redact(messageOf(error)));
  return errorOfConnection(error, redact);
}

function chat(prompt: WirePrompt, fields: Fields): WireRequest {
  return { path: "/chat", body: { messages: [{ role: "user", content: prompt }], ...fields } };
}

/** TGI's own endpoint for raw text. */
function generate(inputs: WirePrompt, parameters: Fields): WireRequest {
  return { path: "/generate", body: { inputs, parameters } };
}

/** Chat completions report up to 20; TGI reports 5 unless it was started with more. */
const CHAT_LISTS = [20, 5] as const;
const TGI_LIST = 5;
const ONE_CHAT_TOKEN = { max_tokens: 1, temperature: 0 };
const ONE_TOKEN = { max_new_tokens: 1, do_sample: false };

/** The ways to an answer, best first: chat completions, or TGI's `/generate` for raw text. */
function symbolWays(mode: PromptMode, topLogprobs: number | null): ExtractionWay[] {
  if (mode === "chat") {
    const list = (count: number) =>
      listWay(`chat completion, top_logprobs ${count}`, count, (prompt) =>
        chat(prompt, { ...ONE_CHAT_TOKEN, logprobs: true, top_logprobs: count }),
      );
    const lists = topLogprobs === null ? CHAT_LISTS : [topLogprobs];
    return [...lists.map(list), generatedWay((prompt) => chat(prompt, ONE_CHAT_TOKEN))];
  }
  const count = topLogprobs ?? TGI_LIST;
  const list = listWay(`TGI /generate, top_n_tokens ${count}`, count, (prompt) =>
    generate(prompt, { ...ONE_TOKEN, details: true, top_n_tokens: count }),
  );
  return [list, generatedWay((prompt) => generate(prompt, ONE_TOKEN))];
}

/** The way to have a prompt continued: chat completions, or TGI's `/generate` for raw text, before which nobody thinks. */
export function completionWay(mode: PromptMode, { fields, keeps, room }: TalkThinking): CompletionWay {
  if (mode !== "chat") return generateWay;
  return {
    name: "chat completion",
    keeps,
    request: (prompt, { maxTokens, temperature, seed, stop }) =>
      chat(prompt, {
        max_tokens: maxTokens + room,
        temperature,
        ...fields,
        ...(temperature > 0 && { seed }),
        ...(stop.length > 0 && { stop }),
      }),
  };
}

const generateWay: CompletionWay = {
  name: "TGI /generate",
  request: (inputs, { maxTokens, temperature, topK, seed, stop }) =>
    generate(inputs, {
      max_new_tokens: maxTokens,
      do_sample: temperature > 0,
      ...(temperature > 0 && { temperature, seed, ...(topK !== null && { top_k: topK }) }),
      ...(stop.length > 0 && { stop }),
      details: true,
      return_full_text: false,
    }),
};

/** The way to have a raw text scored by TGI: `/generate` with the details of the prompt's tokens. */
export const prefillWay: SequenceWay = {
  name: "TGI /generate, decoder_input_details",
  request: (inputs) => generate(inputs, { ...ONE_TOKEN, details: true, decoder_input_details: true }),
  read: readPrefill,
};

const prefilled = z.looseObject({
  details: z.looseObject({
    prefill: z.array(
      z.looseObject({ id: z.number().int().nullish(), text: z.string(), logprob: z.number().nullish() }),
    ),
  }),
});

/** The prompt's tokens, BOS included; TGI does not tell which token would have been the most probable. */
export function readPrefill(reply: unknown, text: string): SequenceReading {
  const { data } = prefilled.safeParse(reply);
  if (data === undefined || data.details.prefill.length === 0)
    return sequenceFault(
      "reported no log probabilities for the prompt's tokens: it ignores decoder_input_details (TGI 3: start it without prefix caching)",
    );
  const entries = data.details.prefill.map(({ id, text: token, logprob }) => ({
    text: token,
    id: id ?? null,
    logprob: logprob ?? null,
    isGreedy: null,
  }));
  return sequenceScores(entries, text);
}

/** Feature extraction: of the endpoint, or of the hub's Inference Providers. */
const featureWay: EmbeddingWay = {
  name: "feature extraction",
  request: (inputs) => ({ path: "/feature-extraction", body: { inputs } }),
  read: readFeatures,
};

const vector = z.array(z.number()).min(1);
const matrix = z.array(vector).min(1);
const ENDPOINT_POOLING = "as the endpoint makes it";

/**
 * The vector of a feature extraction: as it is, or in a list of one (Text Embeddings Inference), as the endpoint makes
 * it; or a vector for each token, in a list of one or not, whose mean it is. `null` for anything else.
 */
export function readFeatures(reply: unknown): Embedding | null {
  const plain = vector.safeParse(reply).data;
  if (plain !== undefined) return embeddingOf(plain, ENDPOINT_POOLING);
  const states = matrix.safeParse(reply).data ?? z.tuple([matrix]).safeParse(reply).data?.[0];
  const [first, ...others] = states ?? [];
  if (first === undefined || states === undefined) return null;
  if (others.length === 0) return embeddingOf(first, ENDPOINT_POOLING);
  return others.every(({ length }) => length === first.length) ? embeddingOf(mean(states, first.length), "mean") : null;
}

function mean(states: readonly (readonly number[])[], length: number): number[] {
  return Array.from({ length }, (_, i) => states.reduce((sum, state) => sum + (state[i] ?? 0), 0) / states.length);
}
