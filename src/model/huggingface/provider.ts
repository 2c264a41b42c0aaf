import { z } from "zod";
import { ProbeError } from "../../base/errors.js";
import { huggingfaceTransport } from "../dialect/huggingface-transport.js";
import { completionWay, featureWay, generatedWay, huggingfaceWays, prefillWay } from "../dialect/huggingface-ways.js";
import { httpClient } from "../http/http-client.js";
import { redactor, replyRedactor } from "../http/secrets.js";
import type { Model, ModelProvider, OpenModelOptions } from "../model.js";
import { openServerModel } from "../server/open-server-model.js";
import { chooseServers, serverAccess } from "../server/server-access.js";
import { serverReader } from "../server/server-reader.js";
import { DEFAULT_CONCURRENCY, parseServerSettings, patienceOf } from "../server/server-settings.js";
import { chatWay } from "../wire/chat-wire.js";
import { HUGGING_FACE } from "./own-service.js";

const endpointInfo = z.looseObject({
  model_id: z.string(),
  version: z.string().nullish(),
  model_sha: z.string().nullish(),
  /** Told by Text Embeddings Inference, not by TGI. */
  model_type: z.looseObject({}).nullish(),
});

/** Hugging Face Inference Providers (a model of the hub), Inference Endpoints and TGI (`--base-url`). */
export const huggingfaceProvider: ModelProvider = {
  async open(options: OpenModelOptions): Promise<Model> {
    const settings = parseServerSettings(options.settings);
    const isEndpoint = chooseServers(options, settings, HUGGING_FACE.url)[0]?.url !== HUGGING_FACE.url;
    if (!isEndpoint && options.promptMode === "completion" && isPrompted(options)) {
      throw new ProbeError(
        "bad_input",
        "Expected --prompt-mode chat for Hugging Face's Inference Providers, found completion: raw text needs an endpoint with TGI (--base-url).",
      );
    }
    const { baseUrls, key: apiKey, secrets } = await serverAccess(options, settings, HUGGING_FACE);
    const http = httpClient(options.connection.concurrency ?? DEFAULT_CONCURRENCY, replyRedactor(secrets));
    const redact = redactor(secrets);
    const model = options.name;
    const timeoutMs = settings.timeoutSeconds * 1000;
    const read = serverReader(baseUrls[0] ?? HUGGING_FACE.url, {
      ...{ apiKey, fetch: http.freshFetch, redact },
      patience: patienceOf(options, settings),
      ...(options.signal && { signal: options.signal }),
    });
    const page = isEndpoint ? read("/info") : Promise.resolve(null);
    const info = await page.then(
      (json) => endpointInfo.safeParse(json).data,
      (error: unknown) => {
        http.close();
        throw error;
      },
    );
    return openServerModel({
      options,
      settings,
      baseUrls,
      http,
      connect: (over) => ({
        transport: huggingfaceTransport({ apiKey, timeoutMs, fetch: over, redact, model, isEndpoint }),
        encode: (_, prompt) => Promise.resolve(prompt),
      }),
      ways: {
        symbols: huggingfaceWays(options.promptMode, settings.topLogprobs ?? null),
        generated: generatedWay(options.promptMode),
        tokenScores: isEndpoint ? [prefillWay] : [],
        completions: [completionWay(options.promptMode)],
        // Neither TGI nor the Inference Providers take what comes after a gap.
        infill: [],
        embeddings: [featureWay],
        conversations: [chatWay({ model, path: "/chat", limit: "max_tokens", alwaysSeed: false, takesOneCall: false })],
      },
      report:
        info === undefined
          ? { kind: isEndpoint ? "endpoint" : "inference providers" }
          : {
              kind: info.model_type == null ? "TGI" : "TEI",
              version: info.version ?? null,
              model: info.model_id,
              revision: info.model_sha ?? null,
            },
      identity: { provider: "huggingface", name: model },
      countTokens: null,
    });
  },
};

/** Whether the prompt mode matters to what the model is opened for. */
function isPrompted({ needs }: OpenModelOptions): boolean {
  return needs.length === 0 || needs.includes("symbols") || needs.includes("completions");
}
