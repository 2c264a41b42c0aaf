import { takeLock } from "./lock.js";
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
