import { ProbeError } from "../../base/errors.js";
import { errorOfContent } from "../http/request-error.js";
import type { Embedding } from "../requests.js";
import type { EmbeddingWay } from "../wire/ways.js";
import type { Question, ServerChannel } from "./server-channel.js";

/**
 * Has a text made a vector.
 * @throws ProbeError `model_unavailable` when the servers do not
 */
export async function embed(
  channel: ServerChannel,
  way: EmbeddingWay,
  text: string,
  signal: AbortSignal,
): Promise<Embedding> {
  signal.throwIfAborted();
  const asked = await channel.ask(embeddingQuestion(way, text.toWellFormed()), channel.pick(), signal);
  if (asked.status === "read") return asked.value;
  throw new ProbeError("model_unavailable", `Expected an embedding, found ${asked.detail}`);
}

/** Asks for a text's vector. */
export function embeddingQuestion(way: EmbeddingWay, text: string): Question<Embedding> {
  return {
    prompt: text,
    kind: "raw",
    request: () => way.request(text),
    read: (reply) => {
      const embedding = way.read(reply.json);
      if (embedding === null) throw errorOfContent("without one vector for the text", reply.text);
      return embedding;
    },
  };
}
