import { ProbeError } from "../../domain/errors.js";
import { printable } from "../../domain/text.js";
import { httpClient } from "../http/http-client.js";
import { readKey, redactor } from "../http/secrets.js";
import type { Model, ModelProvider, OpenModelOptions } from "../model.js";
import { DEFAULT_CONCURRENCY, openServerModel } from "../open-server-model.js";
import { parseServerSettings, type ServerSettings } from "../server-settings.js";
import { promptEncoder } from "./prompt-encoder.js";
import { learnServer, type ServerFacts } from "./server-facts.js";
import { serverReader } from "./server-reader.js";
import { tokenCounter } from "./token-counter.js";
import { openaiTransport } from "./transport.js";
import { extractionWays, generatedWay, sequenceWay } from "./ways.js";

const DEFAULT_BASE_URL = "https://api.openai.com/v1";

/** Any server that speaks OpenAI's API: OpenAI, vLLM, llama.cpp's server, SGLang, LM Studio, Ollama. */
export const openaiProvider: ModelProvider = {
  async open(options: OpenModelOptions): Promise<Model> {
    const settings = parseServerSettings(options.settings);
    const baseUrls = chooseBaseUrls(options, settings, DEFAULT_BASE_URL);
    const key = await serverKey(options, settings, "OPENAI_API_KEY");
    const http = httpClient(options.connection.concurrency ?? DEFAULT_CONCURRENCY);
    const timeoutMs = settings.timeoutSeconds * 1000;
    const redact = redactor(key);
    const read = serverReader(baseUrls[0] ?? DEFAULT_BASE_URL, key, http.freshFetch);
    const server = await learnServer(read, options.name);
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
      ways: extractionWays(wayOptions),
      generated: generatedWay(wayOptions),
      sequenceWay: sequenceWay(wayOptions),
      report: server.report,
      identity: { provider: "openai", name: model },
      countTokens: tokenCounter(read, server, model, options.promptMode),
      embed: null,
    });
  },
};

/**
 * The servers that the options name, or the alias, or `fallback`.
 * @throws ProbeError `bad_input` for what is not an http(s) URL
 */
export function chooseBaseUrls({ connection }: OpenModelOptions, settings: ServerSettings, fallback: string): string[] {
  const fromSettings = settings.baseUrl === undefined ? [] : [settings.baseUrl].flat();
  const urls = connection.baseUrls.length > 0 ? [...connection.baseUrls] : fromSettings;
  return (urls.length > 0 ? urls : [fallback]).map((url) => {
    if (!URL.canParse(url) || !/^https?:/.test(url)) {
      throw new ProbeError("bad_input", `Expected --base-url to be http(s)://host…/v1, found "${printable(url)}".`);
    }
    return url.replace(/\/+$/, "");
  });
}

/** The key from the source that the options or the alias name, or from `usual`, which may be empty. */
export function serverKey(
  { connection }: OpenModelOptions,
  settings: ServerSettings,
  usual: string,
): Promise<string | null> {
  const named = connection.apiKeyEnv ?? settings.apiKeyEnv;
  return readKey({
    environmentVariable: named ?? usual,
    isRequired: named !== undefined && connection.apiKeyFile === null,
    file: connection.apiKeyFile,
  });
}

/** The model by name; `auto` is the first that the server lists. */
function chooseModel({ name }: OpenModelOptions, server: ServerFacts): string {
  const [first] = server.models;
  return name === "auto" && first !== undefined ? first : name;
}
