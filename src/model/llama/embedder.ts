import type { LlamaEmbeddingContext, LlamaModel } from "node-llama-cpp";
import { badInput, messageOf, modelUnavailable, type ProbeError } from "../../base/errors.js";
import type { LlamaSettings } from "../model-settings.js";
import type { Embedding } from "../requests.js";
import type { Turns } from "./cached-sequence.js";
import { contextSizeOf, type LlamaEngine } from "./engine.js";

/** Names of the ways to make one vector of a text: a GGUF file has their number; for one that has none it was set. */
const POOLINGS = new Map<number, string>([
  [1, "mean"],
  [2, "cls"],
  [3, "last token"],
]);

/** The pooling of this model; `null` where it makes no vectors of texts, as rerankers and encoder-decoders do not. */
export function poolingOf({ fileInsights, fileInfo }: LlamaModel): string | null {
  if (fileInsights.hasEncoder && fileInsights.hasDecoder) return null;
  return POOLINGS.get(fileInfo.architectureMetadata.pooling_type ?? -1) ?? null;
}

/** Makes vectors of texts, in a context of its own that the first text opens. */
interface Embedder {
  /**
   * The vector of a whole text, not normalised.
   * @throws ProbeError `bad_input` for a text that is empty or longer than the context: part of it would be another text
   * @throws ProbeError `model_unavailable` when there is no memory for the context
   */
  embed(text: string, signal: AbortSignal): Promise<Embedding>;
  close(): Promise<void>;
}

export function embedderOf(engine: LlamaEngine, settings: LlamaSettings, pooling: string, turns: Turns): Embedder {
  let opened: Promise<LlamaEmbeddingContext> | null = null;
  const contextSize = contextSizeOf(engine.model, settings);
  const room = contextSize - 1;
  // Pooling over all tokens needs them in one batch: the engine pools the last batch only.
  const batchSize = pooling === "last token" ? settings.batchSize : contextSize;
  const open = () =>
    engine.threads
      .opening((threads) => engine.model.createEmbeddingContext({ contextSize, batchSize, threads }))
      .catch((cause: unknown) => {
        opened = null;
        throw noRoom(contextSize, cause);
      });
  return {
    async embed(text, signal) {
      signal.throwIfAborted();
      if (text === "") throw badInput("Expected a text to embed, found an empty one.");
      opened ??= open();
      const context = await opened;
      const length = context.calculateInputLength(text);
      if (length > room) throw tooLong(length, room);
      const { vector } = await turns.take(() => {
        signal.throwIfAborted();
        return context.getEmbeddingFor(text);
      });
      return { vector, pooling };
    },
    async close() {
      const context = await opened?.catch(() => null);
      await context?.dispose();
    },
  };
}

function tooLong(length: number, room: number): ProbeError {
  return badInput(
    `Expected a text of at most ${room} tokens to embed, found ${length}. Leave it out, or give the model more room: ` +
      "--model-arg contextSize=….",
  );
}

function noRoom(contextSize: number, cause: unknown): ProbeError {
  return modelUnavailable(
    `Expected room for a context of ${contextSize} tokens to embed texts, found: ${messageOf(cause)}. ` +
      "Make it smaller: --model-arg contextSize=….",
    cause,
  );
}
