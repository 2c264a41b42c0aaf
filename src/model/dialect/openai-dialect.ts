import { USUAL_OPTIONS } from "../../base/symbol.js";
import type { Dialect } from "./dialect.js";
import { sequenceWays } from "./openai-sequence-ways.js";
import { learnServer, promptEncoder, tokenCounter } from "./openai-server.js";
import { symbolWays } from "./openai-symbol-ways.js";
import { completionWays, conversationWays, embeddingWay, infillWay } from "./openai-text-ways.js";
import { openaiTransport } from "./openai-transport.js";

/** OpenAI's API: of OpenAI, vLLM, llama.cpp's server, SGLang, LM Studio, Ollama and many vendors. */
export const openaiDialect: Dialect = async ({ vendor, options, settings, read }) => {
  const { name, promptMode: mode } = options;
  const server = await learnServer(read, name, Math.max(options.optionCount ?? 0, USUAL_OPTIONS));
  // `auto` is the first model that the server lists.
  const model = name === "auto" ? (server.models[0] ?? name) : name;
  const asked = { model, mode, server, topLogprobs: settings.topLogprobs ?? null };
  const conversations = conversationWays(asked);
  return {
    model,
    report: server.report,
    ways: {
      symbols: symbolWays(asked),
      token_scores: sequenceWays(asked),
      completions: completionWays(asked),
      infill: [infillWay(asked)],
      embeddings: [embeddingWay(asked)],
      conversations,
      tools: conversations,
    },
    connect: (access) => {
      const transport = openaiTransport(access, vendor);
      return { transport, encode: promptEncoder(server, mode, transport) };
    },
    countTokens: tokenCounter(read, server, model, mode),
  };
};
