import { ProbeError } from "../../base/errors.js";
import { meanOrNull } from "../../base/sums.js";
import type { Bytes } from "../../base/text.js";
import { patchedFiles } from "../../workspace/patched-files.js";
import type { Workspace } from "../../workspace/workspace.js";
import type { BenchAdapter } from "../adapter.js";
import type { BenchTask } from "../bench-task.js";
import { patchFacts } from "../facts/patch-facts.js";
import type { GoldSimilarity, TrialFacts } from "../trial-records.js";

/** Lines that a right solution adds, none where it only deletes, and the files that it changes or deletes. */
interface GoldLines {
  readonly added: ReadonlySet<string>;
  readonly files: readonly string[];
  readonly text: string;
}

type GoldAdapter<Task extends BenchTask> = Pick<BenchAdapter<Task>, "gold" | "changesOf">;

/** Similarity of patches to right solutions, and two baselines that know none of them. */
export class GoldBook<Task extends BenchTask> {
  readonly #adapter: GoldAdapter<Task>;
  readonly #tasks: readonly Task[];
  readonly #gold = new Map<string, Promise<GoldLines | null>>();
  readonly #baselines = new Map<string, Promise<Pick<GoldSimilarity, "copy" | "other">>>();

  /** @param tasks those of the run */
  constructor(adapter: GoldAdapter<Task>, tasks: readonly Task[]) {
    this.#adapter = adapter;
    this.#tasks = tasks;
  }

  /**
   * The lines that a patch adds beside those of the right solution; beside that, what a patch would have that adds every line
   * of the files again that the right solution changes (`copy`), and right solutions of other tasks, on average (`other`).
   * @param tree of the task, changed or not
   * @returns `null`: there is no right solution, it adds nothing, or cannot be read
   */
  async compare(task: Task, patch: Bytes, tree: Workspace): Promise<GoldSimilarity | null> {
    const gold = await this.#goldOf(task);
    if (gold === null || gold.added.size === 0) return null;
    const baselines = this.#baselines.get(task.id) ?? this.#baselinesOf(task, gold, tree);
    this.#baselines.set(task.id, baselines);
    return { jaccard: jaccard(addedLines(this.#textOf(patch)), gold.added), ...(await baselines) };
  }

  /** Sizes of a patch, beside those of the right solution where there is one. */
  async facts(task: Task, patch: Bytes): Promise<TrialFacts> {
    return patchFacts(this.#textOf(patch), (await this.#goldOf(task))?.text ?? null);
  }

  async #baselinesOf(task: Task, gold: GoldLines, tree: Workspace): Promise<Pick<GoldSimilarity, "copy" | "other">> {
    return { copy: await copyOf(gold, tree), other: await this.#otherOf(task, gold) };
  }

  async #otherOf(task: Task, gold: GoldLines): Promise<number | null> {
    const values: (number | null)[] = [];
    for (const each of this.#tasks) {
      const theirs = each.id === task.id ? null : await this.#goldOf(each);
      values.push(theirs === null || theirs.added.size === 0 ? null : jaccard(gold.added, theirs.added));
    }
    return meanOrNull(values);
  }

  #goldOf(task: Task): Promise<GoldLines | null> {
    const known = this.#gold.get(task.id) ?? this.#readGold(task);
    this.#gold.set(task.id, known);
    return known;
  }

  async #readGold(task: Task): Promise<GoldLines | null> {
    const bytes = await this.#adapter.gold(task).catch((error: unknown) => {
      // Such as a clone without its commit: the check of that task says so, and no trial is lost for a comparison.
      if (error instanceof ProbeError) return null;
      throw error;
    });
    if (bytes === null) return null;
    const text = this.#textOf(bytes);
    const files = patchedFiles(text);
    if (files.length === 0) return null;
    return { added: addedLines(text), text, files: files.flatMap(({ before }) => before ?? []) };
  }

  #textOf(patch: Bytes): string {
    const text = patch.toString("utf8");
    return this.#adapter.changesOf?.(text) ?? text;
  }
}

async function copyOf({ added, files }: GoldLines, tree: Workspace): Promise<number | null> {
  const texts: string[] = [];
  for (const path of files) texts.push((await tree.original(path))?.toString("utf8") ?? "");
  return jaccard(codeLines(texts.flatMap((text) => text.split("\n"))), added);
}

/** Lines that a patch adds, without blanks around them; empty ones are none. */
export function addedLines(patch: string): ReadonlySet<string> {
  const lines = patch.split("\n").filter((line) => line.startsWith("+") && !line.startsWith("+++ "));
  return codeLines(lines.map((line) => line.slice(1)));
}

/** Lines without blanks around them, each once; empty ones are none. */
export function codeLines(lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.map((line) => line.trim()).filter((line) => line !== ""));
}

/** Jaccard similarity |A ∩ B| / |A ∪ B| of two sets of lines, 0–1; `null` where neither has any. */
export function jaccard(mine: ReadonlySet<string>, theirs: ReadonlySet<string>): number | null {
  let shared = 0;
  for (const line of mine) if (theirs.has(line)) shared++;
  const all = mine.size + theirs.size - shared;
  return all === 0 ? null : shared / all;
}

/** The similarity of the lines that two patches add; `null` where neither adds any. */
export function addedJaccard(first: string, second: string): number | null {
  return jaccard(addedLines(first), addedLines(second));
}
