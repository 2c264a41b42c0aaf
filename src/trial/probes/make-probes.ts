import { lstat, readFile } from "node:fs/promises";
import { join } from "node:path";
import { languageOfFile } from "../../base/file-language.js";
import type { Language } from "../../base/language.js";
import { type DrawInteger, hash32, seededIntegers } from "../../base/random.js";
import { shorten } from "../../base/text.js";
import { sourceOfProbe } from "../../verdict/probe-task.js";
import { Workspace } from "../../workspace/workspace.js";
import type { Bench, BenchAdapter, BenchTask } from "../adapter.js";
import { cutHunks, type Hunk } from "./cut-hunks.js";

/** A hunk with the instruction as its review: a line that `probe dataset build` takes. */
export interface ProbeTriple {
  /** `task#hunk`, counted from 1. */
  readonly id: string;
  readonly language: Language;
  readonly pre_review_code: string;
  readonly code_review: string;
  readonly post_review_code: string;
  readonly repo: string;
  readonly source: string;
}

/** What a patch gave. */
export interface TaskProbes {
  readonly triples: readonly ProbeTriple[];
  /** Changed files without a hunk, by the reason. */
  readonly leftOut: readonly { readonly path: string; readonly why: string }[];
}

/** A patch of a task, and whose it is. */
export interface TaskPatch {
  readonly bytes: Buffer;
  /** Such as `gold`. */
  readonly origin: string;
}

/** Cuts a patch of a task into hunks, each with what was asked for. New files have nothing to ask about; others too, where no probe knows their language. */
export async function probesOf<Task extends BenchTask>(
  adapter: Pick<BenchAdapter<Task>, "name" | "request">,
  task: Task,
  { bytes, origin }: TaskPatch,
  bench: Pick<Bench, "folder">,
): Promise<TaskProbes> {
  const review = await adapter.request?.(task);
  if (review === undefined) return { triples: [], leftOut: [] };
  const changed = await Workspace.create(join(await bench.folder(), "work"), task.source);
  const fault = await changed.apply(bytes);
  if (fault !== null) return { triples: [], leftOut: [{ path: "", why: `does not apply: ${shorten(fault, 200)}` }] };
  // The same hunks on every machine; a task's do not depend on what is cut besides.
  const draw = seededIntegers(hash32(task.id, 0));
  const triples: ProbeTriple[] = [];
  const leftOut: { path: string; why: string }[] = [];
  for (const { path, change } of await changed.changedFiles()) {
    const language = languageOfFile(path);
    if (change !== "modified" || language === null) {
      leftOut.push({ path, why: change === "modified" ? "a language that no probe knows" : change });
      continue;
    }
    const hunks = await hunksOf(changed, path, draw);
    if (typeof hunks === "string") {
      leftOut.push({ path, why: hunks });
      continue;
    }
    for (const hunk of hunks)
      triples.push({
        id: `${task.id}#${triples.length + 1}`,
        language,
        pre_review_code: codeOf(hunk.before),
        code_review: review,
        post_review_code: codeOf(hunk.after),
        repo: task.group,
        source: sourceOfProbe(adapter.name, task.id, path, origin),
      });
  }
  return { triples, leftOut };
}

/** Hunks of a file that a patch changed; a text: why there is none. */
async function hunksOf(changed: Workspace, path: string, draw: DrawInteger): Promise<Hunk[] | string> {
  const at = join(changed.tree, path);
  if (!(await lstat(at)).isFile()) return "no plain file";
  const before = (await changed.original(path))?.toString("utf8") ?? "";
  const hunks = cutHunks(before, await readFile(at, "utf8"), draw);
  return hunks.length > 0 ? hunks : "no hunk with code before and after it, or too many changes";
}

function codeOf(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join("");
}
