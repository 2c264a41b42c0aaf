import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { RUN_FILE } from "../../run/run-folder.js";
import { FOLDER_LOCK } from "../../store/folder/own-files.js";

/** Whether a page of the run is made from it: tables are written from journals, and tell nothing more. */
function counts(name: string): boolean {
  return name === RUN_FILE || name === FOLDER_LOCK || name.endsWith(".jsonl");
}

/**
 * Size and time of the files that a run is read from: another stamp, and what was made of them is stale. At once: one by
 * one the files of many runs would wait a turn each for what is read in the background.
 */
export function stampOf(folder: string): string {
  try {
    const files = readdirSync(folder).filter(counts).sort();
    return JSON.stringify(files.map((name) => [name, ...sizeAndTime(join(folder, name))]));
  } catch {
    // Nothing to be seen: reading it says why.
    return "";
  }
}

function sizeAndTime(path: string): readonly [size: number | null, mtimeMs: number | null] {
  const info = statSync(path, { throwIfNoEntry: false });
  return [info?.size ?? null, info?.mtimeMs ?? null];
}
