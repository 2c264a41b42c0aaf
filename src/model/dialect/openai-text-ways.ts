import type { PromptMode } from "../model.js";
import type { CompletionRequest } from "../requests.js";
import { chatWay } from "../wire/chat-wire.js";
import { readListedVector } from "../wire/vector-reply.js";
import type { CompletionWay, ConversationWay, EmbeddingWay, InfillWay } from "../wire/ways.js";
import type { ServerFacts, ServerKind } from "./openai-server.js";

/** What every request needs to know. */
interface CompletionWayOptions {
  readonly model: string;
  readonly mode: PromptMode;
  readonly server: Pick<ServerFacts, "kind">;
}

type Body = Readonly<Record<string, unknown>>;

/** The ways to have a prompt continued, best first: in chat mode as one user message, else as raw text. */
export function completionWays({ model, mode, server: { kind } }: CompletionWayOptions): CompletionWay[] {
  if (mode === "chat") {
    const chat = (limit: string): CompletionWay => ({
      name: `chat completions, ${limit}`,
      request: (prompt, request) => ({
        path: "/chat/completions",
        body: {
          model,
          messages: [{ role: "user", content: prompt }],
          [limit]: request.maxTokens,
          ...sampling(kind, request),
        },
      }),
    });
    // OpenAI's newer models take the limit only by its newer name, which others do not know.
    return kind === "other" ? [chat("max_tokens"), chat("max_completion_tokens")] : [chat("max_tokens")];
  }
  if (kind === "llama.cpp") return [llamaWay];
  return [
    {
      name: "completions",
      request: (prompt, request) => ({
        path: "/completions",
        body: { model, prompt, max_tokens: request.maxTokens, ...sampling(kind, request) },
      }),
    },
  ];
}

const llamaWay: CompletionWay = {
  name: "/completion",
  request: (prompt, request) => ({
    path: "/completion",
    body: { prompt, n_predict: request.maxTokens, ...sampling("llama.cpp", request) },
  }),
};

/** The way to have a gap filled: llama.cpp's `/infill`, elsewhere legacy completions with `suffix`. */
export function infillWays({ model, server: { kind } }: CompletionWayOptions): InfillWay[] {
  if (kind === "llama.cpp") {
    const name = "/infill";
    return [
      {
        name,
        request: ({ prompt, suffix, ...request }) => ({
          path: name,
          body: {
            input_prefix: prompt,
            input_suffix: suffix,
            n_predict: request.maxTokens,
            ...sampling(kind, request),
          },
        }),
      },
    ];
  }
  return [
    {
      name: "completions with suffix",
      request: ({ prompt, suffix, ...request }) => ({
        path: "/completions",
        body: { model, prompt, suffix, max_tokens: request.maxTokens, ...sampling(kind, request) },
      }),
    },
  ];
}

/** The way to have a text made a vector. */
export function embeddingWays({ model }: CompletionWayOptions): EmbeddingWay[] {
  return [
    {
      name: "embeddings",
      request: (input) => ({ path: "/embeddings", body: { model, input, encoding_format: "float" } }),
      read: readListedVector,
    },
  ];
}

/** The ways to have a conversation: OpenAI's newer models take the limit only by its newer name, which others do not know. */
export function conversationWays({ model, server: { kind } }: CompletionWayOptions): ConversationWay[] {
  const way = (limit: "max_tokens" | "max_completion_tokens") =>
    chatWay({ model, path: "/chat/completions", limit, alwaysSeed: kind !== "other", takesOneCall: kind !== "other" });
  return kind === "other" ? [way("max_tokens"), way("max_completion_tokens")] : [way("max_tokens")];
}

/** Seeds below this are taken as they are by every server; llama.cpp draws one of its own for the largest. */
const SEEDS = 2 ** 31;

/**
 * How tokens are drawn: from the model's own distribution at this temperature, of the `topK` most probable. What a
 * server would add of itself (llama.cpp: top-k 40, top-p 0.95, min-p 0.05; vLLM: the model's own generation
 * settings, such as a repetition penalty, which changes even a greedy text) is turned off where it can be.
 */
function sampling(kind: ServerKind, { temperature, topK, seed, stop }: Omit<CompletionRequest, "prompt">): Body {
  const common = { temperature, ...(stop.length > 0 && { stop }) };
  const own = { seed: ((seed % SEEDS) + SEEDS) % SEEDS };
  switch (kind) {
    case "llama.cpp":
      return {
        ...common,
        ...own,
        top_k: topK ?? 0,
        samplers: ["top_k", "temperature"],
        mirostat: 0,
        // What the cache holds moves the numbers a little, and a text with them.
        cache_prompt: false,
      };
    case "vllm":
      return { ...common, ...own, top_k: topK ?? -1, top_p: 1, min_p: 0, repetition_penalty: 1 };
    case "other":
      // Not every server knows `seed`; a greedy text needs none.
      return temperature > 0 ? { ...common, ...own } : common;
  }
}
