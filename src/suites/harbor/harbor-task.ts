import { z } from "zod";
import type { BenchTask } from "../../trial/bench-task.js";

const seconds = z
  .number()
  .positive()
  .max(7 * 86_400);
const variables = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]).transform(String)).default({});

/** `task.toml`, as far as it is read: old and newer spellings. What else stands there is not. */
export const taskSchema = z.looseObject({
  version: z.union([z.string(), z.number()]).optional(),
  schema_version: z.union([z.string(), z.number()]).optional(),
  metadata: z.looseObject({ repository: z.string().optional(), category: z.string().optional() }).prefault({}),
  agent: z.looseObject({ timeout_sec: seconds.default(600) }).prefault({}),
  verifier: z.looseObject({ timeout_sec: seconds.default(600), env: variables }).prefault({}),
  solution: z.looseObject({ env: variables }).prefault({}),
  environment: z
    .looseObject({
      docker_image: z.string().min(1).optional(),
      gpus: z.number().default(0),
      env: variables,
      mcp_servers: z.array(z.unknown()).default([]),
    })
    .prefault({}),
  steps: z.array(z.unknown()).default([]),
});
/** Settings of a task. */
export type HarborSettings = z.infer<typeof taskSchema>;

/** A task as its folder tells it. */
export interface HarborTask extends BenchTask {
  readonly folder: string;
  readonly instruction: string;
  readonly settings: HarborSettings;
  /** Path of its tree in a cage, such as `/app`. */
  readonly place: string;
  /** Variables of its environment: those of a Dockerfile that needs no building, and of `task.toml`. */
  readonly env: Readonly<Record<string, string>>;
  /** True if it has `solution/solve.sh`. */
  readonly hasSolution: boolean;
  /** Fault of the task itself; `null`: none. */
  readonly fault: string | null;
  /** Reason why nobody can be judged by it here; `null`: somebody can. */
  readonly obstacle: string | null;
}

/** Variables as a task names them: `${NAME}` would be this machine's, which no task gets; `${NAME:-x}` is x. */
export function ownValues(env: Readonly<Record<string, string>>): Record<string, string> {
  const own = (value: string) =>
    value.replace(/\$\{[A-Za-z_]\w*(?::-([^}]*))?\}/g, (_, fallback: string | undefined) => fallback ?? "");
  return Object.fromEntries(Object.entries(env).map(([name, value]) => [name, own(value)]));
}
