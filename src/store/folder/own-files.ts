import { randomBytes } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { readdir, readFile, rm, stat } from "node:fs/promises";
import { hostname } from "node:os";
import { basename, dirname, join } from "node:path";
import { z } from "zod";
import { badInput, isSystemError, ProbeError } from "../../base/errors.js";
import { jsonValue } from "../../base/text.js";
import { readText, requirePlainFile } from "../text-lines.js";

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
    throw badInput(`Expected a folder at ${path}, found ${found}. Name another.`, cause);
  });
  const others = files.filter((name) => !isOwn(name));
  if (others.length === 0) return;
  throw badInput(
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

/** Content of a lock file: its process, and how to find out whether that still lives. */
const holderSchema = z.object({
  /** Unique to this lock. */
  id: z.string().regex(/^[0-9a-f-]{1,40}$/),
  host: z.string(),
  /** Id of the system's start; `null` where it has none. */
  boot: z.string().nullable(),
  /** The same process id means another process in another one; `null` where there are none. */
  pid_namespace: z.string().nullable(),
  pid: z.int().positive(),
  /** When the process began, in the system's own unit; `null` where it does not tell. */
  started: z.string().nullable(),
});

export type Holder = z.infer<typeof holderSchema>;

/** Content of locks of earlier versions: the process id alone. */
const PID_ALONE = /^([1-9]\d{0,9})\n?$/;

/** This process, as the holder of one more lock. */
export function thisProcess(): Holder {
  return { ...HERE, id: randomBytes(6).toString("hex"), pid: process.pid, started: startedSync(process.pid) };
}

const HERE = {
  host: hostname(),
  boot: readOrNull(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()),
  pid_namespace: readOrNull(() => readlinkSync("/proc/self/ns/pid")),
};

function parseHolder(text: string): Holder | null {
  const pid = PID_ALONE.exec(text)?.[1];
  if (pid !== undefined) return { ...HERE, id: `0-${pid}`, pid: Number(pid), started: null };
  return holderSchema.safeParse(jsonValue(text)).data ?? null;
}

const MOST_BYTES = 4096;

/**
 * The holder that a lock file names; `null` when it names none.
 * @throws a system's error when it cannot be read
 */
export async function readHolder(path: string): Promise<Holder | null> {
  try {
    await requirePlainFile(path);
    return parseHolder(await readText(path, MOST_BYTES));
  } catch (error) {
    if (error instanceof ProbeError) return null;
    throw error;
  }
}

/**
 * State of a holder: `elsewhere` when this process cannot see it, on another host or in another container. A process id
 * that was given to a new process is told by when that one began.
 */
export async function lifeOf({
  host,
  boot,
  pid_namespace,
  pid,
  started,
}: Holder): Promise<"alive" | "gone" | "elsewhere"> {
  if (host !== HERE.host || boot !== HERE.boot || pid_namespace !== HERE.pid_namespace) return "elsewhere";
  if (!isThere(pid)) return "gone";
  const now = await startedOf(pid);
  if (now === "zombie") return "gone";
  return started === null || now === null || now === started ? "alive" : "gone";
}

/** Tests if a process of this host and container has this id. */
function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return isSystemError(error, "EPERM");
  }
}

function startedSync(pid: number): string | null {
  return readOrNull(() => startIn(readFileSync(`/proc/${pid}/stat`, "utf8")));
}

async function startedOf(pid: number): Promise<string | null> {
  return await readFile(`/proc/${pid}/stat`, "utf8").then(startIn, () => null);
}

/** Field 22 of `/proc/PID/stat`; the name before it may hold anything. A process that ended but was not waited for is none. */
function startIn(stat: string): string | null {
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return fields[0] === "Z" || fields[0] === "X" ? "zombie" : (fields[19] ?? null);
}

function readOrNull<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}
