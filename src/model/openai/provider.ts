import { USUAL_OPTIONS } from "../../base/symbol.js";
import { sequenceWays } from "../dialect/openai-sequence-ways.js";
import { learnServer, promptEncoder, type ServerFacts, tokenCounter } from "../dialect/openai-server.js";
import { extractionWays, generatedWay } from "../dialect/openai-symbol-ways.js";
import { completionWays, conversationWays, embeddingWays, infillWays } from "../dialect/openai-text-ways.js";
import { openaiTransport } from "../dialect/openai-transport.js";
import { httpClient } from "../http/http-client.js";
import { redactor, replyRedactor } from "../http/secrets.js";
import type { Model, ModelProvider, OpenModelOptions } from "../model.js";
import { openServerModel } from "../server/open-server-model.js";
import { serverAccess } from "../server/server-access.js";
import { serverReader } from "../server/server-reader.js";
import { DEFAULT_CONCURRENCY, parseServerSettings, patienceOf } from "../server/server-settings.js";
import { OPENAI } from "./own-service.js";

/** Any server that speaks OpenAI's API: OpenAI, vLLM, llama.cpp's server, SGLang, LM Studio, Ollama. */
export const openaiProvider: ModelProvider = {
  async open(options: OpenModelOptions): Promise<Model> {
    const settings = parseServerSettings(options.settings);
    const { baseUrls, key, secrets } = await serverAccess(options, settings, OPENAI);
    const http = httpClient(options.connection.concurrency ?? DEFAULT_CONCURRENCY, replyRedactor(secrets));
    const timeoutMs = settings.timeoutSeconds * 1000;
    const redact = redactor(secrets);
    const read = serverReader(baseUrls[0] ?? OPENAI.url, {
      ...{ apiKey: key, fetch: http.freshFetch, redact },
      patience: patienceOf(options, settings),
      ...(options.signal && { signal: options.signal }),
    });
    const optionCount = Math.max(options.optionCount ?? 0, USUAL_OPTIONS);
    const server = await learnServer(read, options.name, optionCount).catch((error: unknown) => {
      http.close();
      throw error;
    });
    const model = chooseModel(options, server);
    const wayOptions = { model, mode: options.promptMode, server, topLogprobs: settings.topLogprobs ?? null };
    return openServerModel({
      options,
      settings,
      baseUrls,
      http,
      connect: (over) => {
        const transport = openaiTransport({ apiKey: key, timeoutMs, fetch: over, redact });
        return { transport, encode: promptEncoder(server, options.promptMode, transport) };
      },
      ways: {
        symbols: extractionWays(wayOptions),
        generated: generatedWay(wayOptions),
        tokenScores: sequenceWays(wayOptions),
        completions: completionWays(wayOptions),
        infill: infillWays(wayOptions),
        embeddings: embeddingWays(wayOptions),
        conversations: conversationWays(wayOptions),
      },
      report: server.report,
      identity: { provider: "openai", name: model },
      countTokens: tokenCounter(read, server, model, options.promptMode),
    });
  },
};

/** The model by name; `auto` is the first that the server lists. */
function chooseModel({ name }: OpenModelOptions, server: ServerFacts): string {
  const [first] = server.models;
  return name === "auto" && first !== undefined ? first : name;
}
