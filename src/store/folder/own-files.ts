import { readdir, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { isSystemError, ProbeError } from "../../base/errors.js";
import { isThere, lifeOf, readHolder } from "./holder.js";

/** Lock file in a work's own folder, while a process has it. */
export const FOLDER_LOCK = "run.lock";

/** Name of a file that is still being written: `NAME.PID.tmp`. */
const TEMPORARY = /\.([1-9]\d{0,9})\.tmp$/;
/**
 * Name of a lock file that a process is about to take, even one of another container, which cannot be seen from here.
 */
const LOCK_TEMPORARY = /\.lock\.[^/]*\.tmp$/;
const OLD_MS = 60_000;

/** Tests for files that a kill can leave in a folder before anything is recorded there. */
function isOwn(name: string): boolean {
  return name === FOLDER_LOCK || name.startsWith(`${FOLDER_LOCK}.`) || TEMPORARY.test(name);
}

/**
 * Checks that a folder for new work holds no files but those that a kill of the same work can have left.
 * @param own what it could have held, such as `a run`: for the message
 * @throws ProbeError `bad_input` when it is no folder, or not empty
 */
export async function requireEmptyFolder(path: string, own: string): Promise<void> {
  const files = await readdir(path).catch((cause: unknown) => {
    if (isSystemError(cause, "ENOENT")) return [];
    const found = isSystemError(cause, "EACCES") ? "one that may not be read" : "something else";
    throw new ProbeError("bad_input", `Expected a folder at ${path}, found ${found}. Name another.`, {
      cause,
    });
  });
  const others = files.filter((name) => !isOwn(name));
  if (others.length === 0) return;
  throw new ProbeError(
    "bad_input",
    `Expected ${path} to be new, empty or ${own}, found ${others.length} other files. Name another folder.`,
  );
}

/**
 * Removes temporary files that killed processes left; those of living ones stay. To be called under the lock.
 * @param beside the file whose temporary files are meant; `null`: of every file in the folder
 */
export async function removeStaleFiles(folder: string, beside: string | null = null): Promise<void> {
  for (const name of await readdir(folder)) {
    const pid = Number(TEMPORARY.exec(name)?.[1] ?? process.pid);
    if (pid === process.pid || isThere(pid) || (beside !== null && !name.startsWith(`${beside}.`))) continue;
    const path = join(folder, name);
    if (!LOCK_TEMPORARY.test(name) || (await isAbandoned(path))) await rm(path, { force: true });
  }
}

async function isAbandoned(path: string): Promise<boolean> {
  const holder = await readHolder(path).catch(() => null);
  if (holder !== null && (await lifeOf(holder)) === "gone") return true;
  const info = await stat(path).catch(() => null);
  return info !== null && Date.now() - info.mtimeMs > OLD_MS;
}

/** Removes those that are written beside `path`, likewise under its lock. */
export async function removeStaleFilesOf(path: string): Promise<void> {
  await removeStaleFiles(dirname(path), basename(path));
}

/**
 * Where to write what is to become `path`: a file beside it. Those that killed processes left for the same path are
 * removed first, be it held by a lock or not.
 */
export async function temporaryBeside(path: string): Promise<string> {
  const folder = dirname(path);
  const nameFor = (pid: number) => `${basename(path)}.${pid}.tmp`;
  for (const name of await readdir(folder).catch(() => [])) {
    const pid = Number(TEMPORARY.exec(name)?.[1] ?? process.pid);
    if (name === nameFor(pid) && !isThere(pid)) await rm(join(folder, name), { recursive: true, force: true });
  }
  return join(folder, nameFor(process.pid));
}

/**
 * Tests if a process may be at work in a folder: one that lives, or one of another host or container, seen by its lock
 * alone.
 */
export async function isHeld(folder: string): Promise<boolean> {
  const holder = await readHolder(join(folder, FOLDER_LOCK)).catch(() => null);
  return holder !== null && (await lifeOf(holder)) !== "gone";
}
