import { resolve } from "node:path";
import { badInput } from "../base/errors.js";
import { nearHint } from "../base/near-names.js";
import { sampled, seededIntegers } from "../base/random.js";
import type { Shard } from "../base/shard.js";
import type { OptionTable } from "../console/option.js";
import { recordedParameters } from "../console/recorded-options.js";
import type { SuitePlan } from "../run/suite.js";
import type { BenchAdapter } from "./adapter.js";
import { TaskCages } from "./bench-room.js";
import type { BenchData, BenchTask, Runtime } from "./bench-task.js";
import { mainAgent, withControls } from "./make/choose-agent.js";
import { requireNamedCode } from "./named-code.js";
import type { TrialPlan } from "./suite-part.js";
import { COMMAND_LIMIT_SECONDS, type TrialValues } from "./trial-options.js";
import { isTried, type TrialRequest, type TrialRun } from "./trial-run.js";

/** The plan of a run's trials, and what they are made with. */
export interface PlannedRun<Task extends BenchTask> {
  readonly trials: TrialPlan<Task>;
  readonly runtime: Runtime;
  /** Folders that no agent may see. */
  readonly hidden: readonly string[];
  readonly plan: Omit<SuitePlan<TrialRun>, "own" | "perform" | "open">;
}

/**
 * Loads the data and plans the trials that the options ask for.
 * @param options all that the suite takes, in the order in which `run.json` keeps them
 * @throws ProbeError `bad_input`
 */
export async function planTrials<Task extends BenchTask>(
  adapter: BenchAdapter<Task>,
  options: OptionTable,
  request: TrialRequest,
): Promise<PlannedRun<Task>> {
  const { values, workingDirectory } = request;
  const named = values.data === null ? null : resolve(workingDirectory, values.data);
  const data = await adapter.load(named, workingDirectory, { ...values });
  const asked = selectConditions(adapter, values);
  const tried = data.tasks.filter((task) => asked.some((condition) => isTried(task, condition)));
  const tasks = selectTasks({ ...data, tasks: tried }, values);
  const shard = requireEnough(request.shard ?? undefined, tasks.length);
  const runtime = await adapter.runtime({ ...values });
  const { sandbox, image } = values;
  const { common: cage } = await TaskCages.open(adapter, { sandbox, image, hidden: data.hidden });
  requireNamedCode(request, cage);
  const { agent, needs } = await mainAgent(request, cage, null);
  const { version } = agent.identity;
  const agents = withControls(agent, values.controls);
  const own = {
    kind: "suite",
    data: { source: data.source, sha256: data.sha256 },
    tasks: await Promise.all(tasks.map((task) => taskRecord(adapter, task, image))),
    conditions: asked.filter((condition) => tasks.some((task) => isTried(task, condition))),
    agents: agents.map(({ name, identity }) => ({ name, is_control: name !== agent.name, identity: { ...identity } })),
    trials_per_task: values.trials,
    runtime_sha256: runtime.sha256,
    tool_versions: runtime.versions,
    sandbox: {
      kind: cage.kind,
      version: cage.version,
      reason: cage.reason,
      image: cage.image?.name ?? null,
      ...(cage.image && { image_id: cage.image.id }),
    },
    hidden_tests_exposed: cage.kind === "none" && agent.runsCode,
  } as const;
  return {
    trials: { tasks, own, shard },
    runtime,
    hidden: data.hidden,
    plan: {
      needs,
      parameters: recordedParameters(options, values),
      prompts: (await adapter.prompts()).map(({ id, sha256 }) => ({ id, sha256 })),
      limits: { ...adapter.limits, command_limit_seconds: COMMAND_LIMIT_SECONDS },
      opening: { mode: "fast", seed: values.seed, ...(values.think !== null && { think: values.think }) },
      ...(version !== undefined && { facts: { version } }),
      ...(shard && { shard }),
    },
  };
}

/** @throws ProbeError `bad_input` when there are more shares than tasks */
function requireEnough(shard: Shard | undefined, tasks: number): Shard | undefined {
  if (shard === undefined || shard.count <= tasks) return shard;
  throw badInput(
    `Expected --shard i/n with n up to ${tasks}, as many as there are tasks, found ${shard.count}. Split the run into fewer.`,
  );
}

async function taskRecord<Task extends BenchTask>(
  adapter: BenchAdapter<Task>,
  task: Task,
  named: string | null,
): Promise<TrialRun["tasks"][number]> {
  const { id, group, conditions, image } = task;
  const hasGold = adapter.hasGold?.(task) ?? (await adapter.gold(task)) !== null;
  return {
    id,
    group,
    ...(conditions && { conditions: [...conditions] }),
    ...(!hasGold && { has_gold: false }),
    ...(image !== undefined && named === null && { image }),
  };
}

const ID = /^[A-Za-z0-9_.-]+(\/[A-Za-z0-9_.-]+)*$/;

/**
 * The tasks that the options name: by id, drawn, the first of them.
 * @throws ProbeError `bad_input` for a task that there is not, or when none is left
 */
export function selectTasks<Task extends BenchTask>(
  { tasks, source }: BenchData<Task>,
  { taskId, sample, seed, limit }: Pick<TrialValues, "taskId" | "sample" | "seed" | "limit">,
): Task[] {
  for (const { id } of tasks)
    if (!ID.test(id) || id.split("/").some((part) => /^\.+$/.test(part)))
      throw badInput(`Expected ids of letters, digits, ".", "_", "-" and "/" in ${source}, found "${id}".`);
  const ids = tasks.map(({ id }) => id);
  const unknown = taskId.find((id) => !ids.includes(id));
  if (unknown !== undefined) {
    const known = ids.slice(0, 20).join(", ");
    const more = ids.length > 20 ? `, … (${ids.length})` : "";
    throw badInput(`Expected --task-id to be one of ${known}${more}; found ${unknown}.${nearHint(unknown, ids)}`);
  }
  const named = taskId.length === 0 ? [...tasks] : tasks.filter(({ id }) => taskId.includes(id));
  const drawn = sample === null ? named : sampled(named, sample, seededIntegers(seed));
  const selected = limit === null ? drawn : drawn.slice(0, limit);
  if (selected.length > 0) return selected;
  throw badInput(`Expected at least one task in ${source}, found none. Check --data.`);
}

/**
 * The conditions that the options name, in the order of the suite.
 * @throws ProbeError `bad_input` for a condition that there is not
 */
function selectConditions(
  { conditions, name, conditionBy }: Pick<BenchAdapter, "conditions" | "name" | "conditionBy">,
  values: Pick<TrialValues, "condition">,
): string[] {
  const given = values.condition;
  const names = conditions.map((condition) => condition.name);
  const unknown = given.find((condition) => !names.includes(condition));
  if (unknown !== undefined)
    throw badInput(
      `Expected --condition of ${name} to be ${names.join(" or ")}; found ${unknown}.${nearHint(unknown, names)}`,
    );
  const isChosen = ({ name: each, isDefault }: (typeof conditions)[number]) =>
    given.length > 0 ? given.includes(each) : isDefault;
  const chosen = conditions
    .filter(isChosen)
    .map((condition) => conditionBy?.(condition.name, values) ?? condition.name);
  return names.filter((condition) => chosen.includes(condition));
}
