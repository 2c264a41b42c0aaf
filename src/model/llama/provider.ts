import { stat } from "node:fs/promises";
import { basename } from "node:path";
import { messageOf, ProbeError } from "../../domain/errors.js";
import { sha256OfFile } from "../../file/sha256.js";
import type { Model, ModelIdentity, ModelProvider, OpenModelOptions } from "../model.js";
import { type LlamaEngine, LlamaInProcess } from "./model.js";
import { resolveModelFile } from "./model-file.js";
import { type LlamaSettings, parseLlamaSettings } from "./settings.js";
import { promptTokenizer } from "./tokenize.js";

/** GGUF models in this process, by node-llama-cpp. */
export const llamaProvider: ModelProvider = {
  async open(options: OpenModelOptions): Promise<Model> {
    const settings = parseLlamaSettings(options.settings);
    const path = await resolveModelFile(options.name, options.onDownload);
    const sha256 = await sha256OfFile(path);
    requireSha256(path, sha256, settings.sha256);
    const engine = await loadEngine(path, settings);
    try {
      const tokenize = await promptTokenizer(engine.model, options.promptMode, settings.chatTemplate);
      const identity = await describe(path, sha256, engine, settings);
      return new LlamaInProcess(engine, identity, tokenize, options.mode === "exact");
    } catch (error) {
      await engine.llama.dispose();
      throw error;
    }
  },
};

function requireSha256(path: string, found: string, expected: string | undefined): void {
  if (expected === undefined || expected === found) return;
  throw new ProbeError(
    "model_unavailable",
    `Expected ${basename(path)} with SHA-256 ${expected}, found ${found}. The file is damaged or another model: restore it.`,
  );
}

async function loadEngine(path: string, settings: LlamaSettings): Promise<LlamaEngine> {
  const { getLlama, LlamaLogLevel } = await import("node-llama-cpp");
  try {
    const llama = await getLlama({
      gpu: settings.gpu === "auto" ? "auto" : false,
      build: "never",
      skipDownload: true,
      logLevel: LlamaLogLevel.disabled,
      ...(settings.threads > 0 && { maxThreads: settings.threads }),
    });
    const model = await llama.loadModel({ modelPath: path });
    const context = await model.createContext({
      contextSize: Math.min(settings.contextSize, model.trainContextSize),
      batchSize: settings.batchSize,
      // With flash attention a prompt whose prefix is cached scores differently from the same prompt from scratch.
      flashAttention: false,
      // Sliding-window models keep the whole cache, so that prefixes can be reused.
      swaFullCache: true,
      experimentalKvCacheKeyType: settings.kvCache,
      experimentalKvCacheValueType: settings.kvCache,
      ...(settings.threads > 0 && { threads: settings.threads }),
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

async function describe(
  path: string,
  sha256: string,
  engine: LlamaEngine,
  settings: LlamaSettings,
): Promise<ModelIdentity> {
  const { getModuleVersion } = await import("node-llama-cpp");
  const { general } = engine.model.fileInfo.metadata;
  return {
    provider: "llama",
    file: basename(path),
    file_sha256: sha256,
    file_bytes: (await stat(path)).size,
    name: general?.name ?? null,
    architecture: general?.architecture ?? null,
    engine: `node-llama-cpp ${await getModuleVersion()}`,
    llama_cpp: engine.llama.llamaCppRelease.release,
    gpu: engine.llama.gpu,
    context_size: engine.context.contextSize,
    batch_size: engine.context.batchSize,
    kv_cache: settings.kvCache,
  };
}
