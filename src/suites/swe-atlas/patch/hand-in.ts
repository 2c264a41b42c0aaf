import { lstat, readFile } from "node:fs/promises";
import { join } from "node:path";
import { patchSections } from "./patch-text.js";

/** Where an agent leaves what is no change of the repository; the instruction calls it `/logs/agent`. */
export const HAND_IN = "logs/agent";

/** Larger texts are none. */
const MOST_BYTES = 4 * 1024 * 1024;

/** A text that an agent left in its tree: what stands in tags, where there are some; `null`: none, or an empty one. */
export async function handedIn(tree: string, file: "answer.txt" | "manifest.txt"): Promise<string | null> {
  const path = join(tree, HAND_IN, file);
  const info = await lstat(path).catch(() => null);
  if (info?.isFile() !== true || info.size > MOST_BYTES) return null;
  const tag = file === "answer.txt" ? "<<FINAL_ANSWER>>" : "<<TEST_MANIFEST>>";
  const text = betweenTags(await readFile(path, "utf8"), tag);
  return text === "" ? null : text;
}

/** What stands between the last two tags, behind a single one, or all of a text without any; without blanks around it. */
export function betweenTags(text: string, tag: string): string {
  const parts = text.split(tag);
  const inner = parts.length >= 3 ? parts.at(-2) : (parts[1] ?? parts[0]);
  return (inner ?? "").trim();
}

/** A patch without what an agent handed in beside it. */
export function changesOf(patch: string): string {
  return patchSections(patch)
    .filter(({ path }) => !path.startsWith(`${HAND_IN}/`))
    .map(({ text }) => text)
    .join("");
}
