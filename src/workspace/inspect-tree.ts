import type { Dirent } from "node:fs";
import { chmod, lstat, mkdir, readdir, readlink, realpath } from "node:fs/promises";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { messageOf } from "../base/errors.js";
import { shorten } from "../base/text.js";
import { isWithin } from "./shown-folders.js";
import { removeTree } from "./tree-files.js";

/** Folders that are made by running code, and are no part of what an agent wrote. */
export const LEFT_OUT = [
  "node_modules",
  "__pycache__",
  ".pytest_cache",
  ".mypy_cache",
  ".ruff_cache",
  ".vite",
  ".vitest",
  ".cache",
  ".nyc_output",
] as const;

export interface TreeSize {
  readonly files: number;
  readonly bytes: number;
}

/** Contents of a tree that a patch cannot, or must not, carry. */
export type TreeFault =
  | { readonly kind: "symlink"; readonly path: string }
  | { readonly kind: "name"; readonly path: string }
  | { readonly kind: "depth"; readonly path: string }
  | { readonly kind: "closed"; readonly path: string; readonly why: string }
  | { readonly kind: "size"; readonly found: TreeSize };

/** Bytes of a path in a tree: with the folder that the tree is in, systems take some 4,000. */
const MOST_PATH_BYTES = 3000;

interface Walk {
  readonly root: string;
  readonly most: TreeSize;
  files: number;
  bytes: number;
}

/**
 * Makes a tree that anybody may have worked in fit to be recorded: repositories in it, sockets and the like are removed, what
 * may not be read is made readable. A root that is gone, or something else, is an empty folder then.
 * @param most what it may hold
 * @returns why it is refused, or how much there is
 */
export async function cleanTree(root: string, most: TreeSize): Promise<TreeFault | TreeSize> {
  const info = await lstat(root).catch(() => null);
  if (info === null || !info.isDirectory()) {
    await removeTree(root);
    await mkdir(root, { recursive: true });
  }
  const walk: Walk = { root: await realpath(root), most, files: 0, bytes: 0 };
  return (await walkFolder(walk, walk.root)) ?? { files: walk.files, bytes: walk.bytes };
}

async function walkFolder(walk: Walk, folder: string): Promise<TreeFault | null> {
  if (Buffer.byteLength(relative(walk.root, folder)) > MOST_PATH_BYTES)
    return { kind: "depth", path: relative(walk.root, folder) };
  try {
    await chmod(folder, 0o755);
    for (const entry of await readdir(folder, { withFileTypes: true })) {
      const fault = await visit(walk, join(folder, entry.name), entry);
      if (fault !== null) return fault;
    }
    return null;
  } catch (error) {
    return { kind: "closed", path: relative(walk.root, folder), why: messageOf(error) };
  }
}

async function visit(walk: Walk, path: string, entry: Dirent): Promise<TreeFault | null> {
  if (entry.name.toLowerCase() === ".git" || !(entry.isFile() || entry.isDirectory() || entry.isSymbolicLink())) {
    const left = await removeTree(path);
    return left === null ? null : { kind: "closed", path: relative(walk.root, path), why: left };
  }
  if (LEFT_OUT.some((name) => name === entry.name)) return null;
  if (entry.isDirectory()) return walkFolder(walk, path);
  walk.files++;
  if (entry.isSymbolicLink())
    return (await leadsOut(walk.root, path)) ? { kind: "symlink", path: relative(walk.root, path) } : null;
  const info = await lstat(path).catch(() => null);
  if (info === null) return { kind: "name", path: relative(walk.root, path) };
  const { size, mode } = info;
  if ((mode & 0o400) === 0) await chmod(path, mode | 0o600);
  walk.bytes += size;
  const isTooMuch = walk.bytes > walk.most.bytes || walk.files > walk.most.files;
  return isTooMuch ? { kind: "size", found: { files: walk.files, bytes: walk.bytes } } : null;
}

/** Tests if a symbolic link ends outside the tree, or where nothing is, so that it may later. */
async function leadsOut(root: string, path: string): Promise<boolean> {
  const target = await readlink(path);
  if (isAbsolute(target)) return true;
  try {
    return !isWithin(root, await realpath(path));
  } catch {
    // Nothing there: its folder must be in the tree.
    const folder = await realpath(dirname(resolve(dirname(path), target))).catch(() => null);
    return folder === null || !isWithin(root, folder) || target.split(sep).includes("..");
  }
}

/** Tests if a path of data that somebody sent ends outside them, links followed; `false` where nothing is. */
export async function leavesData(data: string, path: string): Promise<boolean> {
  const real = await realpath(path).catch(() => null);
  return real !== null && !isWithin(await realpath(data), real);
}

/**
 * A folder of data that somebody sent may hold plain files: by a link they would be the user's own, sent to a model; a pipe
 * would be waited for.
 * @returns why the folder is not used, in words; `null`: it is, or there is none
 */
export async function foreignPart(data: string, folder: string): Promise<string | null> {
  const named = (path: string) => shorten(relative(data, path), 200);
  if (await leavesData(data, folder))
    return `${named(folder)} leads out of the data by a link: put a copy in its place`;
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const odd = entries.find((entry) => !(entry.isFile() || entry.isDirectory()));
  return odd === undefined
    ? null
    : `${named(join(odd.parentPath, odd.name))} is a link or a pipe: put a plain file in its place`;
}
