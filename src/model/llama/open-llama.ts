import { existsSync } from "node:fs";
import { stat, writeFile } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { modelUnavailable } from "../../base/errors.js";
import { sha256OfFile } from "../../base/sha256.js";
import { makeFolder } from "../../store/folder/work-folder.js";
import { type Model, type ModelIdentity, missingCapabilities, type OpenModelOptions } from "../model.js";
import { type LlamaSettings, parseLlamaSettings } from "../model-settings.js";
import type { Capability } from "../requests.js";
import { type LlamaEngine, loadEngine } from "./engine.js";
import { llamaModel } from "./llama-model.js";
import { modelsFolder, resolveModelFile } from "./model-file.js";
import { importEngine } from "./package/find-engine.js";
import { trialEndText, tryInOwnProcess } from "./package/trial.js";
import { promptTokenizer } from "./prompt-tokenizer.js";

/** GGUF models in this process, by node-llama-cpp. */
export async function openLlama(options: OpenModelOptions): Promise<Model> {
  const settings = parseLlamaSettings(options.settings);
  const path = await resolveModelFile(options.name, options.onDownload);
  const sha256 = await sha256OfFile(path);
  requireSha256(path, sha256, settings.sha256);
  const signal = options.signal ?? new AbortController().signal;
  // A file whose checksum is known to be right needs no trial.
  if (settings.sha256 === undefined) await tryToLoad({ path: resolve(path), sha256 }, signal);
  const engine = await loadEngine(path, settings, {
    signal,
    ...(options.onMessage && { onMessage: options.onMessage }),
  });
  try {
    const tokenizer = await promptTokenizer(engine.model, options.promptMode, settings.chatTemplate, signal);
    const identity = await describe(path, sha256, engine, settings);
    const fromScratch = options.mode === "exact";
    const { seed, think } = options;
    const asked = think === undefined ? {} : { think };
    const device = await deviceOf(engine);
    const model = llamaModel({ engine, identity, device, settings, tokenizer, seed, fromScratch, ...asked });
    requireCapabilities(model, path, options.needs);
    return model;
  } catch (error) {
    engine.threads.close();
    await engine.llama.dispose();
    throw error;
  }
}

function requireSha256(path: string, found: string, expected: string | undefined): void {
  if (expected === undefined || expected === found) return;
  throw modelUnavailable(
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
  throw modelUnavailable(`Expected a model that can ${missing}, found ${basename(path)}, which cannot. ${wayOut}`);
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

/** `null`: the processor computes alone. */
async function deviceOf({ llama, model }: LlamaEngine): Promise<string | null> {
  if (llama.gpu === false) return null;
  const cards = await llama.getGpuDeviceNames();
  return `${cards.join(", ")}, ${model.gpuLayers} of ${model.fileInsights.totalLayers} layers`;
}

interface TriedFile {
  readonly path: string;
  readonly sha256: string;
}

/**
 * Loads a model file in a process of its own, once for every checksum: a damaged file does not fail in the engine, it ends
 * the process. What is wrong with a file that does not end it is for the loading itself to say.
 * @throws ProbeError `model_unavailable` when the file ends the engine; the signal's reason when it is aborted
 */
export async function tryToLoad({ path, sha256 }: TriedFile, signal: AbortSignal): Promise<void> {
  const known = join(modelsFolder(), "loaded", sha256);
  if (existsSync(known)) return;
  const ended = await tryInOwnProcess(path, false, signal);
  signal.throwIfAborted();
  if (ended.signal !== null) {
    throw modelUnavailable(
      `Expected to load ${basename(path)} as a GGUF model, found that it ends the engine (${trialEndText(ended)}). The ` +
        `file is damaged: compare its SHA-256, ${sha256}, with that of its source, and fetch it anew.`,
    );
  }
  // A machine that keeps no note tries the file again the next time.
  if (ended.code === 0) await note(known).catch(() => undefined);
}

async function note(path: string): Promise<void> {
  await makeFolder(join(path, ".."));
  await writeFile(path, "");
}
