import { lstat } from "node:fs/promises";
import { join, posix } from "node:path";
import { ToolFault } from "./tool.js";

/**
 * Where a path of a model's is in the tree; by no symbolic link, and not above it.
 * @param within folders of the tree that it has to be in, such as `src`; empty: anywhere
 * @throws ToolFault for any other path
 */
export async function checkedPath(tree: string, path: string, within: readonly string[] = []): Promise<string> {
  const plain = relativePath(path, within);
  let folder = tree;
  for (const part of plain.split("/")) {
    folder = join(folder, part);
    const info = await lstat(folder).catch(() => null);
    if (info?.isSymbolicLink() === true) throw new ToolFault(`${plain} goes over a symbolic link`);
  }
  return folder;
}

/** The path as it is written everywhere: from the tree's root, with `/`, without `.` and `..`. */
export function relativePath(path: string, within: readonly string[] = []): string {
  const plain = posix.normalize(path.replaceAll("\\", "/").replace(/^\.\//, ""));
  const isOutside =
    plain === "" || plain.startsWith("/") || plain === ".." || plain.startsWith("../") || plain.includes("\0");
  if (isOutside) throw new ToolFault(`"${path}" is no path within the working tree`);
  if (plain.split("/").some((part) => part.toLowerCase() === ".git")) throw new ToolFault("there is no .git here");
  const allowed = within.length === 0 || within.some((folder) => plain === folder || plain.startsWith(`${folder}/`));
  if (!allowed) throw new ToolFault(`"${path}" is not in ${within.map((folder) => `${folder}/`).join(" or ")}`);
  return plain;
}
