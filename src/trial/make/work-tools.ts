import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { fileTools } from "../../agent/file-tools.js";
import { defineTool, finishTool, type Tool } from "../../agent/tool.js";
import type { Cage } from "../../workspace/cage.js";
import { patchSections } from "../../workspace/patched-files.js";
import type { Permissions } from "../../workspace/run-command.js";
import type { Workspace } from "../../workspace/workspace.js";
import type { Assignment, Bench } from "../bench-task.js";

/** Folder for an agent's files that are no change of the repository; instructions call it `/logs/agent`. */
export const HAND_IN = "logs/agent";

/** A patch without what an agent handed in beside it. */
export function changesOf(patch: string): string {
  const sections = patchSections(patch).filter(({ path }) => !path.startsWith(`${HAND_IN}/`));
  return sections.map(({ text }) => text).join("");
}

const LIMIT_MS = 120_000;

/**
 * `run_command`: a shell line in the tree, caged as far as there is a cage; never with a network.
 * @param signal ends a line under way
 */
function commandTool(
  cage: Cage,
  permissions: Permissions,
  env: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Tool {
  return defineTool(
    "run_command",
    "Runs a line in a shell, in the root of the working tree, for two minutes at most; shows its output.",
    { command: z.string().min(1).describe("the line, as for /bin/sh") },
    async ({ command }, leftMs) => {
      const argv = ["/bin/sh", "-c", command] as const;
      const limits = { cwd: permissions.workspace, env, limitMs: Math.min(LIMIT_MS, leftMs) };
      const result = await cage.run({ argv, ...limits }, permissions, signal);
      const end = result.end === "exited" ? `exit code ${result.code}` : result.end.replace("_", " ");
      return `${end}\n${result.output}`;
    },
  );
}

/**
 * The tools of who works on the whole of a tree: files, commands in the cage without a network, and an end.
 * @param finish what the last one is for
 * @param at other places at which a caged command finds folders
 */
export function workTools(
  { tree }: Workspace,
  { cage, signal }: Bench,
  finish: string,
  at?: Permissions["at"],
): Assignment["tools"] {
  const env = { PATH: process.env["PATH"] ?? "/usr/bin:/bin", LANG: "C.UTF-8", HOME: tree };
  const permissions = { workspace: tree, writesWorkspace: true, writes: [], reads: [], network: false };
  return [
    ...fileTools({ tree, within: [] }),
    commandTool(cage, { ...permissions, ...(at && { at }) }, env, signal),
    finishTool("finish", finish),
  ];
}

/**
 * A text for who has no root but that of its tree: `place`, such as `/app`, is the root of the tree, and `/logs/agent` is in
 * it.
 */
export function fromRoot(text: string, place: string): string {
  const root = place.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return text
    .replace(/(?<![\w./-])\/logs\/agent(?![\w-])/g, "logs/agent")
    .replace(new RegExp(`(?<![\\w./-])${root}/(?=[\\w.])`, "g"), "")
    .replace(new RegExp(`(?<![\\w./-])${root}(?![\\w-])`, "g"), ".");
}

/**
 * Assignment whose text names the root of its tree, `place`, and the folder for what is handed in beside it: in a cage both
 * are there; elsewhere the text names others, from the root of its tree. A model with tools has no other root.
 * @param finish what its last tool is for
 */
export async function rootedAssignment(
  { system, text, place, finish }: Readonly<Record<"system" | "text" | "place" | "finish", string>>,
  workspace: Workspace,
  bench: Bench,
): Promise<Assignment> {
  const logs = join(workspace.tree, HAND_IN);
  await mkdir(logs, { recursive: true });
  const at = bench.cage.kind === "none" ? null : { [place]: workspace.tree, [`/${HAND_IN}`]: logs };
  const user = fromRoot(text, place);
  return {
    system,
    user,
    instruction: at === null ? user : text,
    tools: workTools(workspace, bench, finish, at ?? undefined),
    ...(at && { at }),
  };
}
