import { randomBytes } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { hostname } from "node:os";
import { z } from "zod";
import { isSystemError, ProbeError } from "../../base/errors.js";
import { readText, requirePlainFile } from "../text-lines.js";

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
  try {
    return holderSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
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
export function isThere(pid: number): boolean {
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
