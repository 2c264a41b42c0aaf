import { stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { isSystemError, messageOf, modelUnavailable, type ProbeError } from "../../base/errors.js";
import { cacheFolder, packageRoot } from "../../base/folders.js";
import { shorten } from "../../base/text.js";
import { makeFolder } from "../../store/folder/work-folder.js";
import { importEngine } from "./package/find-engine.js";

const PACKAGE_PREFIX = "package:";
/** Beginning of the name of a file of the Hugging Face hub. */
export const HUB_FILE = "hf:";
const REACH_TIMEOUT_MS = 10_000;

/** Folder of downloaded models. */
export function modelsFolder(environment: NodeJS.ProcessEnv = process.env): string {
  return environment["PROBE_MODELS_DIR"] || join(cacheFolder(environment), "models");
}

/**
 * The path of the GGUF file that `name` means: a path, `package:` + a path inside this package, or `hf:owner/repo/file`,
 * which is downloaded once.
 * @throws ProbeError `model_unavailable` when there is no file and none can be had; `bad_input` where none can be kept
 */
export async function resolveModelFile(name: string, onDownload?: (fraction: number) => void): Promise<string> {
  if (name.startsWith(HUB_FILE)) return download(name, onDownload);
  const path = name.startsWith(PACKAGE_PREFIX) ? join(packageRoot, name.slice(PACKAGE_PREFIX.length)) : resolve(name);
  const info = await stat(path).catch((cause: unknown) => {
    throw unavailable(name, isSystemError(cause, "ENOENT") ? "no such file" : messageOf(cause), cause);
  });
  if (!info.isFile()) throw unavailable(name, "something that is not a file");
  return path;
}

async function download(uri: string, onDownload?: (fraction: number) => void): Promise<string> {
  const { resolveModelFile: resolveUri } = await importEngine();
  const directory = modelsFolder();
  await makeFolder(directory);
  try {
    return await resolveUri(uri, { directory, download: false, cli: false });
  } catch {
    // Not there yet: fetch it, if its host can be reached. The engine itself would retry for ever.
  }
  await requireReachable(uri);
  try {
    return await resolveUri(uri, {
      directory,
      cli: false,
      onProgress: ({ totalSize, downloadedSize }) => onDownload?.(totalSize > 0 ? downloadedSize / totalSize : 0),
    });
  } catch (cause) {
    throw unavailable(uri, messageOf(cause), cause);
  }
}

/** Address that files of the hub come from, without a slash at its end: chosen as the engine does, which fetches them. */
export function hubHost(): string {
  const named = [process.env["MODEL_ENDPOINT"], process.env["HF_ENDPOINT"]];
  return (named.find(isWebAddress) ?? "https://huggingface.co").replace(/\/+$/, "");
}

function isWebAddress(text: string | undefined): text is string {
  return text !== undefined && URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

async function requireReachable(uri: string): Promise<void> {
  const [owner, repository, ...file] = uri.slice(HUB_FILE.length).split("/");
  if (owner === undefined || repository === undefined)
    throw unavailable(uri, "a name that is not hf:owner/repository/file");
  const url = new URL(
    `${owner}/${repository.split(":")[0]}/${file.length > 0 ? `resolve/main/${file.join("/")}` : ""}`,
    `${hubHost()}/`,
  );
  let status: number;
  try {
    status = (await fetch(url, { method: "HEAD", signal: AbortSignal.timeout(REACH_TIMEOUT_MS) })).status;
  } catch (cause) {
    throw unavailable(uri, "no copy on this machine and no network to fetch one", cause);
  }
  if (status >= 400) throw unavailable(uri, `no copy on this machine, and the hub answers ${status} for it`);
}

function unavailable(name: string, found: string, cause?: unknown): ProbeError {
  return modelUnavailable(
    `Expected a model file for ${name}, found ${shorten(found, 300)}. Three ways on: ` +
      "(1) name a GGUF file you have, --model path/to/model.gguf, or put it where `probe models` says downloads are kept; " +
      "(2) ask a server: --model openai:auto --base-url http://127.0.0.1:8000/v1; " +
      "(3) use the bundled model: --model tiny.",
    cause,
  );
}
