import { InferenceClient } from "@huggingface/inference";
import { z } from "zod";
import { messageOf } from "../../base/errors.js";
import { errorOfConnection, errorOfContent, errorOfReply, type RequestError } from "../http/request-error.js";
import { serverRoot } from "../server/server-access.js";
import type { Transport } from "../server/server-channel.js";
import { requestJson, type WireAccess } from "../server/server-reader.js";
import { chatWay } from "../wire/chat-wire.js";
import type { Dialect } from "./dialect.js";
import { completionWay, featureWay, prefillWay, symbolWays } from "./huggingface-ways.js";
import { talkThinking } from "./letter-ways.js";

const endpointInfo = z.looseObject({
  model_id: z.string(),
  version: z.string().nullish(),
  model_sha: z.string().nullish(),
  /** Told by Text Embeddings Inference, not by TGI. */
  model_type: z.looseObject({}).nullish(),
});

/** Hugging Face Inference Providers (a model of the hub), Inference Endpoints and TGI (`--base-url`). */
export const huggingfaceDialect: Dialect = async ({ options, settings, isOwnService, read }) => {
  const { name: model, promptMode } = options;
  const info = isOwnService ? undefined : endpointInfo.safeParse(await read("/info")).data;
  const how = { alwaysSeed: false, takesOneCall: false, thinking: talkThinking("effort", options.think) };
  const talk = chatWay({ model, path: "/chat", limit: "max_tokens", ...how });
  return {
    model,
    report:
      info === undefined
        ? { kind: isOwnService ? "inference providers" : "endpoint" }
        : {
            kind: info.model_type == null ? "TGI" : "TEI",
            version: info.version ?? null,
            model: info.model_id,
            revision: info.model_sha ?? null,
          },
    ways: {
      symbols: symbolWays(promptMode, settings.topLogprobs ?? null),
      token_scores: isOwnService ? [] : [prefillWay],
      completions: [completionWay(promptMode)],
      infill: [],
      embeddings: [featureWay],
      conversations: [talk],
      tools: [talk],
    },
    connect: (access) => ({
      transport: huggingfaceTransport(access, model, !isOwnService),
      encode: (_, prompt) => Promise.resolve(prompt),
    }),
    countTokens: null,
  };
};

/** The bodies that the ways of this dialect make, in the package's types. */
const chatArguments = z.custom<Parameters<InferenceClient["chatCompletion"]>[0]>();
const featureArguments = z.custom<Parameters<InferenceClient["featureExtraction"]>[0]>();

/**
 * Sends chat completions and feature extraction by `@huggingface/inference`, and TGI's `/generate`, whose details that
 * package drops, itself.
 * @param isEndpoint `false`: the base URL is that of the Inference Providers, which take the model's name on the hub
 */
function huggingfaceTransport(access: WireAccess, model: string, isEndpoint: boolean): Transport {
  // Without a key it sends none.
  const client = new InferenceClient(access.apiKey ?? "");
  const fetch = throwingErrors(access);
  return async (baseUrl, { path, body }, signal) => {
    const root = serverRoot(baseUrl);
    if (path === "/generate") {
      const { json, text } = await requestJson(`${root}${path}`, body, access, signal);
      return { json: Array.isArray(json) ? (json[0] as unknown) : json, text };
    }
    const where = isEndpoint ? { endpointUrl: root } : { model };
    const bounded = AbortSignal.any([signal, AbortSignal.timeout(access.timeoutMs)]);
    const how = { fetch, signal: bounded, retry_on_error: false };
    try {
      const json: unknown =
        path === "/feature-extraction"
          ? await client.featureExtraction(featureArguments.parse({ ...body, ...where }), how)
          : await client.chatCompletion(chatArguments.parse({ ...body, ...where, model }), how);
      return { json, text: access.redact(JSON.stringify(json)) };
    } catch (error) {
      throw toRequestError(error, access.redact);
    }
  };
}

/** The errors that the package makes of replies with an error status have no headers: here they are thrown before. */
function throwingErrors({ fetch: send, redact }: WireAccess): typeof fetch {
  return async (input, init) => {
    const response = await send(input, init);
    if (response.ok) return response;
    throw errorOfReply(response.status, redact(await response.text()), response.headers, Date.now());
  };
}

function toRequestError(error: unknown, redact: WireAccess["redact"]): RequestError {
  const isOutput = error instanceof Error && error.name === "InferenceClientProviderOutputError";
  if (error instanceof SyntaxError || isOutput)
    return errorOfContent("not what was asked for", redact(messageOf(error)));
  return errorOfConnection(error, redact);
}
