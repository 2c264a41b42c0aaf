import { setTimeout as wait } from "node:timers/promises";
import { LockHeld, takeLock } from "./lock.js";
import { removeStaleFilesOf } from "./own-files.js";

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

const ATTEMPTS = 200;
const PAUSE_MS = 50;

/**
 * Likewise, of a file that others have for moments: waits up to ten seconds until it is free.
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
