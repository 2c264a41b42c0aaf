import { resolve } from "node:path";
import { isSystemError, ProbeError } from "../../base/errors.js";
import { readRun } from "../../run/run-folder.js";
import { readPatch } from "../../workspace/read-patch.js";
import { artifactsOf } from "../artifacts.js";
import { isTried, type TrialRun, trialRunSchema } from "../trial-run.js";
import type { TaskPatch } from "./make-probes.js";

/** A run of agents whose patches are cut. */
export interface PatchedRun {
  readonly run: TrialRun;
  /** The agent's patch of a task: of the first condition and trial that left one; `null`: none did. */
  patchOf(taskId: string): Promise<TaskPatch | null>;
}

/**
 * The patches of the agent that a run is about.
 * @param condition the only one; `null`: the first that has a patch
 * @throws ProbeError `bad_input` when it is no run of the suite, or has no such condition
 */
export async function patchedRun(suite: string, folder: string, condition: string | null): Promise<PatchedRun> {
  const run = await readRun({ name: suite, schema: trialRunSchema }, folder);
  if (condition !== null && !run.conditions.includes(condition))
    throw new ProbeError(
      "bad_input",
      `Expected --condition to be one of ${run.conditions.join(", ")}, found ${condition}.`,
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
          const place = { agent: agent.name, isControl: false, condition: name, taskId, trial };
          const bytes = await patchAt(resolve(artifactsOf(folder, place), "patch.diff"));
          if (bytes !== null && bytes.length > 0) return { bytes, origin: `${run.run_id} ${name} ${trial}` };
        }
      return null;
    },
  };
}

async function patchAt(path: string): Promise<Buffer | null> {
  try {
    return await readPatch(path);
  } catch (error) {
    if (isSystemError(error, "ENOENT")) return null;
    throw error;
  }
}
