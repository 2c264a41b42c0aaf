import { readFeatures } from "../extraction/vector-reply.js";
import type { CompletionWay, EmbeddingWay } from "../extraction/way.js";
import type { PromptMode } from "../model.js";

/** The way to have a prompt continued: chat completions, or TGI's own `/generate` for raw text. */
export function completionWay(mode: PromptMode): CompletionWay {
  return mode === "chat" ? chatWay : generateWay;
}

const chatWay: CompletionWay = {
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
