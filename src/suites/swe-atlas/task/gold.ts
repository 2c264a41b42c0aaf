import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { betweenTags, HAND_IN } from "../patch/hand-in.js";
import { newFilePatch } from "../patch/patch-text.js";
import type { AtlasTask } from "./task.js";

/**
 * The right solution of a task as one patch: its changes, and what is handed in beside them. A released task for tests has
 * its manifest in the script that solves it. `null`: there is none.
 */
export async function goldOf({ folder, workflow }: Pick<AtlasTask, "folder" | "workflow">): Promise<Buffer | null> {
  const solution = join(folder, "solution");
  const names = (await readdir(solution).catch(() => [])).sort();
  const textOf = (name: string) => readFile(join(solution, name), "utf8");
  if (workflow === "qa") {
    if (!names.includes("answer.txt")) return null;
    return Buffer.from(newFilePatch(`${HAND_IN}/answer.txt`, await textOf("answer.txt")));
  }
  const patches = await Promise.all(names.filter((name) => /\.(patch|diff)$/.test(name)).map(textOf));
  if (patches.length === 0) return null;
  if (workflow === "rf") return Buffer.from(patches.join(""));
  const scripts = await Promise.all(names.filter((name) => /^(manifest\.txt|solve\.sh)$/.test(name)).map(textOf));
  const tag = "<<TEST_MANIFEST>>";
  const [manifest] = scripts.filter((text) => text.includes(tag)).map((text) => betweenTags(text, tag));
  const handed = manifest === undefined ? "" : newFilePatch(`${HAND_IN}/manifest.txt`, `${tag}\n${manifest}\n${tag}`);
  return Buffer.from(`${patches.join("")}${handed}`);
}
