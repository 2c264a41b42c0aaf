import { z } from "zod";
import type { Cage, Permissions } from "../../workspace/cage.js";
import { defineTool, type Tool } from "./tool.js";

const LIMIT_MS = 120_000;

/**
 * `run_command`: a shell line in the tree, caged as far as there is a cage; never with a network.
 * @param signal ends a line under way
 */
export function commandTool(
  cage: Cage,
  permissions: Permissions,
  env: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Tool {
  return defineTool(
    "run_command",
    "Runs a line in a shell, in the root of the working tree, for two minutes at most; shows its output.",
    { command: z.string().min(1).describe("the line, as for /bin/sh") },
    async ({ command }) => {
      const argv = ["/bin/sh", "-c", command] as const;
      const limits = { cwd: permissions.workspace, env, limitMs: LIMIT_MS };
      const result = await cage.run({ argv, ...limits }, permissions, signal);
      const end = result.end === "exited" ? `exit code ${result.code}` : result.end.replace("_", " ");
      return `${end}\n${result.output}`;
    },
  );
}
