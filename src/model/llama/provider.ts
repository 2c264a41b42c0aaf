import { stat } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { ProbeError } from "../../base/errors.js";
import { sha256OfFile } from "../../base/sha256.js";
import { missingCapabilities } from "../capabilities.js";
import type { Capability, Model, ModelIdentity, ModelProvider, OpenModelOptions } from "../model.js";
import { type LlamaEngine, loadEngine } from "./engine.js";
import { llamaModel } from "./model.js";
import { resolveModelFile } from "./model-file.js";
import { importEngine } from "./package/find.js";
import { type LlamaSettings, parseLlamaSettings } from "./settings.js";
import { promptTokenizer } from "./tokenize.js";
import { tryToLoad } from "./trial-load.js";

/** GGUF models in this process, by node-llama-cpp. */
export const llamaProvider: ModelProvider = {
  async open(options: OpenModelOptions): Promise<Model> {
    const settings = parseLlamaSettings(options.settings);
    const path = await resolveModelFile(options.name, options.onDownload);
    const sha256 = await sha256OfFile(path);
    requireSha256(path, sha256, settings.sha256);
    const signal = options.signal ?? new AbortController().signal;
    // A file whose checksum is known to be right needs no trial.
    if (settings.sha256 === undefined) await tryToLoad({ path: resolve(path), sha256 }, signal);
    const engine = await loadEngine(path, settings);
    try {
      const tokenizer = await promptTokenizer(engine.model, options.promptMode, settings.chatTemplate, signal);
      const identity = await describe(path, sha256, engine, settings);
      const model = llamaModel({ engine, identity, settings, tokenizer, fromScratch: options.mode === "exact" });
      requireCapabilities(model, path, options.needs);
      return model;
    } catch (error) {
      engine.threads.close();
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

function requireCapabilities(model: Model, path: string, needs: readonly Capability[]): void {
  const missing = missingCapabilities(model, needs);
  if (missing === null) return;
  const hasNoFimTokens = model.complete !== undefined && model.infill === undefined;
  const wayOut =
    hasNoFimTokens && needs.includes("infill")
      ? "Its vocabulary marks no gaps: use a GGUF file with fill-in-the-middle tokens, such as Qwen2.5-Coder, StarCoder2, " +
        "CodeLlama 7B or the bundled tiny, or a server whose model has them."
      : "Use another GGUF file, or a server: a decoder scores and writes, and most can embed; an encoder only embeds.";
  throw new ProbeError(
    "model_unavailable",
    `Expected a model that can ${missing}, found ${basename(path)}, which cannot. ${wayOut}`,
  );
}

async function describe(
  path: string,
  sha256: string,
  engine: LlamaEngine,
  settings: LlamaSettings,
): Promise<ModelIdentity> {
  const { getModuleVersion } = await importEngine();
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
