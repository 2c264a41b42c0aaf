import { chmod, lstat, mkdtemp, readdir, readFile, realpath, rename, rm, rmdir, stat, unlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative, sep } from "node:path";
import { badInput, isSystemError, messageOf, whereMissing } from "../base/errors.js";
import { sha256 } from "../base/sha256.js";

/** A new folder of this process alone, as `inTemporary`. */
export function temporaryFolder(prefix: string): Promise<string> {
  return inTemporary((place) => mkdtemp(join(place, prefix)));
}

/**
 * Makes a folder in the system's place for temporary ones.
 * @throws ProbeError `bad_input` where there can be none
 */
export async function inTemporary(make: (place: string) => Promise<string>): Promise<string> {
  try {
    return await make(await realpath(tmpdir()));
  } catch (cause) {
    const advice = "Make room for one there, or name another place in the variable TMPDIR.";
    throw badInput(`Expected to make a folder in ${tmpdir()}, found: ${messageOf(cause)}. ${advice}`, cause);
  }
}

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

/** Folders that are no part of the files of a tree: packages, and histories. */
const LEFT_OUT = ["node_modules", ".git"];

/** All files of a folder, by their paths within it, sorted; those in `node_modules` and `.git` left out, links too; none of a folder that is not there. */
export async function filesOf(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(
    whereMissing([], "ENOENT", "ENOTDIR", "ELOOP"),
  );
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .filter((path) => !path.split("/").some((part) => LEFT_OUT.includes(part)))
    .sort();
}

/** Tests for a folder, links followed. */
export async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null))?.isDirectory() === true;
}

/** Tests for a plain file, links followed. */
export async function isFile(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null))?.isFile() === true;
}

/** Texts of the files of a folder that are wanted. */
export async function textsIn(
  folder: string,
  isWanted: (path: string) => boolean = () => true,
): ReturnType<typeof readTexts> {
  return readTexts(folder, (await filesOf(folder)).filter(isWanted));
}

/** Files of a tree that are plain ones, as UTF-8; a link among them is left out. */
export async function readTexts(
  tree: string,
  paths: readonly string[],
): Promise<{ readonly path: string; readonly text: string }[]> {
  const found: { path: string; text: string }[] = [];
  for (const path of paths) {
    const at = join(tree, path);
    if ((await lstat(at)).isFile()) found.push({ path, text: await readFile(at, "utf8") });
  }
  return found;
}

/** A line for each file below a folder, its path there and its SHA-256, in order; none where there is no folder. */
export async function fileHashes(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(whereMissing([]));
  const lines: string[] = [];
  // One after the other: a tree may have more files than a process may open.
  for (const entry of entries.filter((each) => each.isFile())) {
    const path = join(entry.parentPath, entry.name);
    lines.push(`${path.slice(folder.length)} ${sha256(await readFile(path))}`);
  }
  return lines.sort();
}
