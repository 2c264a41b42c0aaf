import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { lifeOf, parseHolder } from "./holder.js";
import { FOLDER_LOCK } from "./own-files.js";

/** Whether a process may be at work in a folder: one that lives, or one of another host or container, seen by its lock alone. */
export async function isHeld(folder: string): Promise<boolean> {
  const text = await readFile(join(folder, FOLDER_LOCK), "utf8").catch(() => null);
  const holder = text === null ? null : parseHolder(text);
  return holder !== null && (await lifeOf(holder)) !== "gone";
}
