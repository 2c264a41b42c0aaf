import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";

function findPackageRoot(from: string): string {
  let folder = from;
  while (!existsSync(join(folder, "package.json"))) {
    const parent = dirname(folder);
    if (parent === folder) throw new Error(`No package.json above ${from}.`);
    folder = parent;
  }
  return folder;
}

/** The folder of this package: where `prompts`, `datasets` and `models` are. */
export const packageRoot = findPackageRoot(import.meta.dirname);

/** Folder of this user's machine for files that can be fetched again: `models`, `datasets`, the engine. */
export function cacheFolder(environment: NodeJS.ProcessEnv): string {
  return join(environment["XDG_CACHE_HOME"] || join(homedir(), ".cache"), "code-review-probe");
}

/** Folder of fetched datasets. */
export function datasetsFolder(environment: NodeJS.ProcessEnv = process.env): string {
  return environment["PROBE_DATASETS_DIR"] || join(cacheFolder(environment), "datasets");
}
