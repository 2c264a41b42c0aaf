import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { messageOf, ProbeError } from "../../base/errors.js";
import { cacheFolder } from "../../base/folders.js";
import { jsonValue, shorten } from "../../base/text.js";
import { keepInCache } from "../../store/folder/work-folder.js";
import { fingerprintOf } from "../../store/identity.js";
import { type TreeSource, Workspace } from "../../workspace/workspace.js";
import type { BenchAdapter } from "../adapter.js";
import type { Baseline, Bench, BenchTask, HiddenOutcome, Runtime } from "../bench-task.js";
import { type TaskCheck, taskCheckSchema } from "../trial-records.js";

const NO_TREE = "no tree";

/** Folder of the results of checks. */
export function checksFolder(): string {
  return join(cacheFolder(process.env), "checks");
}

/** Members of a suite that its checks need. */
type Checked<Task extends BenchTask> = Pick<
  BenchAdapter<Task>,
  "name" | "baselines" | "runHidden" | "faulty" | "unreachable"
>;

/**
 * Runs a task's own hidden tests on its unmodified code and on gold, each twice. From the cache where the same task was
 * checked with the same runtime; failures by programs of this machine, which may have changed, are tried again.
 * @param missing what nobody can be judged without here, such as the task's image; `null`: nothing
 */
export async function checkTask<Task extends BenchTask>(
  adapter: Checked<Task>,
  task: Task,
  runtime: Runtime,
  bench: Bench,
  missing: string | null = null,
): Promise<TaskCheck> {
  const path = join(
    checksFolder(),
    `${fingerprintOf([adapter.name, task.sha256, runtime.sha256, bench.cage.setting])}.json`,
  );
  const known = await readCached(path);
  if (missing === null && known !== null && known.task_id === task.id && isLasting(known, runtime)) return known;
  const checks = await checksOf(adapter, task, bench, missing);
  const checked = { task_id: task.id, group: task.group, ...validity(checks), runtime_sha256: runtime.sha256, checks };
  // What is not kept is checked again the next time.
  if (isLasting(checked, runtime)) await keepInCache(path, `${JSON.stringify(checked)}\n`);
  return checked;
}

async function checksOf<Task extends BenchTask>(
  adapter: Checked<Task>,
  task: Task,
  bench: Bench,
  missing: string | null,
): Promise<TaskCheck["checks"]> {
  const fault = adapter.faulty?.(task) ?? null;
  if (fault !== null)
    return [{ check: "case", outcome: "malformed", expected: "well formed", detail: shorten(fault, 300) }];
  const obstacle = missing ?? adapter.unreachable?.(task) ?? null;
  if (obstacle !== null)
    return [{ check: "environment", outcome: null, expected: "there", detail: shorten(obstacle, 300) }];
  const checks: TaskCheck["checks"] = [];
  for (const baseline of await adapter.baselines(task)) {
    checks.push(await runBaseline(adapter, task, baseline, bench));
  }
  return checks;
}

function isLasting({ valid, checks }: TaskCheck, { isPinned }: Runtime): boolean {
  // A tree that could not be made may be a full disk.
  const isOfTask = isPinned === true && checks.every(({ outcome }) => outcome !== NO_TREE);
  return valid === true || (valid === false && isOfTask);
}

/** Validity of a task by its checks. */
function validity(checks: TaskCheck["checks"]): Pick<TaskCheck, "valid" | "reason"> {
  const wrong = checks.find(({ outcome, expected }) => outcome !== null && outcome !== expected);
  const reasonOf = ({ check, outcome, detail }: TaskCheck["checks"][number]) =>
    `${check}: ${outcome ?? "not run"}${detail === null ? "" : `: ${detail}`}`;
  if (wrong !== undefined) return { valid: false, reason: reasonOf(wrong) };
  const unknown = checks.find(({ outcome }) => outcome === null);
  return unknown === undefined ? { valid: true, reason: null } : { valid: null, reason: reasonOf(unknown) };
}

/** A check that fails for want of room on the disk has not been run. */
async function runBaseline<Task extends BenchTask>(
  adapter: Checked<Task>,
  task: Task,
  baseline: Baseline,
  bench: Bench,
): Promise<TaskCheck["checks"][number]> {
  const found = await runTwice(adapter, task, baseline, bench);
  const full = found.outcome === found.expected ? null : await bench.spaceFault();
  return full === null ? found : { check: found.check, outcome: null, expected: found.expected, detail: full };
}

async function runTwice<Task extends BenchTask>(
  adapter: Checked<Task>,
  task: Task,
  { check, patch, source = task.source, expected }: Baseline,
  bench: Bench,
): Promise<TaskCheck["checks"][number]> {
  const outcomes: HiddenOutcome[] = [];
  for (const _ of [1, 2]) {
    const tree = await treeOf(source, bench);
    if (typeof tree === "string") return { check, outcome: NO_TREE, expected, detail: onOneLine(tree) };
    const fault = patch === null ? null : await tree.apply(patch);
    if (fault !== null) return { check, outcome: "patch does not apply", expected, detail: onOneLine(fault) };
    bench.signal.throwIfAborted();
    outcomes.push(await adapter.runHidden(task, tree, bench, check));
  }
  const [first, second] = outcomes;
  const detail = first?.detail ?? second?.detail ?? null;
  const tests = first?.tests ?? second?.tests;
  const outcome = first?.outcome === second?.outcome ? (first?.outcome ?? null) : "flaky";
  return { check, outcome, expected, detail: detail === null ? null : onOneLine(detail), ...(tests && { tests }) };
}

/** Beginning of a message that may have many lines. */
function onOneLine(text: string): string {
  const lines = text.split("\n").map((line) => line.trim());
  return shorten(lines.filter((line) => line !== "").join(" "), 300);
}

/** A text: why it cannot be made, such as for a patch that does not apply. */
async function treeOf(source: TreeSource, bench: Bench): Promise<Workspace | string> {
  try {
    return await Workspace.create(await bench.folder(), source);
  } catch (error) {
    if ((error instanceof ProbeError && error.code === "bad_input") || isFault(error)) return messageOf(error);
    throw error;
  }
}

/** Tests for errors of the system, such as for a folder in the data that may not be read. */
function isFault(error: unknown): boolean {
  return error instanceof Error && "syscall" in error;
}

async function readCached(path: string): Promise<TaskCheck | null> {
  return taskCheckSchema.safeParse(jsonValue(await readFile(path, "utf8").catch(() => ""))).data ?? null;
}
