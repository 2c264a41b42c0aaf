import { createReadStream } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { badInput, ProbeError } from "../../base/errors.js";
import { packageRoot } from "../../base/folders.js";
import { languageOfFile } from "../../base/source-path.js";
import { shorten } from "../../base/text.js";
import { type Canary, type PartRequest, SUITE_PARTS, type SuitePart, type SuiteText } from "../../run/suite-entry.js";
import { openCage } from "../../workspace/cage.js";
import { filesOf, isFile, readTexts } from "../../workspace/tree-files.js";
import { Workspace } from "../../workspace/workspace.js";
import type { BenchAdapter } from "../adapter.js";
import { openRoom } from "../bench-room.js";
import type { Bench, BenchTask, CodeText } from "../bench-task.js";
import { selectTasks } from "../plan-trials.js";

type Part = PartRequest["part"];
type PartCode = Pick<SuitePart, "texts" | "leftOut">;

/**
 * The code of a suite's tasks, a text a file: what an agent sees of it (`source`: what a right solution changes, and what
 * tests are about), the tests that judge (`test`), or right solutions (`gold`: what they add or change).
 * @throws ProbeError `bad_input` for data that is none, or has no such code
 */
export async function suiteParts<Task extends BenchTask>(
  adapter: BenchAdapter<Task>,
  { part, data, repo, workingDirectory }: PartRequest,
): Promise<SuitePart> {
  if (repo !== null && !Object.hasOwn(adapter.options, "repo"))
    throw badInput(`Expected a suite that takes --repo, found ${adapter.name}. Leave it out.`);
  const found = await adapter.load(data, workingDirectory, { repo });
  const tasks = selectTasks(found, { taskId: [], sample: null, seed: 0, limit: null });
  const { texts, leftOut } = await codeOf(adapter, tasks, part);
  if (texts.length === 0) throw await withoutPart(adapter, tasks, part, leftOut);
  const searched = await canariesIn(resolve(data === null ? packageRoot : workingDirectory, found.source));
  return { texts, leftOut, ...searched, sha256: found.sha256 };
}

async function codeOf<Task extends BenchTask>(
  adapter: BenchAdapter<Task>,
  tasks: readonly Task[],
  part: Part,
  enough = Number.POSITIVE_INFINITY,
): Promise<PartCode> {
  // Nothing of a task is run: trees alone are made.
  const cage = await openCage({ sandbox: "none", hidden: [] });
  const room = await openRoom(`parts ${process.pid} ${adapter.name} ${part}`);
  const texts: SuiteText[] = [];
  const known = new Set<string>();
  const leftOut: { taskId: string; why: string }[] = [];
  try {
    for (const task of tasks) {
      if (texts.length >= enough) break;
      const bench = room.open(cage, new AbortController().signal);
      const own = await textsOf(adapter, task, part, bench).finally(() => bench.close());
      if (typeof own === "string") leftOut.push({ taskId: task.id, why: own });
      // Tasks about one tree have the same files: they are no further texts.
      else
        for (const file of own) {
          if (!known.has(file.text)) texts.push(file);
          known.add(file.text);
        }
    }
  } finally {
    await room.close();
  }
  return { texts, leftOut };
}

/** Texts of one task; a text: why there are none. */
async function textsOf<Task extends BenchTask>(
  adapter: BenchAdapter<Task>,
  task: Task,
  part: Part,
  bench: Bench,
): Promise<SuiteText[] | string> {
  const fault = adapter.faulty?.(task) ?? null;
  if (fault !== null) return shorten(fault, 200);
  const obstacle = adapter.unreachable?.(task) ?? null;
  try {
    const files = await filesOfPart(adapter, task, part, bench);
    const texts = files.flatMap(({ path, text }) => {
      const language = languageOfFile(path);
      return language === null || text.trim() === "" ? [] : [{ id: `${task.id}:${path}`, language, text }];
    });
    if (texts.length > 0) return texts;
    if (files.length > 0) return "in languages that no probe knows";
    return obstacle === null ? "none told" : shorten(obstacle, 200);
  } catch (error) {
    if (!(error instanceof ProbeError)) throw error;
    // Its tree is not there, which it told, or cannot be made.
    return shorten(obstacle ?? error.message, 200);
  }
}

async function filesOfPart<Task extends BenchTask>(
  adapter: BenchAdapter<Task>,
  task: Task,
  part: Part,
  bench: Bench,
): Promise<readonly CodeText[]> {
  const workspace = await Workspace.create(join(await bench.folder(), "work"), task.source);
  if (part === "test") return (await adapter.testTexts?.(task, workspace)) ?? [];
  const gold = await adapter.gold(task);
  const fault = gold === null ? null : await workspace.apply(gold);
  if (part === "gold" && fault !== null) throw badInput(`its right solution does not apply: ${fault}`);
  const changes = gold !== null && fault === null ? await workspace.changedFiles() : [];
  const touched = changes
    .filter(({ change }) => change !== (part === "gold" ? "deleted" : "added"))
    .map(({ path }) => path);
  if (part === "gold") return readTexts(workspace.tree, touched);
  const files: CodeText[] = [];
  for (const path of new Set([...touched, ...((await adapter.tested?.(task)) ?? [])])) {
    const bytes = await workspace.original(path);
    if (bytes !== null) files.push({ path, text: bytes.toString("utf8") });
  }
  return files;
}

/** Error about a part that cannot be audited, with those that can. */
async function withoutPart<Task extends BenchTask>(
  adapter: BenchAdapter<Task>,
  tasks: readonly Task[],
  part: Part,
  leftOut: SuitePart["leftOut"],
): Promise<ProbeError> {
  const there: Part[] = [];
  for (const other of SUITE_PARTS.filter((each) => each !== part))
    if ((await codeOf(adapter, tasks, other, 1)).texts.length > 0) there.push(other);
  const whys = [...new Set(leftOut.map(({ why }) => why))].slice(0, 3).join("; ");
  const instead = there.length === 0 ? "none other either" : `there is ${there.join(" and ")}`;
  return badInput(
    `Expected code of the part ${part} in the tasks of ${adapter.name}, found none (${whys}); ${instead}.`,
  );
}

/** Canary as benchmarks write it, in whatever encoding that has ASCII in it. */
const CANARY = /canary\s{1,20}GUID\s{1,20}[\w.:/-]{0,100}[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;

/** Longer than any match. */
const OVERLAP = 256;

/** The canary strings in the files of some data, each with the files that it stands in, and how many files there are. */
export async function canariesIn(
  data: string,
): Promise<{ readonly canaries: readonly Canary[]; readonly searched: number }> {
  const isOne = await isFile(data);
  const folder = isOne ? dirname(data) : data;
  const paths = isOne ? [basename(data)] : await filesOf(data);
  const found = new Map<string, { path: string; count: number }[]>();
  for (const path of paths)
    for (const [text, count] of await canariesOfFile(join(folder, path))) {
      const files = found.get(text) ?? [];
      files.push({ path, count });
      found.set(text, files);
    }
  return { canaries: [...found].map(([text, files]) => ({ text, files })), searched: paths.length };
}

/** Count of each canary in a file. Memory: two chunks. */
async function canariesOfFile(path: string): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  let kept = "";
  for await (const chunk of createReadStream(path, "latin1") as AsyncIterable<string>) {
    const text = kept + chunk;
    let end = 0;
    for (const match of text.matchAll(CANARY)) {
      end = match.index + match[0].length;
      counts.set(match[0], (counts.get(match[0]) ?? 0) + 1);
    }
    kept = text.slice(Math.max(end, text.length - OVERLAP));
  }
  return counts;
}
