import { execFile } from "node:child_process";
import { readdir, rename, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import type { Llama } from "node-llama-cpp";
import { messageOf, modelUnavailable } from "../../../base/errors.js";
import { shortenLines } from "../../../base/text.js";
import { onDisk } from "../../../store/atomic-write.js";
import { temporaryBeside } from "../../../store/folder/own-files.js";
import { makeFolder } from "../../../store/folder/work-folder.js";
import { type EngineBuild, engineBuilds } from "./engine-builds.js";
import { ENGINE, lockWith, readEngineLock } from "./engine-lock.js";
import { engineFolder, hasBuild } from "./find-engine.js";
import { startEngine, TRIAL_MODEL } from "./start-engine.js";
import { tryInOwnProcess } from "./trial.js";

/** The source it could be compiled from (35 MB): nothing here compiles it. */
const UNUSED = join("node_modules", ENGINE, "llama", "gitRelease.bundle");
const LONGEST_LINE = 300;

/** Result of an install. */
interface InstalledEngine {
  readonly folder: string;
  /** Packages whose hash this program does not know: npm took the registry's word for them. */
  readonly unhashed: readonly string[];
  /** Processor that the engine computes on now; `false`: the CPU. */
  readonly gpu: Llama["gpu"];
  /** Why the builds for a GPU that are there are not used. */
  readonly messages: readonly string[];
}

/**
 * Fetches the engine with some of its builds into `folder` by npm, each package by version, and by hash where that
 * is known, and loads it. What was there is replaced once the new one is whole; the builds that were there stay.
 * @param builds of this system, those of every install among them
 * @param onTrial hears that a GPU is tried, which may take a minute
 * @throws ProbeError `model_unavailable` where npm or the registry is out of reach, or the engine does not load
 */
export async function installEngine(
  builds: readonly EngineBuild[],
  onTrial: (message: string) => void,
  folder = engineFolder(),
): Promise<InstalledEngine> {
  const packages = builds.flatMap((build) => build.packages);
  const { manifest, lock, unhashed } = lockWith(readEngineLock(), packages);
  const temporary = await temporaryBeside(folder);
  await makeFolder(temporary);
  try {
    await onDisk(temporary, () => writeFile(join(temporary, "package.json"), JSON.stringify(manifest)));
    await onDisk(temporary, () => writeFile(join(temporary, "package-lock.json"), JSON.stringify(lock)));
    await fetchByNpm(temporary, folder);
    await rm(join(temporary, UNUSED), { force: true });
    await onDisk(folder, () => rm(folder, { recursive: true, force: true }));
    await onDisk(folder, () => rename(temporary, folder));
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
  return { folder, unhashed, ...(await tryEngine(onTrial)) };
}

/** The builds of `all` that an install is to have: the first, those named, and those that are there. */
export function buildsToHave(all: readonly EngineBuild[], named: readonly string[]): EngineBuild[] {
  const modules = join(engineFolder(), "node_modules");
  return all.filter((build, index) => index === 0 || named.includes(build.name) || hasBuild(modules, build));
}

/** Optional packages are left out: without this, every build for this system would come along. */
async function fetchByNpm(cwd: string, folder: string): Promise<void> {
  const args = ["ci", "--omit=optional", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  try {
    // npm is a script on Windows, which only a shell starts.
    await promisify(execFile)("npm", args, { cwd, shell: process.platform === "win32" });
  } catch (cause) {
    const text = cause instanceof Error && "stderr" in cause ? String(cause.stderr).trim() : "";
    throw modelUnavailable(
      `Expected npm to fetch the engine, found: ${shortenLines(text === "" ? messageOf(cause) : text, LONGEST_LINE)}\n` +
        `Check that npm and its registry can be reached; or copy ${folder} from a machine like this one that has it.`,
      cause,
    );
  }
}

async function tryEngine(onTrial: (message: string) => void): Promise<Pick<InstalledEngine, "gpu" | "messages">> {
  const messages: string[] = [];
  const { signal } = new AbortController();
  const llama = await startEngine("auto", { signal, onMessage: (message) => messages.push(message), onTrial });
  const { gpu } = llama;
  await llama.dispose();
  if (gpu === "cuda" || !(await fallBackToOlderCuda(signal))) return { gpu, messages };
  return { gpu: "cuda", messages: ["The build for CUDA 12 is used: the one for 13 does not compute here."] };
}

/**
 * Has the engine take its build for CUDA 12, as it does where the one for 13 does not load, if that one does not compute
 * and this one does: its code is older, so that an older driver can translate it.
 * @returns whether it does; else all is as it was
 */
export async function fallBackToOlderCuda(
  signal: AbortSignal,
  modules = join(engineFolder(), "node_modules"),
): Promise<boolean> {
  const newer = await newerCuda(modules);
  if (newer === null) return false;
  const aside = `${newer}.unused`;
  await rename(newer, aside);
  let computes = false;
  try {
    computes = (await tryInOwnProcess(TRIAL_MODEL, "cuda", signal)).code === 0;
  } finally {
    if (!computes) await rename(aside, newer);
  }
  return computes;
}

/** The library of the build for CUDA 13; `null` where that build is not installed. */
async function newerCuda(modules: string): Promise<string | null> {
  const build = engineBuilds().find(({ name }) => name === "cuda");
  const [name] = build?.packages ?? [];
  if (build === undefined || name === undefined || !hasBuild(modules, build)) return null;
  const place = join(modules, name, "bins");
  const file = (await readdir(place, { recursive: true })).find((each) =>
    /^(lib)?ggml-cuda\.(so|dll)$/.test(basename(each)),
  );
  return file === undefined ? null : join(place, file);
}
