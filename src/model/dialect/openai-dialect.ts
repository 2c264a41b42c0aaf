import OpenAI from "openai";
import { USUAL_OPTIONS } from "../../base/symbol.js";
import type { Think } from "../requests.js";
import { serverRoot } from "../server/server-access.js";
import type { Transport } from "../server/server-channel.js";
import { readJsonReply, type WireAccess } from "../server/server-reader.js";
import type { Vendor } from "../vendor/vendors.js";
import { chatReplyOf } from "../wire/responses-api.js";
import type { ThinkWay } from "../wire/ways.js";
import type { Dialect } from "./dialect.js";
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
    thinks: isOn(options.think) ? await thinkWay(server) : null,
    style: server.kind === "other" ? (vendor.thinking ?? "effort") : "template",
    think: options.think,
  } as const;
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
      // Thoughts stand in a text that is continued, whatever the prompt mode.
      return { transport, encode: promptEncoder(server, asked.thinks === null ? mode : "completion", transport) };
    },
    countTokens: tokenCounter(read, server, model, mode),
  };
};

function isOn(think: Think | undefined): boolean {
  return think !== undefined && think !== "off";
}

/** Thoughts at a server that continues texts: llama.cpp's, whose template speaks of them; `null`: at no other. */
async function thinkWay({ template, report }: ServerFacts): Promise<ThinkWay | null> {
  if (template === undefined) return null;
  const { llamaThinkWay } = await import("./llama-think-way.js");
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
    const client = clients.get(baseUrl) ?? newClient(baseUrl, access, vendor);
    clients.set(baseUrl, client);
    return client;
  };
  return (baseUrl, { path, body }, signal) => {
    const url = ROOT_PATHS.has(path) ? `${serverRoot(baseUrl)}${path}` : path;
    const sent = () => clientOf(baseUrl).post(url, { body, signal }).asResponse();
    const reply = readJsonReply(sent, access.redact);
    return path === "/responses" ? reply.then(chatReplyOf) : reply;
  };
}

function newClient(baseURL: string, { apiKey, timeoutMs, fetch: send }: WireAccess, vendor: Vendor): OpenAI {
  return new OpenAI({
    baseURL,
    apiKey: apiKey ?? "none",
    maxRetries: 0,
    timeout: timeoutMs,
    fetch: passingErrors(withOwnHeaders(send, apiKey, vendor)),
    logLevel: "off",
  });
}

/** Headers of the package that any server may have. */
const PLAIN_HEADERS = ["accept", "content-type", "user-agent"];

/**
 * The package takes headers from the environment (`OPENAI_ADMIN_KEY` in place of the key, `OPENAI_CUSTOM_HEADERS`,
 * `OPENAI_ORG_ID`, `OPENAI_PROJECT_ID`), whatever the server. Here a server has the key that is meant for it, and the
 * vendor's own service the account too.
 */
function withOwnHeaders(send: typeof fetch, apiKey: string | null, vendor: Vendor): typeof fetch {
  return (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    const isOwn = new URL(url).origin === new URL(vendor.baseUrl).origin;
    const names = [...PLAIN_HEADERS, ...((isOwn && vendor.accountHeaders) || [])];
    const headers = new Headers([...new Headers(init?.headers)].filter(([name]) => names.includes(name)));
    if (apiKey !== null) headers.set("authorization", `Bearer ${apiKey}`);
    return send(input, { ...init, headers });
  };
}

/**
 * The package makes errors of replies with an error status, and keeps of their body what lies under `error`: where others
 * put theirs (vLLM before 0.10, FastAPI) and the codes are lost. Here it passes them on, and `readJsonReply` judges them.
 */
function passingErrors(send: typeof fetch): typeof fetch {
  return async (input, init) => Object.defineProperty(await send(input, init), "ok", { value: true });
}
