import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { hostname } from "node:os";
import { basename, join } from "node:path";
import type { Llama } from "node-llama-cpp";
import { z } from "zod";
import { messageOf, modelUnavailable } from "../../../base/errors.js";
import { cacheFolder, packageRoot } from "../../../base/folders.js";
import { sha256 } from "../../../base/sha256.js";
import { keepInCache } from "../../../store/folder/work-folder.js";
import type { LlamaSettings } from "../../model-settings.js";
import { type EngineBuild, engineBuilds } from "./engine-builds.js";
import { engineVersion, readEngineLock } from "./engine-lock.js";
import { findEngines, hasBuild, importEngine } from "./find-engine.js";
import { NO_MEMORY, trialEndText, tryInOwnProcess } from "./trial.js";

type Gpu = Exclude<Llama["gpu"], false>;

/** What a machine needs beside a build for it to compute on the GPU. */
const GPU_NEEDS: Readonly<Record<string, string>> = {
  cuda:
    "NVIDIA's driver and the CUDA runtime, version 13 or 12 (libcudart, libcublas, libcublasLt), where the system " +
    "finds libraries",
  vulkan: "a Vulkan loader (libvulkan) and a driver of the GPU",
};

/** The small model that comes with the program: its trial shows whether the GPU computes at all. */
export const TRIAL_MODEL = join(packageRoot, "models/tiny.gguf");

interface Starting {
  readonly signal: AbortSignal;
  /** Hears why the processor computes though a build for a GPU is installed. */
  readonly onMessage: (message: string) => void;
  /** Hears that a card is tried, before it is; absent: as `onMessage`. */
  readonly onTrial?: (message: string) => void;
}

/**
 * The engine, computing on a GPU where `gpu` asks for it, or allows it (`auto`) and the machine and its builds can.
 * @throws ProbeError `model_unavailable` where it does not run, or not on the GPU that is asked for by name
 */
export async function startEngine(gpu: LlamaSettings["gpu"], starting: Starting): Promise<Llama> {
  const excluded: Gpu[] = [];
  for (;;) {
    const llama = await load(gpu, excluded);
    if (llama.gpu === false) {
      const unused = gpu === "auto" && excluded.length === 0 ? unusedBuildMessage() : null;
      if (unused !== null) starting.onMessage(unused);
      return llama;
    }
    const fault = await gpuFault(llama.gpu, await llama.getGpuDeviceNames(), starting);
    if (fault === null) return llama;
    await llama.dispose();
    if (gpu !== "auto") throw modelUnavailable(fault);
    starting.onMessage(fault);
    excluded.push(llama.gpu);
  }
}

async function load(gpu: LlamaSettings["gpu"], exclude: Gpu[]): Promise<Llama> {
  const { getLlama, LlamaLogLevel } = await importEngine();
  try {
    return await getLlama({
      gpu: engineOption(gpu, exclude),
      build: "never",
      skipDownload: true,
      // Its own lines about builds that it passes over: `unusedBuildMessage` tells of those that are installed.
      progressLogs: false,
      logLevel: LlamaLogLevel.disabled,
    });
  } catch (cause) {
    if (gpu !== "auto" && gpu !== "false") throw modelUnavailable(cannotUse(gpu), cause);
    throw modelUnavailable(
      `Expected the engine to run on this machine, found: ${messageOf(cause)}. Its builds need the GNU C library or a ` +
        "current macOS or Windows. Ask a server in its place, see docs/servers.md.",
      cause,
    );
  }
}

function engineOption(gpu: LlamaSettings["gpu"], exclude: Gpu[]) {
  // The engine knows Metal alone on a Mac, and stops where that is excluded.
  if (gpu === "false" || exclude.includes("metal")) return false;
  return gpu === "auto" ? ({ type: "auto", exclude } as const) : gpu;
}

/**
 * Has the bundled model evaluated on the GPU in a process of its own, until card, build, driver and machine have once
 * computed: a card that the build has no code for, or a driver older than the build, lets the engine load, and ends its
 * process at the first token.
 * @returns a message; `null` where the GPU computes
 */
async function gpuFault(gpu: Gpu, cards: readonly string[], starting: Starting): Promise<string | null> {
  const { signal, onMessage, onTrial = onMessage } = starting;
  const parts = [engineVersion(readEngineLock()), gpu, ...cards, hostname(), await driverText(), ...loadedBuilds(gpu)];
  const note = join(cacheFolder(process.env), "gpu", sha256(parts.join("\n")));
  if (existsSync(note)) return null;
  onTrial(
    `Trying ${cards.join(", ")} by ${gpu}: a driver that has to translate the build's code takes a minute the first time.`,
  );
  const ended = await tryInOwnProcess(TRIAL_MODEL, gpu, signal);
  signal.throwIfAborted();
  // Whether the model fits is told when it is loaded.
  if (ended.code === NO_MEMORY) return null;
  if (ended.code !== 0) return computesNot(gpu, cards, trialEndText(ended));
  // A machine that keeps no note tries its GPU again the next time.
  await keepInCache(note, "");
  return null;
}

/** Version of NVIDIA's driver, as the system tells it: another one may compute, or not. */
function driverText(): Promise<string> {
  return readFile("/proc/driver/nvidia/version", "utf8").catch(() => "");
}

const reportSchema = z.object({ sharedObjects: z.array(z.string()) });

/** Paths of the engine's libraries for `gpu` in this process: CUDA has one for each runtime, of which one may compute. */
function loadedBuilds(gpu: Gpu): string[] {
  const { sharedObjects } = reportSchema.parse(process.report.getReport());
  return sharedObjects.filter((path) => basename(path).includes(`ggml-${gpu}`));
}

function computesNot(gpu: Gpu, cards: readonly string[], found: string): string {
  const wayOut =
    gpu === "cuda"
      ? "Update NVIDIA's driver: cards for which the build has no code of their own need one as new as the build (CUDA 13.1). " +
        "Or install the runtime of CUDA 12 (libcudart, libcublas, libcublasLt) where the system finds libraries, then " +
        "`probe engine install cuda`, which takes the build that computes."
      : "Update the GPU's driver.";
  return (
    `${cards.join(", ")} does not compute by ${gpu}: a trial of it ended (${found}). ${wayOut} ` +
    "--model-arg gpu=false has the processor compute."
  );
}

function cannotUse(gpu: string): string {
  const needs = GPU_NEEDS[gpu];
  return (
    `Expected the engine to compute by ${gpu}, found that it cannot here. ` +
    (needs === undefined ? "" : `It needs \`probe engine install ${gpu}\`, and ${needs}. `) +
    "Or leave `gpu` out: the processor computes where no GPU can."
  );
}

/** A message where a build for a GPU is installed though the processor computes; `null` where there is none. */
export function unusedBuildMessage(
  modules: string | undefined = findEngines()[0],
  builds: readonly EngineBuild[] = engineBuilds(),
): string | null {
  if (modules === undefined) return null;
  const names = builds.filter((build) => build.name in GPU_NEEDS && hasBuild(modules, build)).map(({ name }) => name);
  if (names.length === 0) return null;
  const needs = names.map((name) => `${name} needs ${GPU_NEEDS[name]}`).join("; ");
  return `The processor computes, as the engine cannot use its build for a GPU here: ${needs}.`;
}
