import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { RUN_FILE } from "../../run/run-folder.js";
import { FOLDER_LOCK } from "../../store/folder/own-files.js";

/** Whether a page of the run is made from it: tables are written from journals, and tell nothing more. */
function counts(name: string): boolean {
  return name === RUN_FILE || name === FOLDER_LOCK || name.endsWith(".jsonl");
}

/** Size and time of the files that a run is read from: another stamp, and what was made of them is stale. */
export async function stampOf(folder: string): Promise<string> {
  const names = (await readdir(folder).catch(() => [])).filter(counts).sort();
  const files = names.map(async (name) => {
    const info = await stat(join(folder, name)).catch(() => null);
    return [name, info?.size ?? null, info?.mtimeMs ?? null];
  });
  return JSON.stringify(await Promise.all(files));
}
