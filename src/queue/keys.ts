/** All keys of a queue begin so. */
export const PREFIX = "probe";

/** A run that is there says so again and again; one that was not heard of for so long is gone. */
export const BEAT_MS = 3_000;
export const SILENT_MS = 20_000;

/** What a run says of itself. */
export function runKey(run: string): string {
  return `${PREFIX}:run:${run}`;
}

/** The runs there are; a set. Those that were killed are taken out by workers. */
export const RUNS_KEY = `${PREFIX}:runs`;
export const RUN_NAME = /^[0-9a-f]{16}$/;

/** What workers say that have its model open; a set, so that it may be said again. */
export function helloKey(run: string): string {
  return `${PREFIX}:hellos:${run}`;
}

/** Why workers were refused, likewise. */
export function refusedKey(run: string): string {
  return `${PREFIX}:refusals:${run}`;
}

/** What stands in place of a run that ended. */
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

/** How often a worker may end with a piece of work of a queue before it is taken out of it. */
export const STALLS: Readonly<Record<Stage, number>> = { usual: 0, alone: MOST_DELIVERIES - 2 };
