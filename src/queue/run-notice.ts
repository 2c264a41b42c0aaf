import { z } from "zod";
import { programIdentity } from "../base/program-identity.js";
import { PROMPT_MODES } from "../model/model.js";
import { CAPABILITIES, think } from "../model/requests.js";
import { differences, type WorkIdentity } from "../store/identity.js";

/** Beginning of all keys of a queue. */
export const PREFIX = "probe";

/** A run that is there says so again and again; one that was not heard of for so long is gone. */
export const BEAT_MS = 3_000;
export const SILENT_MS = 20_000;

/** Key of the notice of a run. */
export function runKey(run: string): string {
  return `${PREFIX}:run:${run}`;
}

/** Key of the set of runs there are. Those that were killed are taken out by workers. */
export const RUNS_KEY = `${PREFIX}:runs`;
export const RUN_NAME = /^[0-9a-f]{16}$/;

/** Key of the notices of workers that have a run's model open; a set, so that each may be said again. */
export function helloKey(run: string): string {
  return `${PREFIX}:hellos:${run}`;
}

/** Key of the reasons for which workers were refused; a set too. */
export function refusedKey(run: string): string {
  return `${PREFIX}:refusals:${run}`;
}

/** Stands in place of the notice of a run that ended. */
export const OVER = '"over"';

/** Deliveries of a piece of work before it is given up: it is taken for what ends its workers. */
export const MOST_DELIVERIES = 3;

/**
 * The queues of a run. Work whose worker ended goes from the first to the second, of which a worker takes one piece at a
 * time: so what ends workers is told from what was under way beside it. Deliveries count over both.
 */
export const STAGES = ["usual", "alone"] as const;
export type Stage = (typeof STAGES)[number];

export function queueName(run: string, stage: Stage): string {
  return `${run}-${stage}`;
}

/** Number of workers that may end with a piece of work of a queue before it is taken out of it. */
export const STALLS: Readonly<Record<Stage, number>> = { usual: 0, alone: MOST_DELIVERIES - 2 };

const identity = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]));

/** Facts that a run and its workers must share. */
const facts = {
  program: z.strictObject({ name: z.string(), version: z.string(), commit: z.string().nullable() }),
  label: z.string(),
  /** `key=value` settings of the model. */
  settings: z.array(z.string()),
};

/** Notice of a run on a queue: who may work for it, and how the model is opened. */
export const runNotice = z.strictObject({
  ...facts,
  opening: z.strictObject({
    promptMode: z.enum(PROMPT_MODES),
    mode: z.enum(["fast", "exact"]),
    seed: z.int().nonnegative(),
    optionCount: z.int().positive().nullable(),
    think: think.exactOptional(),
    needs: z.array(z.enum(CAPABILITIES)),
  }),
  /** Identity of the model; `null` until the first worker said it. */
  identity: identity.nullable(),
});

export type RunNotice = z.infer<typeof runNotice>;

/** Notice of a worker that has the model of a run open. */
export const workerNotice = z.strictObject({
  ...facts,
  identity,
  /** Name for messages, such as `worker-1 (pid 4711)`. */
  name: z.string().max(300),
});

export type WorkerNotice = z.infer<typeof workerNotice>;

/** The facts of this process, for a notice of it. */
export function ownFacts(
  label: string,
  settings: readonly string[],
): Pick<RunNotice, "program" | "label" | "settings"> {
  const { name, version, commit } = programIdentity();
  return { program: { name, version, commit }, label, settings: [...settings] };
}

/** A notice as it was read; `null`: another version of the program wrote it, or something else. */
export function readNotice<T>(schema: z.ZodType<T>, text: string): T | null {
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/** Differences between a worker and a run's needs, a line each; none: it may work for it. */
export function refusals(run: RunNotice, worker: Omit<WorkerNotice, "name">): string[] {
  const shown = (notice: Pick<RunNotice, "program" | "label" | "settings" | "identity">): WorkIdentity => ({
    program: `${notice.program.name} ${notice.program.version}`,
    "program commit": notice.program.commit,
    model: notice.label,
    "model settings": notice.settings,
    ...Object.fromEntries(Object.entries(notice.identity ?? {}).map(([name, value]) => [`model ${name}`, value])),
  });
  const own = shown(run.identity === null ? { ...worker, identity: null } : worker);
  return differences(shown(run), own, "the run", "this worker");
}
