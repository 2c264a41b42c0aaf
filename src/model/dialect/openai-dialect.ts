import type OpenAI from "openai";
import { USUAL_OPTIONS } from "../../base/symbol.js";
import type { BatchAccess } from "../batch/result-lines.js";
import { isThinking } from "../requests.js";
import { serverRoot } from "../server/server-access.js";
import type { Transport } from "../server/server-channel.js";
import { type ReadJson, readJsonReply, type WireAccess } from "../server/server-reader.js";
import type { Vendor } from "../vendor/vendors.js";
import { joinedParts } from "../wire/chat-wire.js";
import { chatReplyOf } from "../wire/responses-api.js";
import type { Changeable, ThinkWay } from "../wire/ways.js";
import type { Dialect } from "./dialect.js";
import { thinkFields } from "./letter-ways.js";
import { openaiClient } from "./openai-client.js";
import { sequenceWays } from "./openai-sequence-ways.js";
import { learnServer, promptEncoder, type ServerFacts, tokenCounter } from "./openai-server.js";
import { symbolWays } from "./openai-symbol-ways.js";
import { completionWays, conversationWays, embeddingWay, infillWay } from "./openai-text-ways.js";

/** OpenAI's API: of OpenAI, vLLM, llama.cpp's server, SGLang, LM Studio, Ollama and many vendors. */
export const openaiDialect: Dialect = async ({ vendor, options, settings, read }) => {
  const { name, promptMode: mode } = options;
  const server = await learnServer(read, name, Math.max(options.optionCount ?? 0, USUAL_OPTIONS));
  // `auto` is the first model that the server lists.
  const model = name === "auto" ? (server.models[0] ?? name) : name;
  const asked = {
    model,
    mode,
    server,
    topLogprobs: settings.topLogprobs ?? null,
    hasResponses: server.kind === "other" && vendor.hasResponses === true,
    thinks: isThinking(options.think) ? await thinkWay(read, model, server) : null,
    style: server.kind === "other" ? (vendor.thinking ?? "effort") : "template",
    think: options.think,
  } as const;
  const conversations = conversationWays(asked);
  const isOff = options.offByDefault === true && options.think === undefined && mode === "chat";
  const quiet = isOff ? ({ ...asked, think: "off" } as const) : asked;
  // The Responses API has the effort under a name of its own.
  const off = [...Object.keys(thinkFields(asked.style, "off")), "reasoning"];
  const unasked = <W extends Changeable>(ways: readonly W[]) => (isOff ? ways.map((way) => ({ ...way, off })) : ways);
  return {
    model,
    report: server.report,
    ways: {
      symbols: unasked(symbolWays(quiet)),
      token_scores: sequenceWays(asked),
      completions: unasked(completionWays(quiet)),
      infill: [infillWay(asked)],
      embeddings: [embeddingWay(asked)],
      conversations,
      tools: conversations,
    },
    connect: (access) => {
      const transport = openaiTransport(access, vendor);
      // Thoughts stand in a text that is continued, whatever the prompt mode.
      return { transport, encode: promptEncoder(server, asked.thinks === null ? mode : "completion", transport) };
    },
    countTokens: tokenCounter(read, server, { model, mode, thinks: asked.thinks, think: quiet.think }),
    ...(asked.thinks !== null && { sendsAgain: true }),
    ...(server.kind === "other" && {
      batches: async (access: BatchAccess) =>
        (await import("../batch/openai-batches.js")).openaiBatches(access, vendor),
    }),
  };
};

/** Thoughts at a server that continues texts, where its template speaks of them; `null`: at no other. */
async function thinkWay(read: ReadJson, model: string, server: ServerFacts): Promise<ThinkWay | null> {
  const { template, report, kind, contextSize = null } = server;
  if (kind === "vllm" || report["owner"] === "sglang") {
    const { completionsThinkWay } = await import("./think-ways.js");
    return completionsThinkWay(read, { model, contextSize });
  }
  if (template === undefined) return null;
  const { llamaThinkWay } = await import("./think-ways.js");
  return llamaThinkWay(template, typeof report["context_size"] === "number" ? report["context_size"] : null);
}

/** Paths of llama.cpp's own endpoints, which lie beside the API's base. */
const ROOT_PATHS: ReadonlySet<string> = new Set([
  "/completion",
  "/infill",
  "/tokenize",
  "/detokenize",
  "/apply-template",
]);

/** Sends requests by the `openai` package: one client a server, no tries of its own (the endpoint counts them). */
export function openaiTransport(access: WireAccess, vendor: Vendor): Transport {
  const clients = new Map<string, OpenAI>();
  const clientOf = (baseUrl: string) => {
    const client = clients.get(baseUrl) ?? openaiClient(baseUrl, access, { vendor, passesErrors: true });
    clients.set(baseUrl, client);
    return client;
  };
  return (baseUrl, { path, body }, signal) => {
    const url = ROOT_PATHS.has(path) ? `${serverRoot(baseUrl)}${path}` : path;
    const sent = () => clientOf(baseUrl).post(url, { body, signal }).asResponse();
    const reply = readJsonReply(sent, access.redact);
    if (path === "/chat/completions") return reply.then(joinedParts);
    return path === "/responses" ? reply.then(chatReplyOf) : reply;
  };
}
