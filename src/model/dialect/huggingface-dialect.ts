import { z } from "zod";
import { chatWay } from "../wire/chat-wire.js";
import type { Dialect } from "./dialect.js";
import { huggingfaceTransport } from "./huggingface-transport.js";
import { completionWay, featureWay, prefillWay, symbolWays } from "./huggingface-ways.js";

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
  const talk = chatWay({ model, path: "/chat", limit: "max_tokens", alwaysSeed: false, takesOneCall: false });
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
