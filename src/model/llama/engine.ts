import { basename } from "node:path";
import type { Llama, LlamaContext, LlamaModel } from "node-llama-cpp";
import { messageOf, ProbeError } from "../../base/errors.js";
import type { LlamaSettings } from "./settings.js";

export interface LlamaEngine {
  readonly llama: Llama;
  readonly model: LlamaModel;
  readonly context: LlamaContext;
}

/**
 * Loads a GGUF file, with a context that computes the same whatever is in its cache.
 * @throws ProbeError `model_unavailable`
 */
export async function loadEngine(path: string, settings: LlamaSettings): Promise<LlamaEngine> {
  const { getLlama, LlamaLogLevel } = await import("node-llama-cpp");
  try {
    const llama = await getLlama({
      gpu: settings.gpu === "auto" ? "auto" : false,
      build: "never",
      skipDownload: true,
      logLevel: LlamaLogLevel.disabled,
      ...(settings.threads > 0 && { maxThreads: settings.threads }),
    });
    const model = await llama.loadModel({
      modelPath: path,
      // With flash attention a prompt whose prefix is cached scores differently from the same prompt from scratch.
      defaultContextFlashAttention: false,
      // Sliding-window models keep the whole cache, so that prefixes can be reused.
      defaultContextSwaFullCache: true,
      experimentalDefaultContextKvCacheKeyType: settings.kvCache,
      experimentalDefaultContextKvCacheValueType: settings.kvCache,
    });
    const context = await model.createContext({
      contextSize: contextSizeOf(model, settings),
      batchSize: settings.batchSize,
      ...threadsOf(settings),
    });
    return { llama, model, context };
  } catch (cause) {
    throw new ProbeError(
      "model_unavailable",
      `Expected to load ${basename(path)} as a GGUF model, found: ${messageOf(cause)}. Check the file and the free memory.`,
      { cause },
    );
  }
}

/** Tokens: what the user asked for, or the model's own limit when that is lower. */
export function contextSizeOf(model: LlamaModel, { contextSize }: LlamaSettings): number {
  return Math.min(contextSize, model.trainContextSize);
}

export function threadsOf({ threads }: LlamaSettings): { threads?: number } {
  return threads > 0 ? { threads } : {};
}
