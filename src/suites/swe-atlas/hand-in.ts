import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Bytes } from "../../base/text.js";
import { HAND_IN } from "../../trial/make/work-tools.js";
import { sealedText } from "../../workspace/sealed-files.js";
import type { AtlasTask } from "./atlas-task.js";

/** A patch that makes one file. */
export function newFilePatch(path: string, content: string): string {
  const lines = content.replace(/\n$/, "").split("\n");
  return (
    `diff --git a/${path} b/${path}\nnew file mode 100644\n--- /dev/null\n+++ b/${path}\n` +
    `@@ -0,0 +1,${lines.length} @@\n${lines.map((line) => `+${line}\n`).join("")}`
  );
}

/** Larger texts are none. */
const MOST_BYTES = 4 * 1024 * 1024;

/** A text that an agent left in its tree: what stands in tags, where there are some; `null`: none, or an empty one. */
export async function handedIn(tree: string, file: "answer.txt" | "manifest.txt"): Promise<string | null> {
  const whole = await sealedText(tree, `${HAND_IN}/${file}`, MOST_BYTES);
  if (whole === null) return null;
  const tag = file === "answer.txt" ? "<<FINAL_ANSWER>>" : "<<TEST_MANIFEST>>";
  const text = betweenTags(whole, tag);
  return text === "" ? null : text;
}

/** Text between the last two tags, behind a single one, or all of it without any; without blanks around it. */
export function betweenTags(text: string, tag: string): string {
  const parts = text.split(tag);
  const inner = parts.length >= 3 ? parts.at(-2) : (parts[1] ?? parts[0]);
  return (inner ?? "").trim();
}

/**
 * The right solution of a task as one patch: its changes, and what is handed in beside them. A released task for tests has
 * its manifest in the script that solves it. `null`: there is none.
 */
export async function goldOf({ folder, workflow }: Pick<AtlasTask, "folder" | "workflow">): Promise<Bytes | null> {
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
