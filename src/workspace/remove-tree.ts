import { chmod, lstat, readdir, rename, rm, rmdir, unlink } from "node:fs/promises";
import { isSystemError, messageOf } from "../base/errors.js";

/**
 * Removes a folder that anybody may have filled, or a file; no link is followed. Folders without rights get them, and those
 * nested deeper than a path can say are moved up first, so that no path is longer than two names.
 * @returns why it is left, in words; `null`: it is gone
 */
export async function removeTree(path: string): Promise<string | null> {
  try {
    await removeAny(path);
    return null;
  } catch (error) {
    return isSystemError(error, "ENOENT") ? null : messageOf(error);
  }
}

async function removeAny(path: string): Promise<void> {
  const info = await lstat(path);
  if (!info.isDirectory()) return unlink(path);
  try {
    // Nearly always enough, and fast.
    await rm(path, { recursive: true });
  } catch {
    await flatten(Buffer.from(path));
    await rmdir(path);
  }
}

/** Empties a folder: the folders in its folders become its own, until there is none. Names need not be text. */
async function flatten(root: Buffer): Promise<void> {
  let moved = 0;
  for (let folders = await foldersOf(root); folders.length > 0; folders = await foldersOf(root)) {
    for (const folder of folders) {
      for (const inner of await foldersOf(folder)) {
        // Who moves a folder has to be able to write it.
        await chmod(inner, 0o700);
        await rename(inner, within(root, Buffer.from(`moved-${process.pid}-${moved++}`)));
      }
      await rmdir(folder);
    }
  }
}

/** The folders in a folder; all else in it is removed. */
async function foldersOf(folder: Buffer): Promise<Buffer[]> {
  await chmod(folder, 0o700);
  const entries = await readdir(folder, { withFileTypes: true, encoding: "buffer" });
  for (const entry of entries) if (!entry.isDirectory()) await unlink(within(folder, entry.name));
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => within(folder, name));
}

function within(folder: Buffer, name: Buffer): Buffer {
  return Buffer.concat([folder, Buffer.from("/"), name]);
}
