import { commandTool } from "../agent/tools/command-tool.js";
import { fileTools } from "../agent/tools/file-tools.js";
import { finishTool } from "../agent/tools/tool.js";
import type { Permissions } from "../workspace/cage.js";
import type { Workspace } from "../workspace/workspace.js";
import type { Assignment, Bench } from "./adapter.js";

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
