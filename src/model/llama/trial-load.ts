import { spawn } from "node:child_process";
import { once } from "node:events";
import { access, mkdir, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { ProbeError } from "../../base/errors.js";
import { packageRoot } from "../../base/package-root.js";
import { shorten } from "../../base/text.js";
import { modelsFolder } from "./model-file.js";

/** Loads a file, and has one token evaluated. Processes that the engine starts must not be given this text again. */
const TRIAL = `
process.execArgv.length = 0;
const { getLlama, LlamaLogLevel } = await import("node-llama-cpp");
const options = { gpu: false, build: "never", skipDownload: true, maxThreads: 1, logLevel: LlamaLogLevel.disabled };
const model = await (await getLlama(options)).loadModel({ modelPath: process.argv[1] });
const context = await model.createContext({ contextSize: 64 });
await context.getSequence().evaluateWithoutGeneratingNewTokens(model.tokenize("A"));
process.exit(0);
`;

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
  if (await isThere(known)) return;
  const ended = await trialEnd(path, signal);
  signal.throwIfAborted();
  if (ended.signal !== null) {
    throw new ProbeError(
      "model_unavailable",
      `Expected to load ${basename(path)} as a GGUF model, found that it ends the engine (${ended.signal}` +
        `${ended.told === "" ? "" : `: ${ended.told}`}). The file is damaged: compare its SHA-256, ${sha256}, with that of ` +
        "its source, and fetch it anew.",
    );
  }
  // Where nothing can be noted, it is tried again the next time.
  if (ended.code === 0) await note(known).catch(() => undefined);
}

async function trialEnd(path: string, signal: AbortSignal) {
  // Found from the package's own folder, wherever it is installed.
  const child = spawn(process.execPath, ["--input-type=module", "--eval", TRIAL, path], {
    ...{ cwd: packageRoot, stdio: ["ignore", "ignore", "pipe"] },
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

async function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

async function note(path: string): Promise<void> {
  await mkdir(join(path, ".."), { recursive: true });
  await writeFile(path, "");
}
