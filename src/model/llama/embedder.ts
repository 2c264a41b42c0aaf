import type { LlamaEmbeddingContext, LlamaModel } from "node-llama-cpp";
import { messageOf, ProbeError } from "../../base/errors.js";
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
export class Embedder {
  readonly #engine: LlamaEngine;
  readonly #settings: LlamaSettings;
  readonly #pooling: string;
  readonly #turns: Turns;
  #context: Promise<LlamaEmbeddingContext> | null = null;

  constructor(engine: LlamaEngine, settings: LlamaSettings, pooling: string, turns: Turns) {
    this.#engine = engine;
    this.#settings = settings;
    this.#pooling = pooling;
    this.#turns = turns;
  }

  /**
   * The vector of a whole text, not normalised.
   * @throws ProbeError `bad_input` for a text that is empty or longer than the context: part of it would be another text
   * @throws ProbeError `model_unavailable` when there is no memory for the context
   */
  async embed(text: string, signal: AbortSignal): Promise<Embedding> {
    signal.throwIfAborted();
    if (text === "") throw new ProbeError("bad_input", "Expected a text to embed, found an empty one.");
    this.#context ??= this.#open();
    const context = await this.#context;
    const length = context.calculateInputLength(text);
    const room = this.#contextSize - 1;
    if (length > room) {
      throw new ProbeError(
        "bad_input",
        `Expected a text of at most ${room} tokens to embed, found ${length}. Leave it out, or give the model more room: ` +
          "--model-arg contextSize=….",
      );
    }
    const { vector } = await this.#turns.take(() => {
      signal.throwIfAborted();
      return context.getEmbeddingFor(text);
    });
    return { vector, pooling: this.#pooling };
  }

  async close(): Promise<void> {
    const context = await this.#context?.catch(() => null);
    await context?.dispose();
  }

  get #contextSize(): number {
    return contextSizeOf(this.#engine.model, this.#settings);
  }

  async #open(): Promise<LlamaEmbeddingContext> {
    const contextSize = this.#contextSize;
    // Pooling over all tokens needs them in one batch: the engine pools the last batch only.
    const batchSize = this.#pooling === "last token" ? this.#settings.batchSize : contextSize;
    try {
      const { model, threads } = this.#engine;
      const open = (count: number) => model.createEmbeddingContext({ contextSize, batchSize, threads: count });
      return await threads.opening(open);
    } catch (cause) {
      this.#context = null;
      throw new ProbeError(
        "model_unavailable",
        `Expected room for a context of ${contextSize} tokens to embed texts, found: ${messageOf(cause)}. ` +
          "Make it smaller: --model-arg contextSize=….",
        { cause },
      );
    }
  }
}
