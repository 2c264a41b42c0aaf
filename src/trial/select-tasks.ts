import { ProbeError } from "../base/errors.js";
import { nearHint } from "../base/near-names.js";
import { sampled, seededIntegers } from "../base/random.js";
import type { BenchAdapter } from "./adapter.js";
import type { BenchData, BenchTask } from "./bench-task.js";
import type { TrialValues } from "./trial-options.js";

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
      throw new ProbeError(
        "bad_input",
        `Expected ids of letters, digits, ".", "_", "-" and "/" in ${source}, found "${id}".`,
      );
  const unknown = taskId.find((id) => !tasks.some((task) => task.id === id));
  if (unknown !== undefined) {
    const known = tasks.slice(0, 20).map(({ id }) => id);
    const more = tasks.length > known.length ? `, … (${tasks.length})` : "";
    const near = nearHint(
      unknown,
      tasks.map(({ id }) => id),
    );
    throw new ProbeError(
      "bad_input",
      `Expected --task-id to be one of ${known.join(", ")}${more}; found ${unknown}.${near}`,
    );
  }
  const named = taskId.length === 0 ? [...tasks] : tasks.filter(({ id }) => taskId.includes(id));
  const drawn = sample === null ? named : sampled(named, sample, seededIntegers(seed));
  const selected = limit === null ? drawn : drawn.slice(0, limit);
  if (selected.length > 0) return selected;
  throw new ProbeError("bad_input", `Expected at least one task in ${source}, found none. Check --data.`);
}

/**
 * The conditions that the options name, in the order of the suite.
 * @throws ProbeError `bad_input` for a condition that there is not
 */
export function selectConditions(
  { conditions, name, conditionBy }: Pick<BenchAdapter, "conditions" | "name" | "conditionBy">,
  values: Pick<TrialValues, "condition">,
): string[] {
  const given = values.condition;
  const names = conditions.map((condition) => condition.name);
  const unknown = given.find((condition) => !names.includes(condition));
  if (unknown !== undefined)
    throw new ProbeError(
      "bad_input",
      `Expected --condition of ${name} to be ${names.join(" or ")}; found ${unknown}.${nearHint(unknown, names)}`,
    );
  const isChosen = ({ name: each, isDefault }: (typeof conditions)[number]) =>
    given.length > 0 ? given.includes(each) : isDefault;
  const chosen = conditions
    .filter(isChosen)
    .map((condition) => conditionBy?.(condition.name, values) ?? condition.name);
  return names.filter((condition) => chosen.includes(condition));
}
