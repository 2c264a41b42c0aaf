import { stat } from "node:fs/promises";
import { join } from "node:path";
import { isSystemError, ProbeError } from "../base/errors.js";
import type { Bytes } from "../base/text.js";
import { readPatch } from "../workspace/workspace.js";
import type { Agent, AttemptKey } from "./agent.js";

/**
 * Takes patches that were made elsewhere: `DIR/<task_id>[/<condition>][/<trial>].patch` or `.diff`, the most particular
 * first. What they cost, and what their maker said of them, is not known.
 * @throws ProbeError `bad_input` when there is no such folder
 */
export async function patchesAgent(folder: string): Promise<Agent> {
  const info = await stat(folder).catch(() => null);
  if (info?.isDirectory() !== true)
    throw new ProbeError("bad_input", `Expected a folder of patches for --patches, found none at ${folder}.`);
  return {
    name: "patches",
    identity: { agent: "patches", folder },
    runsCode: false,
    async run({ key, workspace }) {
      const patch = await findPatch(folder, key);
      if (patch === null)
        return {
          status: "unreachable",
          detail: `no patch ${key.taskId}[/${key.condition}][/${key.trial}] in ${folder}`,
        };
      const fault = await workspace.apply(patch);
      const unknown = { calls: null, promptTokens: null, completionTokens: null, costUsd: null };
      const end = fault === null ? "finished" : "crashed";
      return { status: "done", end, reportedSuccess: null, detail: fault, ...unknown };
    },
  };
}

async function findPatch(folder: string, { taskId, condition, trial }: AttemptKey): Promise<Bytes | null> {
  const names = [`${taskId}/${condition}/${trial}`, `${taskId}/${condition}`, `${taskId}/${trial}`, taskId];
  for (const name of names.flatMap((each) => [`${each}.patch`, `${each}.diff`])) {
    try {
      return await readPatch(join(folder, name));
    } catch (error) {
      if (!isSystemError(error, "ENOENT") && !isSystemError(error, "ENOTDIR")) throw error;
    }
  }
  return null;
}
