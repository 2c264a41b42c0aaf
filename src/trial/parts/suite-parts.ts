import { lstat, readFile } from "node:fs/promises";
import { join } from "node:path";
import { ProbeError } from "../../base/errors.js";
import { languageOfFile } from "../../base/file-language.js";
import type { PartRequest, SuitePart, SuiteText } from "../../run/suite-entry.js";
import { openCage } from "../../workspace/cage.js";
import { Workspace } from "../../workspace/workspace.js";
import type { Bench, BenchAdapter, BenchTask } from "../adapter.js";
import { openRoom } from "../bench.js";
import type { CodeFile } from "../check/mutants/draw.js";
import { selectTasks } from "../select-tasks.js";
import { canariesIn } from "./canaries.js";

/**
 * The code of a suite's tasks, a text a file: what an agent sees of it (`source`: what a right solution changes, and what
 * hidden tests are about), what is hidden from it (`test`), or right solutions (`gold`: what they add or change).
 * @throws ProbeError `bad_input` for data that is none, or has no such code
 */
export async function suiteParts<Task extends BenchTask>(
  adapter: BenchAdapter<Task>,
  { part, data, workingDirectory }: PartRequest,
): Promise<SuitePart> {
  const found = await adapter.load(data, workingDirectory, {});
  const all = selectTasks(found, { taskId: [], sample: null, seed: 0, limit: null });
  const tasks = all.filter((task) => (adapter.faulty?.(task) ?? null) === null);
  // Nothing of a task is run: trees alone are made.
  const cage = await openCage({ sandbox: "none", hidden: [] });
  const room = await openRoom(`parts ${process.pid} ${adapter.name} ${part}`);
  const texts: SuiteText[] = [];
  const canaries = new Set<string>();
  try {
    for (const task of tasks) {
      const bench = room.open(cage, new AbortController().signal);
      const files = await filesOf(adapter, task, part, bench).finally(() => bench.close());
      for (const { path, text } of files) {
        for (const canary of canariesIn(text)) canaries.add(canary);
        const language = languageOfFile(path);
        if (language !== null && text.trim() !== "") texts.push({ id: `${task.id}:${path}`, language, text });
      }
      for (const canary of canariesIn((await adapter.request?.(task)) ?? "")) canaries.add(canary);
    }
  } finally {
    await room.close();
  }
  if (texts.length > 0) return { texts, canaries: [...canaries], sha256: found.sha256 };
  throw new ProbeError("bad_input", `Expected code of the part ${part} in the tasks of ${adapter.name}, found none.`);
}

async function filesOf<Task extends BenchTask>(
  adapter: BenchAdapter<Task>,
  task: Task,
  part: PartRequest["part"],
  bench: Bench,
): Promise<readonly CodeFile[]> {
  if (part === "test") return (await adapter.hiddenTests?.(task)) ?? [];
  const gold = await adapter.gold(task);
  const changed = await Workspace.create(join(await bench.folder(), "work"), task.source);
  const applies = gold !== null && (await changed.apply(gold)) === null;
  const changes = applies ? await changed.changedFiles() : [];
  const touched = changes.filter(({ change }) => change !== (part === "gold" ? "deleted" : "added"));
  const tested = part === "gold" ? [] : ((await adapter.tested?.(task)) ?? []);
  const paths = [...new Set([...touched.map(({ path }) => path), ...tested])];
  const files: CodeFile[] = [];
  for (const path of paths) {
    const bytes = part === "gold" ? await plainFile(join(changed.tree, path)) : await changed.original(path);
    if (bytes !== null) files.push({ path, text: bytes.toString("utf8") });
  }
  return files;
}

/** `null`: it is a link, or something else that is no file. */
async function plainFile(path: string): Promise<Buffer | null> {
  return (await lstat(path)).isFile() ? readFile(path) : null;
}
