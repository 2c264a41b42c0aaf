import { z } from "zod";
import type { PromptMode } from "../model.js";
import { type SequenceReading, sequenceFault, sequenceScores } from "../wire/sequence-scores.js";
import { readFeatures } from "../wire/vector-reply.js";
import type { CompletionWay, EmbeddingWay, ExtractionWay, SequenceWay, WirePrompt, WireRequest } from "../wire/ways.js";

/** Chat completions report up to 20; TGI reports 5 unless it was started with more. */
const CHAT_LISTS = [20, 5] as const;
const TGI_LIST = 5;

/** The ways a Hugging Face endpoint may offer, best first: chat completions, or TGI's own `/generate` for raw text. */
export function huggingfaceWays(mode: PromptMode, topLogprobs: number | null): ExtractionWay[] {
  if (mode === "chat") return (topLogprobs === null ? CHAT_LISTS : [topLogprobs]).map(chatListWay);
  return [tgiWay(topLogprobs ?? TGI_LIST)];
}

function chatListWay(listLength: number): ExtractionWay {
  return {
    name: `chat completion, top_logprobs ${listLength}`,
    extraction: "top_logprobs",
    isGuided: false,
    listLength,
    request: (prompt) => chatRequest(prompt, { logprobs: true, top_logprobs: listLength }),
  };
}

function tgiWay(listLength: number): ExtractionWay {
  const parameters = { max_new_tokens: 1, do_sample: false, details: true, top_n_tokens: listLength };
  return {
    name: `TGI /generate, top_n_tokens ${listLength}`,
    extraction: "top_logprobs",
    isGuided: false,
    listLength,
    request: (prompt) => ({ path: "/generate", body: { inputs: prompt, parameters } }),
  };
}

/** The letter the endpoint writes, without probabilities. */
export function generatedWay(mode: PromptMode): ExtractionWay {
  return {
    name: "generated letter",
    extraction: "generated",
    isGuided: false,
    listLength: 0,
    request: (prompt) =>
      mode === "chat"
        ? chatRequest(prompt, {})
        : { path: "/generate", body: { inputs: prompt, parameters: { max_new_tokens: 1, do_sample: false } } },
  };
}

function chatRequest(prompt: WirePrompt, more: Readonly<Record<string, unknown>>): WireRequest {
  return {
    path: "/chat",
    body: { messages: [{ role: "user", content: prompt }], max_tokens: 1, temperature: 0, ...more },
  };
}

/** The way to have a prompt continued: chat completions, or TGI's own `/generate` for raw text. */
export function completionWay(mode: PromptMode): CompletionWay {
  return mode === "chat" ? chatCompletionWay : generateWay;
}

const chatCompletionWay: CompletionWay = {
  name: "chat completion",
  request: (prompt, { maxTokens, temperature, seed, stop }) => ({
    path: "/chat",
    body: {
      messages: [{ role: "user", content: prompt }],
      max_tokens: maxTokens,
      temperature,
      ...(temperature > 0 && { seed }),
      ...(stop.length > 0 && { stop }),
    },
  }),
};

const generateWay: CompletionWay = {
  name: "TGI /generate",
  request: (inputs, { maxTokens, temperature, topK, seed, stop }) => ({
    path: "/generate",
    body: {
      inputs,
      parameters: {
        max_new_tokens: maxTokens,
        do_sample: temperature > 0,
        ...(temperature > 0 && { temperature, seed, ...(topK !== null && { top_k: topK }) }),
        ...(stop.length > 0 && { stop }),
        details: true,
        return_full_text: false,
      },
    },
  }),
};

/** Feature extraction: of the endpoint, or of the hub's Inference Providers. */
export const featureWay: EmbeddingWay = {
  name: "feature extraction",
  request: (inputs) => ({ path: "/feature-extraction", body: { inputs } }),
  read: readFeatures,
};

/** The way to have a raw text scored by TGI: `/generate` with the details of the prompt's tokens. */
export const prefillWay: SequenceWay = {
  name: "TGI /generate, decoder_input_details",
  request: (inputs) => ({
    path: "/generate",
    body: { inputs, parameters: { max_new_tokens: 1, do_sample: false, details: true, decoder_input_details: true } },
  }),
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
