import { readFileSync } from "node:fs";
import { lstat, opendir, readdir, readFile, readlink, stat, statfs } from "node:fs/promises";
import { join } from "node:path";

const MB = 1024 * 1024;

/** Limits of a command together with all that it starts. */
interface Limits {
  readonly processes: number;
  /** Bytes in memory, without those of its temporary folders, which have limits of their own. */
  readonly memory: number;
  /** Bytes, and files, that it adds to the folders that it may write. */
  readonly disk: number;
  readonly files: number;
}

/** Limits of every command. */
export const LIMITS: Limits = { processes: 1000, memory: 8192 * MB, disk: 2048 * MB, files: 200_000 };
/** Limits of each process alone, by the letters of `ulimit`: open files, threads of its user, kB of a file, kB left by a crash. */
export const PROCESS_LIMITS = { n: 4096, u: 4096, f: 1024 * 1024, c: 0 } as const;
/** Bytes of its temporary folders. */
export const TEMPORARY = { tmp: 1024 * MB, home: 1024 * MB, shm: 256 * MB, other: 16 * MB } as const;

const EVERY_MS = 250;

interface Watched {
  /** Process id of the first process; all others come from it. */
  readonly pid: () => number | null;
  /** Folders that the command may write. */
  readonly folders: readonly string[];
  /** Called once, in words, when it takes more. */
  readonly stop: (why: string) => void;
}

/** Looks four times a second at what a command takes: the kernel limits single processes, and sums only where it lets us. */
export function watchLimits({ pid, folders, stop }: Watched, limits: Limits = LIMITS): { end(): void } {
  const before = Promise.all(folders.map(freeOf));
  const sharedBefore = sharedMemory();
  let isOver = false;
  let isLooking = false;
  const look = async () => {
    const first = pid();
    const own = first === null ? [] : await processesFrom(first);
    const why = (await processFault(own, sharedBefore, limits)) ?? (await diskFault(folders, before, own, limits));
    if (why === null || isOver) return;
    isOver = true;
    stop(why);
  };
  const timer = setInterval(() => {
    if (isLooking || isOver) return;
    isLooking = true;
    void look()
      .catch(() => undefined)
      .finally(() => {
        isLooking = false;
      });
  }, EVERY_MS);
  timer.unref();
  return {
    end() {
      isOver = true;
      clearInterval(timer);
    },
  };
}

async function processFault(own: readonly Process[], sharedBefore: number, limits: Limits): Promise<string | null> {
  if (own.length > limits.processes) return `more than ${limits.processes} processes`;
  // Where the machine's shared memory has grown by a part of the limit, files in it are looked for that no folder shows.
  const isFuller = sharedMemory() - sharedBefore > limits.memory / 8;
  const files = isFuller ? await heldBytes(own, isInMemory) : 0;
  if (own.reduce((sum, { bytes }) => sum + bytes, files) <= limits.memory) return null;
  // Memory that processes share was counted for each of them, and such files a second time where they are mapped.
  const shares = await Promise.all(own.map(({ pid }) => shareOf(pid)));
  const mapped = shares.reduce((sum, share) => sum + share.shared, 0);
  const bytes = shares.reduce((sum, share) => sum + share.bytes, Math.max(files - mapped, 0));
  return bytes > limits.memory ? `more than ${limits.memory / MB} MB of memory` : null;
}

/** Bytes of this machine's memory that are files or shared; 0 where there is no /proc. */
function sharedMemory(): number {
  return kilobytes("Shmem", textOf("/proc/meminfo"));
}

function kilobytes(name: string, text: string): number {
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(text)?.[1] ?? 0) * 1024;
}

interface Process {
  readonly pid: number;
  readonly bytes: number;
}

const PAGE = 4096;

/** A process and all that came from it; none where there is no /proc. Who loses its parent is given to the first of its cage. */
async function processesFrom(first: number): Promise<Process[]> {
  const names = (await readdir("/proc").catch(() => [])).filter((name) => /^\d+$/.test(name));
  const stats = names.map((name) => textOf(`/proc/${name}/stat`));
  const children = new Map<number, Process[]>();
  const found: Process[] = [];
  for (const [i, stat] of stats.entries()) {
    // Its name, in brackets, may hold anything.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const [parent, pages] = [Number(fields[1]), Number(fields[21])];
    const siblings = children.get(parent) ?? [];
    const one = { pid: Number(names[i]), bytes: (Number.isFinite(pages) ? pages : 0) * PAGE };
    siblings.push(one);
    // Of a container it is the command itself.
    if (one.pid === first) found.push(one);
    children.set(parent, siblings);
  }
  const waiting = [first];
  for (let pid = waiting.pop(); pid !== undefined; pid = waiting.pop()) {
    const own = children.get(pid) ?? [];
    found.push(...own);
    waiting.push(...own.map((child) => child.pid));
  }
  return found;
}

/** At once: it is read from memory, and a thread would cost thrice as much. Empty for a process that has ended. */
function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

async function shareOf(pid: number): Promise<{ readonly bytes: number; readonly shared: number }> {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, "utf8").catch(() => "");
  return { bytes: kilobytes("Pss", text), shared: kilobytes("Pss_Shmem", text) };
}

interface Free {
  readonly bytes: number;
  readonly files: number;
}

/** `null` of a folder that is gone: nothing fills it. */
async function freeOf(folder: string): Promise<Free | null> {
  const found = await statfs(folder).catch(() => null);
  return found && { bytes: found.bavail * found.bsize, files: found.ffree };
}

/** Where a file system has become fuller by a good part of the limit, the folder itself is looked through. */
async function diskFault(
  folders: readonly string[],
  before: Promise<readonly (Free | null)[]>,
  own: readonly Process[],
  limits: Limits,
): Promise<string | null> {
  const first = await before;
  for (const [i, folder] of folders.entries()) {
    const was = first[i];
    const is = await freeOf(folder);
    if (!was || is === null) continue;
    const isFuller = was.bytes - is.bytes > limits.disk / 2 || was.files - is.files > limits.files / 2;
    if (isFuller && (await isLarger(folder, await heldBytes(own, (path) => !isInMemory(path)), limits)))
      return `more than ${limits.disk / MB} MB or ${limits.files} files on disk`;
  }
  return null;
}

/** Bytes of files that were removed and are still open, or mapped (seen by root alone): no folder shows them. */
async function heldBytes(own: readonly Process[], isWanted: (path: string) => boolean): Promise<number> {
  const found = new Map<string, number>();
  for (const folder of own.flatMap(({ pid }) => [`/proc/${pid}/fd`, `/proc/${pid}/map_files`])) {
    for (const name of await readdir(folder).catch(() => [])) {
      const link = join(folder, name);
      const path = await readlink(link).catch(() => "");
      const info = path.endsWith(" (deleted)") && isWanted(path) ? await stat(link).catch(() => null) : null;
      if (info?.isFile() === true && info.nlink === 0) found.set(`${info.dev} ${info.ino}`, info.blocks * 512);
    }
  }
  return [...found.values()].reduce((sum, bytes) => sum + bytes, 0);
}

/** Tells whether a file is memory without a name in any folder: `memfd_create`, shared memory. */
function isInMemory(path: string): boolean {
  return /^\/(?:memfd:|SYSV|dev\/zero )/.test(path);
}

async function isLarger(root: string, removed: number, limits: Limits): Promise<boolean> {
  const sum = { bytes: removed, files: 0 };
  if (removed > limits.disk) return true;
  const waiting = [root];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    for await (const { path, isFolder } of entriesOf(folder)) {
      if (isFolder) waiting.push(path);
      sum.files++;
      sum.bytes += isFolder ? 0 : await bytesOf(path);
      if (sum.bytes > limits.disk || sum.files > limits.files) return true;
    }
  }
  return false;
}

/** None of a folder that cannot be looked into. */
async function* entriesOf(folder: string): AsyncGenerator<{ readonly path: string; readonly isFolder: boolean }> {
  const entries = await opendir(folder).catch(() => null);
  if (entries === null) return;
  for await (const entry of entries) yield { path: join(folder, entry.name), isFolder: entry.isDirectory() };
}

async function bytesOf(path: string): Promise<number> {
  return ((await lstat(path).catch(() => null))?.blocks ?? 0) * 512;
}
