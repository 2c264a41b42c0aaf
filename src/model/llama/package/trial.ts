import { spawn } from "node:child_process";
import { once } from "node:events";
import { packageRoot } from "../../../base/folders.js";
import { shorten } from "../../../base/text.js";
import { engineEntry } from "./find-engine.js";

/** Exit code of a trial that found too little memory, which says nothing of a file or a driver. */
export const NO_MEMORY = 9;

/** Loads a file, and has a few tokens evaluated. Processes that the engine starts must not be given this text again. */
const TRIAL = `
process.execArgv.length = 0;
const [, entry, modelPath, gpu] = process.argv;
const { getLlama, InsufficientMemoryError, LlamaLogLevel } = await import(entry);
const llama = await getLlama({
  gpu: gpu === "false" ? false : gpu,
  build: "never", skipDownload: true, progressLogs: false, maxThreads: 1, logLevel: LlamaLogLevel.disabled,
});
try {
  // All of it on the GPU, where there is one: a layer on the processor would show nothing.
  const model = await llama.loadModel({ modelPath, ...(gpu !== "false" && { gpuLayers: "max" }) });
  const context = await model.createContext({ contextSize: 64 });
  await context.getSequence().evaluateWithoutGeneratingNewTokens(model.tokenize("A, B"));
} catch (error) {
  if (error instanceof InsufficientMemoryError) process.exit(${NO_MEMORY});
  throw error;
}
process.exit(0);
`;

/** End of a trial: as a process ends, and the line in which the engine told why. */
export interface TrialEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly told: string;
}

/** Loads a model file in a process of its own, as what is wrong with a file or a driver may end the engine's process. */
export async function tryInOwnProcess(path: string, gpu: string | false, signal: AbortSignal): Promise<TrialEnd> {
  signal.throwIfAborted();
  const child = spawn(process.execPath, ["--input-type=module", "--eval", TRIAL, engineEntry(), path, String(gpu)], {
    cwd: packageRoot,
    stdio: ["ignore", "ignore", "pipe"],
  });
  const stop = () => child.kill("SIGKILL");
  signal.addEventListener("abort", stop, { once: true });
  let told = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    told = (told + text).slice(0, 2000);
  });
  try {
    const [code, by] = (await once(child, "close")) as [number | null, NodeJS.Signals | null];
    const line = told.split("\n").find((each) => each.includes("ASSERT") || each.includes("error")) ?? "";
    return { code, signal: by, told: shorten(line.replace(/^.*\/(?=[^/]+:\d+:)/, "").trim(), 120) };
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/** Such as `SIGABRT: ggml-cuda.cu:108: CUDA error`. */
export function trialEndText({ code, signal, told }: TrialEnd): string {
  return `${signal ?? `exit code ${code}`}${told === "" ? "" : `: ${told}`}`;
}
