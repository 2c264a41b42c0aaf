import { z } from "zod";
import { goldAgent } from "../agent/scripted-agents.js";
import { isInShard } from "../base/shard.js";
import { count, runRecordSchema } from "../run/run-record.js";
import type { SuiteRequest } from "../run/suite.js";
import { ENGINES } from "../workspace/cage.js";
import type { TrialValues } from "./trial-options.js";

const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()]);

/** `run.json` of a suite of agents. */
export const trialRunSchema = runRecordSchema.extend({
  kind: z.literal("suite"),
  data: z.object({ source: z.string(), sha256: z.string() }),
  /** Tasks in the order of the run. */
  tasks: z.array(
    z.object({
      id: z.string(),
      group: z.string(),
      /** The only ones that it is tried under; absent: all. */
      conditions: z.array(z.string()).optional(),
      /** True if there is a right solution, which the control `gold` applies; absent: there is. */
      has_gold: z.boolean().optional(),
      /** Image of its own, in which it was tried; absent: that of the run. */
      image: z.string().optional(),
    }),
  ),
  conditions: z.array(z.string()),
  /** Agents, the controls last. */
  agents: z.array(z.object({ name: z.string(), is_control: z.boolean(), identity: z.record(z.string(), scalar) })),
  trials_per_task: count,
  runtime_sha256: z.string(),
  tool_versions: z.record(z.string(), z.string()),
  sandbox: z.object({
    kind: z.enum([...ENGINES, "none"]),
    version: z.string().nullable(),
    reason: z.string().nullable(),
    image: z.string().nullable().optional(),
    /** Id of that image; absent: there was none. */
    image_id: z.string().optional(),
  }),
  /** True if an agent ran code that nothing kept from the hidden tests. */
  hidden_tests_exposed: z.boolean(),
});

/** `run.json` of a suite of agents. */
export type TrialRun = z.infer<typeof trialRunSchema>;

/** Request for a run of a suite of agents. */
export type TrialRequest<Values extends TrialValues = TrialValues, Run extends TrialRun = TrialRun> = SuiteRequest<
  Values,
  Run
>;

/** Fields that the number of a run's trials follows from. */
export type Arms = Pick<TrialRun, "agents" | "conditions" | "tasks" | "trials_per_task" | "shard">;

/** The tasks of a share: every so many, whole. */
export function tasksOf({ tasks, shard }: Pick<TrialRun, "tasks" | "shard">): TrialRun["tasks"] {
  return tasks.filter((_, position) => isInShard(shard, position));
}

/** Tests if an agent of a run is there for comparison: floor or ceiling. */
export function isControl({ agents }: Pick<TrialRun, "agents">, agent: string): boolean {
  return agents.some(({ name, is_control }) => is_control && name === agent);
}

/** Tests if a task is tried under a condition. */
export function isTried(
  { conditions }: { readonly conditions?: readonly string[] | undefined },
  condition: string,
): boolean {
  return conditions?.includes(condition) ?? true;
}

/**
 * Trials of an item: controls are the same each time; none where a task is not tried under a condition, has no gold for the
 * control of that name, or is in another share.
 */
export function trialsOf({ agents, conditions, tasks, trials_per_task, shard }: Arms): (item: number) => number {
  const perAgent = conditions.length * tasks.length;
  return (item) => {
    const task = tasks[item % tasks.length];
    const condition = conditions[Math.floor((item % perAgent) / tasks.length)];
    if (task === undefined || condition === undefined || !isTried(task, condition)) return 0;
    if (!isInShard(shard, item % tasks.length)) return 0;
    const agent = agents[Math.floor(item / perAgent)];
    if (agent?.is_control !== true) return trials_per_task;
    return agent.name === goldAgent.name && task.has_gold === false ? 0 : 1;
  };
}

/** Items of a run: each agent under each condition on each task. */
export function itemsOf({ agents, conditions, tasks }: Pick<Arms, "agents" | "conditions" | "tasks">): number {
  return agents.length * conditions.length * tasks.length;
}

/** All trials of a run. */
export function plannedTrials(run: Arms): number {
  const places = trialsOf(run);
  return Array.from({ length: itemsOf(run) }, (_, item) => places(item)).reduce((sum, count) => sum + count, 0);
}
