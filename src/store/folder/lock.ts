import { type FileHandle, link, open, readdir, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { badInput, isSystemError, ProbeError, whereMissing } from "../../base/errors.js";
import { onDisk } from "../atomic-write.js";
import { type Holder, lifeOf, readHolder, removeStaleFilesOf, thisProcess } from "./own-files.js";

/**
 * Takes a file that is written in place for this process, by a lock beside it (`PATH.lock`), and removes what killed
 * processes left beside it.
 * @param advice what to do when somebody else has it
 * @returns gives it back
 * @throws ProbeError `bad_input` when somebody else has it, or when there cannot be such a file
 */
export async function lockFile(path: string, advice = "name another output with --out"): Promise<() => Promise<void>> {
  const unlock = await takeLock(`${path}.lock`, { name: path, advice });
  await removeStaleFilesOf(path);
  return unlock;
}

const PAUSE_MS = 50;

/**
 * Takes a file as `lockFile` does that others have for moments: waits up to ten seconds until it is free.
 * @throws ProbeError `bad_input` when somebody has it for longer
 */
export async function waitForFile(path: string): Promise<() => Promise<void>> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await lockFile(path, "try again");
    } catch (error) {
      if (!(error instanceof LockHeld) || attempt === ATTEMPTS) throw error;
      await wait(PAUSE_MS);
    }
  }
}

/** Words of the message about a lock that somebody else holds. */
interface LockedThing {
  readonly name: string;
  /** Such as `name another folder with --out`. */
  readonly advice: string;
}

/** Somebody else has it. */
class LockHeld extends ProbeError {}

const BEAT_MS = 3000;
/** A lock of another host or container that was not touched for so long is one that nobody has. */
const SILENT_MS = 60_000;
const ATTEMPTS = 200;

/** A lock file of this process, until it is given back. */
interface HeldLock {
  readonly path: string;
  readonly file: FileHandle;
  readonly content: string;
}

/**
 * Takes a lock file for this process, so that two processes never write the same files. A lock whose process is gone is
 * taken over: by one of those that try. While it is held, it is touched every few seconds, which is all that a process on
 * another host or in another container can see of its holder.
 * @param lock path of the lock file
 * @returns gives it back
 * @throws LockHeld `bad_input` when somebody else has it
 */
export async function takeLock(lock: string, what: LockedThing): Promise<() => Promise<void>> {
  const held = await take(lock, what);
  await removeDeadRights(lock);
  const beat = setInterval(() => void touch(held), BEAT_MS).unref();
  return async () => {
    clearInterval(beat);
    await giveBack(held);
  };
}

async function take(lock: string, what: LockedThing): Promise<HeldLock> {
  const holder = thisProcess();
  const content = `${JSON.stringify(holder)}\n`;
  const mine = `${lock}.${holder.id}.${process.pid}.tmp`;
  // The lock appears with its content, by a link: it is never found empty.
  const file = await onDisk(lock, () => open(mine, "wx"));
  try {
    await onDisk(lock, async () => {
      await file.appendFile(content);
      await file.sync();
    });
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      if ((await linkNew(mine, lock)) || (await takeOver({ path: lock, file, content }, mine, what))) {
        return { path: lock, file, content };
      }
      await wait(attempt % 10);
    }
    throw badInput(`Expected to take ${lock}, found other processes taking it. Try again.`);
  } catch (error) {
    await file.close();
    throw error;
  } finally {
    await rm(mine, { force: true });
  }
}

async function linkNew(mine: string, lock: string): Promise<boolean> {
  try {
    await link(mine, lock);
    return true;
  } catch (error) {
    if (isSystemError(error, "EEXIST")) return false;
    return onDisk(lock, () => (hasNoLinks(error) ? renameNew(mine, lock) : Promise.reject(error)));
  }
}

/** Answers of file systems without hard links, such as of USB sticks and of drives in a cloud. */
function hasNoLinks(error: unknown): boolean {
  return ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"].some((code) => isSystemError(error, code));
}

/** A turn of so long was left by a process that was killed in it. */
const TURN_MS = 10_000;

/** As by a link, where there are none: one after the other, a renamed file would replace a lock that another took. */
async function renameNew(mine: string, lock: string): Promise<boolean> {
  const path = `${lock}.turn`;
  const file = await open(path, "wx").catch(whereMissing(null, "EEXIST"));
  if (file === null) {
    const [own, other] = await Promise.all([stat(mine), stat(path).catch(whereMissing(null))]);
    if (other !== null && own.mtimeMs - other.mtimeMs > TURN_MS) await rm(path, { force: true });
    return false;
  }
  const turn = { path, file, content: "" };
  try {
    if ((await readLock(lock)) !== null || !(await isMine(turn))) return false;
    await rename(mine, lock);
    return true;
  } finally {
    await giveBack(turn);
  }
}

/**
 * Puts `mine` in the place of a lock that nobody has. Only who holds the right to take over that very lock may do so: a
 * lock of its own, named after it. So a lock that somebody took meanwhile is never the one that is replaced.
 * @returns whether the lock is this process's now
 * @throws ProbeError `bad_input` when somebody has it
 */
async function takeOver(held: HeldLock, mine: string, what: LockedThing): Promise<boolean> {
  const lock = held.path;
  const found = await readLock(lock);
  if (found === null) return false;
  await requireNobody(lock, found, held.file, what);
  const right = await take(`${lock}.${found.id}`, what);
  try {
    if ((await readLock(lock))?.id !== found.id) return false;
    await rename(mine, lock);
    return await isMine(held);
  } finally {
    await giveBack(right);
  }
}

interface FoundLock {
  /** Id of the lock; without a holder, that of its file. */
  readonly id: string;
  readonly holder: Holder | null;
  readonly touchedMs: number;
}

/** `null` when there is none. */
async function readLock(lock: string): Promise<FoundLock | null> {
  try {
    const holder = await readHolder(lock);
    const { ino, mtimeMs } = await stat(lock);
    return { holder, id: holder?.id ?? `0-${ino}`, touchedMs: mtimeMs };
  } catch (error) {
    if (isSystemError(error, "ENOENT")) return null;
    return onDisk(lock, () => Promise.reject(error));
  }
}

async function requireNobody(
  lock: string,
  { holder, touchedMs }: FoundLock,
  file: FileHandle,
  { name, advice }: LockedThing,
): Promise<void> {
  if (holder === null) return;
  const life = await lifeOf(holder);
  if (life === "gone") return;
  if (life === "alive") {
    throw new LockHeld(
      "bad_input",
      `Expected ${name} to be free, found it in use by process ${holder.pid}. Wait for it, or ${advice}. ` +
        `If that process is not probe, remove ${lock}.`,
    );
  }
  // Both times are those of the disk, whatever the clocks of the hosts say: this process's lock was written just now.
  const silentMs = (await file.stat()).mtimeMs - touchedMs;
  if (silentMs > SILENT_MS) return;
  throw new LockHeld(
    "bad_input",
    `Expected ${name} to be free, found it in use by process ${holder.pid} on ${holder.host}, another host or ` +
      `container. Wait for it, or ${advice}. If that process is gone, the same command takes over ` +
      `${Math.ceil((SILENT_MS - silentMs) / 1000)} seconds from now, or remove ${lock}.`,
  );
}

/** Renews the time of the file: writes the first byte of its content again. */
async function touch({ file, content }: HeldLock): Promise<void> {
  // A beat that fails is no reason to stop the work: the next may succeed.
  await file.write(content.slice(0, 1), 0).catch(() => undefined);
}

async function isMine({ path, file }: HeldLock): Promise<boolean> {
  const [there, own] = await Promise.all([stat(path).catch(() => null), file.stat()]);
  return there !== null && there.ino === own.ino && there.dev === own.dev;
}

async function giveBack(held: HeldLock): Promise<void> {
  try {
    if (await isMine(held)) await rm(held.path, { force: true });
  } finally {
    await held.file.close();
  }
}

/** Removes what processes left that were killed while they took the lock over. */
async function removeDeadRights(lock: string): Promise<void> {
  const prefix = `${basename(lock)}.`;
  for (const name of await readdir(dirname(lock))) {
    if (!name.startsWith(prefix) || name.endsWith(".tmp")) continue;
    const path = join(dirname(lock), name);
    const holder = (await readLock(path))?.holder ?? null;
    if (holder !== null && (await lifeOf(holder)) === "gone") await rm(path, { force: true });
  }
}
