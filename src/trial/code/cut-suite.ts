import { resolve } from "node:path";
import { badInput, whereMissing } from "../../base/errors.js";
import { countBy } from "../../base/grouping.js";
import { nearHint } from "../../base/near-names.js";
import { counted } from "../../base/text.js";
import type { Block } from "../../report/block.js";
import { type ColumnOf, numberColumn, sentence, tableOf, textColumn } from "../../report/make-block.js";
import { readRun } from "../../run/folder/run-folder.js";
import { writeAtomically } from "../../store/atomic-write.js";
import { openCage } from "../../workspace/cage.js";
import { readPatch } from "../../workspace/workspace.js";
import type { BenchAdapter, OwnValues } from "../adapter.js";
import { openRoom } from "../bench-room.js";
import type { BenchTask } from "../bench-task.js";
import { selectTasks } from "../plan-trials.js";
import { artifactsOf, PATCH_FILE } from "../trial-artifacts.js";
import { isTried, type TrialRun, trialRunSchema } from "../trial-run.js";
import { probesOf, type TaskPatch, type TaskProbes } from "./cut-probes.js";

interface CutRequest {
  readonly data: string | null;
  /** A run of agents; `null`: the right solutions. */
  readonly run: string | null;
  readonly condition: string | null;
  readonly taskId: readonly string[];
  /** The file that is written. */
  readonly out: string;
  readonly workingDirectory: string;
  /** Values of the suite's own options. */
  readonly values: OwnValues;
}

interface CutTask extends TaskProbes {
  readonly taskId: string;
}

/** Result of cutting a suite's solutions. */
interface CutSuite {
  readonly blocks: readonly Block[];
  readonly document: object;
}

/**
 * Writes the hunks of a suite's patches as code reviews, a line each.
 * @throws ProbeError `bad_input` when the suite or its data has none, or the run is about other data
 */
export async function cutSuite<Task extends BenchTask>(
  adapter: BenchAdapter<Task>,
  request: CutRequest,
): Promise<CutSuite> {
  if (adapter.request === undefined)
    throw badInput(`Expected a suite whose tasks say what they ask for, found ${adapter.name}.`);
  const data = await adapter.load(request.data, request.workingDirectory, request.values);
  const tasks = selectTasks(data, { taskId: request.taskId, sample: null, seed: 0, limit: null });
  const patchOf = await patchesOf(adapter, request, data.sha256);
  // Nothing of a task is run: trees alone are made.
  const cage = await openCage({ sandbox: "none", hidden: [] });
  const room = await openRoom(`probes ${process.pid} ${adapter.name} ${request.out}`);
  const found: CutTask[] = [];
  try {
    for (const task of tasks) {
      const obstacle = adapter.faulty?.(task) ?? adapter.unreachable?.(task) ?? null;
      const patch = obstacle === null ? await patchOf(task) : null;
      const bench = room.open(cage, new AbortController().signal);
      const none = { triples: [], leftOut: [{ path: "", why: obstacle ?? "no patch" }] };
      const made = patch === null ? none : await probesOf(adapter, task, patch, bench);
      await bench.close();
      found.push({ taskId: task.id, ...made });
    }
  } finally {
    await room.close();
  }
  const lines = found.flatMap(({ triples }) => triples.map((triple) => `${JSON.stringify(triple)}\n`));
  if (lines.length === 0) throw badInput(`Expected a hunk with code before it, found none: ${reasonsOf(found)}.`);
  await writeAtomically(request.out, (append) => append(lines.join("")));
  return { blocks: blocksOf(found, request.out), document: documentOf(found, request.out) };
}

async function patchesOf<Task extends BenchTask>(
  adapter: BenchAdapter<Task>,
  { run: folder, condition }: CutRequest,
  sha256: string,
): Promise<(task: Task) => Promise<TaskPatch | null>> {
  if (folder === null)
    return async (task) => {
      const bytes = await adapter.gold(task);
      return bytes === null ? null : { bytes, origin: "gold" };
    };
  const patched = await patchedRun(adapter.name, folder, condition);
  if (patched.run.data.sha256 !== sha256)
    throw badInput(
      `Expected the data that the run is about (${patched.run.data.source}), found others. Name them with --data.`,
    );
  return (task) => patched.patchOf(task.id);
}

function reasonsOf(found: readonly CutTask[]): string {
  return [...new Set(found.flatMap(({ leftOut }) => leftOut.map(({ why }) => why)))].join(", ");
}

/** Such as `4 files added`. */
function reasonsText(leftOut: TaskProbes["leftOut"]): string {
  const whole = leftOut.filter(({ path }) => path === "").map(({ why }) => why);
  const files = leftOut.filter(({ path }) => path !== "").map(({ why }) => why);
  return [...whole, ...[...countBy(files)].map(([why, count]) => `${counted(count, "files")} ${why}`)].join(", ");
}

function documentOf(found: readonly CutTask[], out: string): object {
  return {
    file: out,
    hunks: found.reduce((sum, { triples }) => sum + triples.length, 0),
    tasks: found.map(({ taskId, triples, leftOut }) => ({ task_id: taskId, hunks: triples.length, left_out: leftOut })),
  };
}

function blocksOf(found: readonly CutTask[], out: string): Block[] {
  const hunks = found.reduce((sum, { triples }) => sum + triples.length, 0);
  const columns: ColumnOf<CutTask>[] = [
    textColumn("task", "task", ({ taskId }) => taskId),
    numberColumn("hunks", "hunks", "count", ({ triples }) => triples.length),
    textColumn("left", "left out", ({ leftOut }) => reasonsText(leftOut), { width: 40 }),
  ];
  return [
    tableOf(null, columns, found),
    sentence(`${counted(hunks, "hunks")} of ${counted(found.length, "tasks")}: ${out}`),
    sentence("Questions about them: ", { kind: "code", text: "probe dataset build" }, " with that file as its input."),
  ];
}

/** A run of agents whose patches are cut. */
interface PatchedRun {
  readonly run: TrialRun;
  /** The agent's patch of a task: of the first condition and trial that left one; `null`: none did. */
  patchOf(taskId: string): Promise<TaskPatch | null>;
}

/**
 * The patches of the agent that a run is about.
 * @param condition the only one; `null`: the first that has a patch
 * @throws ProbeError `bad_input` when it is no run of the suite, or has no such condition
 */
async function patchedRun(suite: string, folder: string, condition: string | null): Promise<PatchedRun> {
  const run = await readRun({ name: suite, schema: trialRunSchema }, folder);
  if (condition !== null && !run.conditions.includes(condition))
    throw badInput(
      `Expected --condition to be one of ${run.conditions.join(", ")}, found ${condition}.` +
        nearHint(condition, run.conditions),
    );
  const [agent] = run.agents;
  const conditions = run.conditions.filter((name) => condition === null || name === condition);
  return {
    run,
    async patchOf(taskId) {
      const task = run.tasks.find(({ id }) => id === taskId);
      if (task === undefined || agent === undefined) return null;
      for (const name of conditions.filter((each) => isTried(task, each)))
        for (let trial = 0; trial < run.trials_per_task; trial++) {
          const key = { agent: agent.name, condition: name, task_id: taskId, trial };
          const bytes = await readPatch(resolve(artifactsOf(folder, run, key), PATCH_FILE)).catch(whereMissing(null));
          if (bytes !== null && bytes.length > 0) return { bytes, origin: `${run.run_id} ${name} ${trial}` };
        }
      return null;
    },
  };
}
