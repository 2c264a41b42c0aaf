import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { isSystemError } from "../base/errors.js";
import { sha256 } from "../base/sha256.js";

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
