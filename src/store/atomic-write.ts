import { open, rename, rm } from "node:fs/promises";

/**
 * Writes a file so that a reader, or a kill, finds the old content or the new, never a part: into a file beside it,
 * flushed to disk, then renamed.
 */
export async function writeAtomically(
  path: string,
  write: (append: (text: string) => Promise<void>) => Promise<void>,
): Promise<void> {
  const temporary = `${path}.${process.pid}.tmp`;
  const file = await open(temporary, "w");
  try {
    try {
      // `appendFile` goes on after a short write (a disk that fills up), `write` would not notice.
      await write((text) => file.appendFile(text));
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
