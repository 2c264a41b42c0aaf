import { InferenceClient } from "@huggingface/inference";
import { z } from "zod";
import { messageOf } from "../../base/errors.js";
import { errorOfConnection, errorOfContent, errorOfReply, type RequestError } from "../http/request-error.js";
import { serverRoot } from "../server/server-access.js";
import type { Transport } from "../server/server-channel.js";
import { requestJson, type WireAccess } from "../server/server-reader.js";

/** The bodies that the ways of this dialect make, in the package's types. */
const chatArguments = z.custom<Parameters<InferenceClient["chatCompletion"]>[0]>();
const featureArguments = z.custom<Parameters<InferenceClient["featureExtraction"]>[0]>();

/**
 * Sends chat completions and feature extraction by `@huggingface/inference`, and TGI's `/generate`, whose details that
 * package drops, itself.
 * @param isEndpoint `false`: the base URL is that of the Inference Providers, which take the model's name on the hub
 */
export function huggingfaceTransport(access: WireAccess, model: string, isEndpoint: boolean): Transport {
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
