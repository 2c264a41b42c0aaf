import { cp, mkdtemp, readdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { badInput } from "../../../base/errors.js";
import { cacheFolder, packageRoot } from "../../../base/folders.js";
import { sha256 } from "../../../base/sha256.js";
import { shorten } from "../../../base/text.js";
import { onDisk } from "../../../store/atomic-write.js";
import { makeFolder } from "../../../store/folder/work-folder.js";
import { runCommand } from "../../../workspace/run-command.js";
import { isFolder } from "../../../workspace/tree-files.js";

/** The pinned test runner on this machine. */
export interface InstalledRunner {
  /** Its folder, with its packages. */
  readonly folder: string;
  /** SHA-256 of its own files, the lock file among them: part of a run, which another runner would make another. */
  readonly sha256: string;
}

const SOURCE = join(packageRoot, "runners", "vitest");
/** A slow network, and 185 MB. */
const LIMIT_MS = 15 * 60_000;

/** Packages that tests and fixtures may import from it. */
export async function providedPackages(): Promise<ReadonlySet<string>> {
  const { dependencies } = packageSchema.parse(JSON.parse(await readFile(join(SOURCE, "package.json"), "utf8")));
  return new Set(Object.keys(dependencies));
}

const packageSchema = z.object({ dependencies: z.record(z.string(), z.string()) });

/** Folder of installed runners. */
export function runnersFolder(environment: NodeJS.ProcessEnv = process.env): string {
  return join(cacheFolder(environment), "runners");
}

/** The runner, if it is installed; `null`: it is not. */
export async function findRunner(folder = runnersFolder()): Promise<InstalledRunner | null> {
  const runner = await placeOf(folder);
  return (await isWhole(runner.folder)) ? runner : null;
}

const lockSchema = z.object({ packages: z.record(z.string(), z.looseObject({ optional: z.boolean().optional() })) });

/** Tests for a folder that has every package of the lock file, but for those of other machines. */
async function isWhole(folder: string): Promise<boolean> {
  const { packages } = lockSchema.parse(JSON.parse(await readFile(join(SOURCE, "package-lock.json"), "utf8")));
  const paths = Object.entries(packages).flatMap(([path, { optional }]) => (optional === true ? [] : path));
  return (await Promise.all(paths.map((path) => isFolder(join(folder, path))))).every(Boolean);
}

/**
 * Installs the runner, once: packages of its lock file, none of whose scripts are run. A runner that is there is left as it
 * is and needs no network; one that lost packages is installed anew. A kill leaves nothing that passes for a whole one.
 * @throws ProbeError `bad_input` where npm cannot install it
 */
export async function installRunner({
  folder = runnersFolder(),
  signal = new AbortController().signal,
}: {
  folder?: string;
  signal?: AbortSignal;
} = {}): Promise<InstalledRunner> {
  const runner = await placeOf(folder);
  if (await isWhole(runner.folder)) return runner;
  await makeFolder(folder);
  await onDisk(folder, () => rm(runner.folder, { recursive: true, force: true }));
  const building = await onDisk(folder, () => mkdtemp(join(folder, "installing-")));
  try {
    for (const name of await sourceFiles()) await cp(join(SOURCE, name), join(building, name));
    await npmCi(building, signal);
    await rename(building, runner.folder).catch(async (error: unknown) => {
      // Somebody else was faster: theirs is the same.
      if (!(await isWhole(runner.folder))) throw error;
    });
    return runner;
  } finally {
    await rm(building, { recursive: true, force: true });
  }
}

async function npmCi(folder: string, signal: AbortSignal): Promise<void> {
  const env = Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const result = await runCommand(
    {
      argv: ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--no-update-notifier"],
      cwd: folder,
      env: Object.fromEntries(env),
      limitMs: LIMIT_MS,
    },
    signal,
  );
  signal.throwIfAborted();
  if (result.end === "exited" && result.code === 0) return;
  throw badInput(
    "Expected npm to install the test runner (npm ci --ignore-scripts), found: " +
      `${shorten(result.output.trim() || result.end, 500)}. Check npm and the network, then try again.`,
  );
}

async function placeOf(folder: string): Promise<InstalledRunner> {
  const hash = await sourceHash();
  return { folder: join(folder, `vitest-${hash.slice(0, 16)}`), sha256: hash };
}

/** Hash of names and contents. */
async function sourceHash(): Promise<string> {
  const names = await sourceFiles();
  const parts = await Promise.all(names.map(async (name) => `${name} ${sha256(await readFile(join(SOURCE, name)))}\n`));
  return sha256(parts.join(""));
}

async function sourceFiles(): Promise<string[]> {
  const entries = await readdir(SOURCE, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .sort();
}
