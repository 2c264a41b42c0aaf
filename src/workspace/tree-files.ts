import { lstat, readdir, readFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { isSystemError } from "../base/errors.js";
import { sha256 } from "../base/sha256.js";

/** Folders that are no part of the files of a tree: packages, and histories. */
const LEFT_OUT = ["node_modules", ".git"];

/** All files of a folder, by their paths within it, sorted; those in `node_modules` and `.git` left out, links too; none of a folder that is not there. */
export async function filesOf(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch((error: unknown) => {
    if (isSystemError(error, "ENOENT") || isSystemError(error, "ENOTDIR")) return [];
    throw error;
  });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .filter((path) => !path.split("/").some((part) => LEFT_OUT.includes(part)))
    .sort();
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
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch((error: unknown) => {
    if (isSystemError(error, "ENOENT")) return [];
    throw error;
  });
  const lines: string[] = [];
  // One after the other: a tree may have more files than a process may open.
  for (const entry of entries.filter((each) => each.isFile())) {
    const path = join(entry.parentPath, entry.name);
    lines.push(`${path.slice(folder.length)} ${sha256(await readFile(path))}`);
  }
  return lines.sort();
}
