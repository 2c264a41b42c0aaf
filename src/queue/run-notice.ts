import { z } from "zod";
import { PROMPT_MODES } from "../model/model.js";
import { CAPABILITIES } from "../model/requests.js";
import { differences, type WorkIdentity } from "../store/identity.js";

const program = z.strictObject({ name: z.string(), version: z.string(), commit: z.string().nullable() });
const identity = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]));

/** What a run on a queue says of itself: who may work for it, and how the model is opened. */
export const runNotice = z.strictObject({
  program,
  label: z.string(),
  /** `key=value` settings of the model. */
  settings: z.array(z.string()),
  opening: z.strictObject({
    promptMode: z.enum(PROMPT_MODES),
    mode: z.enum(["fast", "exact"]),
    seed: z.int().nonnegative(),
    optionCount: z.int().positive().nullable(),
    needs: z.array(z.enum(CAPABILITIES)),
  }),
  /** Of the model; `null` until the first worker said it. */
  identity: identity.nullable(),
});

export type RunNotice = z.infer<typeof runNotice>;

/** What a worker says that has the model of a run open. */
export const workerNotice = z.strictObject({
  program,
  label: z.string(),
  settings: z.array(z.string()),
  identity,
  /** Such as `worker-1 (pid 4711)`: for messages. */
  name: z.string().max(300),
});

export type WorkerNotice = z.infer<typeof workerNotice>;

/** How a worker is another than a run needs, a line a difference; none: it may work for it. */
export function refusals(run: RunNotice, worker: Omit<WorkerNotice, "name">): string[] {
  const facts = (notice: Pick<RunNotice, "program" | "label" | "settings" | "identity">): WorkIdentity => ({
    program: `${notice.program.name} ${notice.program.version}`,
    "program commit": notice.program.commit,
    model: notice.label,
    "model settings": notice.settings,
    ...Object.fromEntries(Object.entries(notice.identity ?? {}).map(([name, value]) => [`model ${name}`, value])),
  });
  const own = facts(run.identity === null ? { ...worker, identity: null } : worker);
  return differences(facts(run), own, "the run", "this worker");
}
