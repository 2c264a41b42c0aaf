import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Assignment, Bench } from "../../../trial/adapter.js";
import { workTools } from "../../../trial/work-tools.js";
import type { Workspace } from "../../../workspace/workspace.js";
import { HAND_IN } from "../patch/hand-in.js";
import type { OwnPrompts } from "../rubric/task-prompts.js";
import type { AtlasTask } from "./task.js";

/**
 * What an agent is told: in a cage the paths that the instruction names are there; elsewhere it is told others, from the
 * root of its tree. A model with tools has no other root.
 */
export async function assignmentOf(
  { instruction }: AtlasTask,
  workspace: Workspace,
  bench: Bench,
  prompts: OwnPrompts,
): Promise<Assignment> {
  const { tree } = workspace;
  const logs = join(tree, HAND_IN);
  await mkdir(logs, { recursive: true });
  const at = { "/app": tree, "/logs/agent": logs };
  const isCaged = bench.cage.kind === "bwrap";
  return {
    system: prompts.agent.text,
    user: fromRoot(instruction),
    instruction: isCaged ? instruction : fromRoot(instruction),
    tools: workTools(
      workspace,
      bench,
      "Ends the task: everything that is asked for is written.",
      isCaged ? at : undefined,
    ),
    ...(isCaged && { at }),
  };
}

/** A text whose `/app` is the root of the tree, and whose `/logs/agent` is in it. */
export function fromRoot(text: string): string {
  return text
    .replace(/(?<![\w./-])\/logs\/agent(?![\w-])/g, HAND_IN)
    .replace(/(?<![\w./-])\/app\/(?=[\w.])/g, "")
    .replace(/(?<![\w./-])\/app(?![\w-])/g, ".");
}
