import { z } from "zod";
import type { PromptMode } from "../model.js";
import { type CompletionRequest, type Embedding, isThinking, type Think } from "../requests.js";
import type { ThinkingStyle } from "../vendor/vendors.js";
import { chatWay, type LimitName } from "../wire/chat-wire.js";
import { RESPONSES, responsesRequest, SEALED_THOUGHTS } from "../wire/responses-api.js";
import {
  type CompletionWay,
  type ConversationWay,
  type EmbeddingWay,
  embeddingOf,
  type InfillWay,
} from "../wire/ways.js";
import { talkThinking } from "./letter-ways.js";
import type { ServerFacts, ServerKind } from "./openai-server.js";

/** Facts that every way depends on. */
interface TextWayOptions {
  readonly model: string;
  readonly mode: PromptMode;
  readonly server: Pick<ServerFacts, "kind">;
  /** `true` where the Responses API may be the only one of a model. */
  readonly hasResponses?: boolean;
  readonly style: ThinkingStyle;
  /** Thoughts that are asked for before each text or message; absent: nothing is said of them. */
  readonly think: Think | undefined;
}

/** Names of the limit: OpenAI's newer models take it by the newer name alone, which others do not know. */
function limitsOf(kind: ServerKind): readonly LimitName[] {
  return kind === "other" ? ["max_tokens", "max_completion_tokens"] : ["max_tokens"];
}

/** The ways to have a prompt continued, best first: in chat mode as one user message, else as raw text. */
export function completionWays({
  model,
  mode,
  server: { kind },
  hasResponses,
  style,
  think,
}: TextWayOptions): CompletionWay[] {
  if (mode === "chat") {
    const { fields, keeps, room } = talkThinking(style, think);
    const ways = limitsOf(kind).map(
      (limit): CompletionWay => ({
        name: `chat completions, ${limit}`,
        keeps: [limit, ...keeps],
        request: (prompt, request) => {
          const messages = [{ role: "user", content: prompt }];
          const body = { model, messages, [limit]: request.maxTokens + room, ...fields, ...sampling(kind, request) };
          return { path: "/chat/completions", body };
        },
      }),
    );
    const last = ways.at(-1);
    if (!hasResponses || last === undefined) return ways;
    const request: CompletionWay["request"] = (...asked) => responsesRequest(last.request(...asked));
    return [...ways, { name: RESPONSES, request, keeps: isThinking(think) ? ["reasoning"] : [] }];
  }
  const isOwn = kind === "llama.cpp";
  return [
    {
      name: isOwn ? "/completion" : "completions",
      request: (prompt, request) =>
        isOwn
          ? { path: "/completion", body: { prompt, n_predict: request.maxTokens, ...sampling(kind, request) } }
          : {
              path: "/completions",
              body: { model, prompt, max_tokens: request.maxTokens, ...sampling(kind, request) },
            },
    },
  ];
}

/** The way to have a gap filled: llama.cpp's `/infill`, elsewhere legacy completions with `suffix`. */
export function infillWay({ model, server: { kind } }: Pick<TextWayOptions, "model" | "server">): InfillWay {
  const isOwn = kind === "llama.cpp";
  return {
    name: isOwn ? "/infill" : "completions with suffix",
    request: ({ prompt, suffix, ...request }) => {
      const drawn = sampling(kind, request);
      const own = { input_prefix: prompt, input_suffix: suffix, n_predict: request.maxTokens, ...drawn };
      const legacy = { model, prompt, suffix, max_tokens: request.maxTokens, ...drawn };
      return isOwn ? { path: "/infill", body: own } : { path: "/completions", body: legacy };
    },
  };
}

/** The way to have a text made a vector. */
export function embeddingWay({ model }: Pick<TextWayOptions, "model">): EmbeddingWay {
  return {
    name: "embeddings",
    request: (input) => ({ path: "/embeddings", body: { model, input, encoding_format: "float" } }),
    read: readListedVector,
  };
}

const listed = z.looseObject({ data: z.tuple([z.looseObject({ embedding: z.array(z.number()).min(1) })]) });

/** The one vector of an `/embeddings` reply; `null` without. Servers do not say how they pool a text's token states. */
export function readListedVector(reply: unknown): Embedding | null {
  const { data } = listed.safeParse(reply);
  return data === undefined ? null : embeddingOf(data.data[0].embedding, "as the server makes it");
}

/** The ways to continue a conversation, best first. */
export function conversationWays(options: TextWayOptions): ConversationWay[] {
  const { model, server, hasResponses, style, think } = options;
  const { kind } = server;
  const isOpen = kind !== "other";
  const thinking = talkThinking(style, think);
  const ways = limitsOf(kind).map((limit) =>
    chatWay({ model, path: "/chat/completions", limit, alwaysSeed: isOpen, takesOneCall: isOpen, thinking }),
  );
  const last = ways.at(-1);
  if (!hasResponses || last === undefined) return ways;
  const { handedBack, isAsked } = thinking;
  const request: ConversationWay["request"] = (asked) => {
    const sent = responsesRequest(last.request(asked));
    return isAsked ? { ...sent, body: { ...sent.body, ...SEALED_THOUGHTS } } : sent;
  };
  const keeps = isAsked ? ["reasoning"] : [];
  return [...ways, { name: `${RESPONSES} with tools`, request, thinks: isAsked, handedBack, keeps }];
}

/** Seeds below this are taken as they are by every server; llama.cpp draws one of its own for the largest. */
const SEEDS = 2 ** 31;

/**
 * Parameters by which tokens are drawn from the model's own distribution at this temperature, of the `topK` most
 * probable. What a server would add of itself (llama.cpp: top-k 40, top-p 0.95, min-p 0.05; vLLM: the model's own
 * generation settings, such as a repetition penalty, which changes even a greedy text) is turned off where it can be.
 */
function sampling(kind: ServerKind, { temperature, topK, seed, stop }: Omit<CompletionRequest, "prompt">) {
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
        // The contents of the cache move the numbers a little, and a text with them.
        cache_prompt: false,
      };
    case "vllm":
      return { ...common, ...own, top_k: topK ?? -1, top_p: 1, min_p: 0, repetition_penalty: 1 };
    case "other":
      // Not every server knows `seed`; a greedy text needs none.
      return temperature > 0 ? { ...common, ...own } : common;
  }
}
