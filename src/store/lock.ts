import { link, readFile, rename, rm, writeFile } from "node:fs/promises";
import { isSystemError, ProbeError } from "../base/errors.js";

/**
 * Takes a lock file for this process, so that two processes never write the same files. A lock that a killed process
 * left is taken over.
 * @param lock path of the lock file
 * @param what is locked, and what to do when somebody else has it: for the message
 * @returns gives it back
 * @throws ProbeError `bad_input` when a living process has it
 */
export async function takeLock(
  lock: string,
  what: { readonly name: string; readonly advice: string },
): Promise<() => Promise<void>> {
  // The lock appears with its content, by a link: it is never found empty.
  const mine = `${lock}.${process.pid}`;
  await writeFile(mine, `${process.pid}\n`);
  try {
    for (let attempt = 0; attempt < 3; attempt++) {
      try {
        await link(mine, lock);
        return () => rm(lock, { force: true });
      } catch (error) {
        if (!isSystemError(error, "EEXIST")) throw error;
        await removeStaleLock(lock, what);
      }
    }
  } finally {
    await rm(mine, { force: true });
  }
  throw new ProbeError("bad_input", `Expected to take ${lock}, found another process taking it. Try again.`);
}

async function removeStaleLock(
  lock: string,
  { name, advice }: { readonly name: string; readonly advice: string },
): Promise<void> {
  const pid = Number.parseInt(await readFile(lock, "utf8").catch(() => ""), 10);
  if (pid !== process.pid && isAlive(pid)) {
    throw new ProbeError(
      "bad_input",
      `Expected ${name} to be free, found it in use by process ${pid}. Wait for it, or ${advice}. ` +
        `If that process is not probe, remove ${lock}.`,
    );
  }
  // Of several that find it stale, one moves it away; the others find it gone.
  const stale = `${lock}.stale-${process.pid}`;
  await rename(lock, stale).catch((error: unknown) => {
    if (!isSystemError(error, "ENOENT")) throw error;
  });
  await rm(stale, { force: true });
}

function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return isSystemError(error, "EPERM");
  }
}
