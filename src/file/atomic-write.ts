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
    await write(async (text) => {
      await file.write(text);
    });
    await file.sync();
  } catch (error) {
    await file.close();
    await rm(temporary, { force: true });
    throw error;
  }
  await file.close();
  await rename(temporary, path);
}
