import { join } from "node:path";
import { lifeOf, readHolder } from "./holder.js";
import { FOLDER_LOCK } from "./own-files.js";

/** Whether a process may be at work in a folder: one that lives, or one of another host or container, seen by its lock alone. */
export async function isHeld(folder: string): Promise<boolean> {
  const holder = await readHolder(join(folder, FOLDER_LOCK)).catch(() => null);
  return holder !== null && (await lifeOf(holder)) !== "gone";
}
