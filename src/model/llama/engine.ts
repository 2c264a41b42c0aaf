import { stat } from "node:fs/promises";
import { basename } from "node:path";
import type { GgufFileInfo, Llama, LlamaContext, LlamaModel, LlamaModelOptions } from "node-llama-cpp";
import { messageOf, modelUnavailable } from "../../base/errors.js";
import type { OpenModelOptions } from "../model.js";
import type { LlamaSettings } from "../model-settings.js";
import { importEngine } from "./package/find-engine.js";
import { startEngine } from "./package/start-engine.js";
import { EngineThreads, mostThreads, usableCores } from "./threads.js";

/** Numbers of poolings in a GGUF file. */
const NO_POOLING = 0;
const MEAN_POOLING = 1;

export interface LlamaEngine {
  readonly llama: Llama;
  readonly model: LlamaModel;
  readonly context: LlamaContext;
  readonly threads: EngineThreads;
}

/**
 * Loads a GGUF file, with a context that computes the same whatever is in its cache.
 * @throws ProbeError `model_unavailable`
 */
export async function loadEngine(
  path: string,
  settings: LlamaSettings,
  { signal, onMessage = () => {} }: Pick<OpenModelOptions, "onMessage"> & { readonly signal: AbortSignal },
): Promise<LlamaEngine> {
  const { readGgufFileInfo, InsufficientMemoryError } = await importEngine();
  const llama = await startEngine(settings.gpu, { signal, onMessage });
  let threads: EngineThreads | null = null;
  try {
    const cores = Math.min(llama.cpuMathCores, usableCores());
    const most = mostThreads(settings, (await stat(path)).size, cores);
    threads = new EngineThreads(llama, { most, isFixed: settings.threads > 0 });
    const info = await readGgufFileInfo(path, { readTensorInfo: false, sourceType: "filesystem", logWarnings: false });
    const model = await llama.loadModel({
      modelPath: path,
      ...meanPooling(info),
      // Layers for which the GPU has no memory beside the context are computed by the processor.
      gpuLayers: { fitContext: { contextSize: fittingContext(info, settings) } },
      // With flash attention a prompt whose prefix is cached scores differently from the same prompt from scratch.
      defaultContextFlashAttention: false,
      // Sliding-window models keep the whole cache, so that prefixes can be reused.
      defaultContextSwaFullCache: true,
      experimentalDefaultContextKvCacheKeyType: settings.kvCache,
      experimentalDefaultContextKvCacheValueType: settings.kvCache,
    });
    const contextSize = contextSizeOf(model, settings);
    const { batchSize } = settings;
    const context = await threads.opening((count) => model.createContext({ contextSize, batchSize, threads: count }));
    return { llama, model, context, threads };
  } catch (cause) {
    threads?.close();
    await llama.dispose();
    const isFull = cause instanceof InsufficientMemoryError && llama.gpu !== false;
    if (isFull && settings.gpu === "auto") {
      onMessage(`The GPU has too little free memory for ${basename(path)}: the processor computes.`);
      return loadEngine(path, { ...settings, gpu: "false" }, { signal, onMessage });
    }
    const wayOut = isFull
      ? "Free the GPU's memory, or ask with --model-arg contextSize=N (fewer tokens), kvCache=F16 or gpu=false."
      : "Check the file and the free memory.";
    throw modelUnavailable(
      `Expected to load ${basename(path)} as a GGUF model, found: ${messageOf(cause)}. ${wayOut}`,
      cause,
    );
  }
}

/** Tokens that the context will have, as far as the file tells. */
function fittingContext({ architectureMetadata }: GgufFileInfo, { contextSize }: LlamaSettings): number {
  return Math.min(contextSize, architectureMetadata.context_length ?? contextSize);
}

/**
 * Vectors of texts are the mean of their tokens' states unless the file names another way. The engine's own way for a
 * file that names none is the last token's state, which hardly tells two texts with the same end apart.
 */
function meanPooling({ metadata, architectureMetadata }: GgufFileInfo): Pick<LlamaModelOptions, "metadataOverrides"> {
  if ((architectureMetadata.pooling_type ?? NO_POOLING) !== NO_POOLING) return {};
  return { metadataOverrides: { [metadata.general.architecture]: { pooling_type: MEAN_POOLING } } };
}

/** Tokens: what the user asked for, or the model's own limit when that is lower. */
export function contextSizeOf(model: LlamaModel, { contextSize }: LlamaSettings): number {
  return Math.min(contextSize, model.trainContextSize);
}
