import { z } from "zod";
import { ProbeError } from "../../domain/errors.js";
import { httpClient } from "../http/http-client.js";
import { redactor } from "../http/secrets.js";
import type { Model, ModelProvider, OpenModelOptions } from "../model.js";
import { DEFAULT_CONCURRENCY, openServerModel } from "../open-server-model.js";
import { chooseBaseUrls, serverKey, serverRoot } from "../server-address.js";
import { serverReader } from "../server-reader.js";
import { parseServerSettings } from "../server-settings.js";
import { huggingfaceTransport, inferenceClient, toRequestError } from "./transport.js";
import { generatedWay, huggingfaceWays } from "./ways.js";

const PROVIDERS_URL = "https://router.huggingface.co/v1";

const tgiInfo = z.looseObject({ model_id: z.string(), version: z.string().nullish(), model_sha: z.string().nullish() });

/** Hugging Face Inference Providers (a model of the hub), Inference Endpoints and TGI (`--base-url`). */
export const huggingfaceProvider: ModelProvider = {
  async open(options: OpenModelOptions): Promise<Model> {
    const settings = parseServerSettings(options.settings);
    const baseUrls = chooseBaseUrls(options, settings, PROVIDERS_URL);
    const isEndpoint = baseUrls[0] !== PROVIDERS_URL;
    if (!isEndpoint && options.promptMode === "completion") {
      throw new ProbeError(
        "bad_input",
        "Expected --prompt-mode chat for Hugging Face's Inference Providers, found completion: raw text needs an endpoint with TGI (--base-url).",
      );
    }
    const apiKey = await serverKey(options, settings, "HF_TOKEN");
    const http = httpClient(options.connection.concurrency ?? DEFAULT_CONCURRENCY);
    const redact = redactor(apiKey);
    const model = options.name;
    const timeoutMs = settings.timeoutSeconds * 1000;
    const info = isEndpoint
      ? tgiInfo.safeParse(await serverReader(baseUrls[0] ?? "", apiKey, http.freshFetch)("/info")).data
      : undefined;
    return openServerModel({
      options,
      settings,
      baseUrls,
      http,
      connect: (over) => ({
        transport: huggingfaceTransport({ apiKey, timeoutMs, fetch: over, redact, model, isEndpoint }),
        encode: (_, prompt) => Promise.resolve(prompt),
      }),
      ways: huggingfaceWays(options.promptMode, settings.topLogprobs ?? null),
      generated: generatedWay(options.promptMode),
      sequenceWay: null,
      report:
        info === undefined
          ? { kind: isEndpoint ? "endpoint" : "inference providers" }
          : { kind: "TGI", version: info.version ?? null, model: info.model_id, revision: info.model_sha ?? null },
      identity: { provider: "huggingface", name: model },
      countTokens: null,
      embed: featureExtraction({
        apiKey,
        fetch: http.fetch,
        redact,
        model,
        endpointUrl: isEndpoint ? serverRoot(baseUrls[0] ?? "") : null,
      }),
    });
  },
};

interface EmbedOptions {
  readonly apiKey: string | null;
  readonly fetch: typeof fetch;
  readonly redact: (text: string) => string;
  readonly model: string;
  readonly endpointUrl: string | null;
}

const vector = z.array(z.number()).min(1);
const vectorReply = z.union([vector, z.tuple([vector]).transform(([only]) => only)]);

/** One vector a text, by the hub's feature extraction. */
function featureExtraction({ apiKey, fetch, redact, model, endpointUrl }: EmbedOptions): NonNullable<Model["embed"]> {
  const client = inferenceClient(apiKey);
  return async (text, signal) => {
    try {
      const where = endpointUrl === null ? { model } : { endpointUrl };
      const reply = await client.featureExtraction(
        { inputs: text, ...where },
        { fetch, signal, retry_on_error: false },
      );
      return vectorReply.parse(reply);
    } catch (error) {
      if (error instanceof z.ZodError) {
        throw new ProbeError(
          "model_unavailable",
          "Expected one vector a text from feature extraction, found another shape.",
          { cause: error },
        );
      }
      throw new ProbeError(
        "model_unavailable",
        `Expected an embedding, found ${toRequestError(error, redact).message}`,
        { cause: error },
      );
    }
  };
}
