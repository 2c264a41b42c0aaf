import { readdir } from "node:fs/promises";
import { join, relative, sep } from "node:path";

/** Endings of what is compiled. */
const SOURCE = /\.(?:js|jsx|mjs|cjs|ts|tsx)$/;

/** All files of a folder, by their paths within it, sorted; those in `node_modules` left out. */
export async function filesOf(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .filter((path) => !path.split("/").includes("node_modules"))
    .sort();
}

/** Whether a file is JavaScript or TypeScript. */
export function isSource(path: string): boolean {
  return SOURCE.test(path);
}
