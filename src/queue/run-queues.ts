import type { Queue, QueueEvents } from "bullmq";
import type { Redis } from "ioredis";
import { connectionOptions, type QueueAddress, takeLeave } from "./redis.js";
import { PREFIX, queueName, STAGES, type Stage } from "./run-notice.js";

/** The queues of a run in its own session. */
export interface RunQueues {
  readonly queues: Readonly<Record<Stage, Queue>>;
  readonly events: Readonly<Record<Stage, QueueEvents>>;
  /** Settles once the server is there. */
  readonly ready: () => Promise<unknown>;
  /** Removes what is in them. */
  readonly remove: () => Promise<void>;
  /** Waits for no server. */
  readonly close: () => Promise<void>;
}

export async function openQueues(address: QueueAddress, run: string): Promise<RunQueues> {
  const { QueueEvents } = await import("bullmq");
  const queues = await makeQueues(address, run);
  const makeEvents = (stage: Stage) => {
    // Nothing is in the queue of a new run that could be told twice.
    const events = new QueueEvents(queueName(run, stage), { ...sharedOptions(address), lastEventId: "0" });
    events.on("error", () => {});
    return events;
  };
  const events = { usual: makeEvents("usual"), alone: makeEvents("alone") };
  return {
    queues,
    events,
    ready: () => Promise.all(STAGES.map((stage) => events[stage].waitUntilReady())),
    remove: () => removeQueues(queues),
    async close() {
      await closeQueues(queues);
      for (const stage of STAGES) {
        // Unforced, it waits for a server that is away.
        await events[stage].getBackend().close(true);
        // Only so that it reads no further: it may never have been there.
        void events[stage].close().catch(() => undefined);
      }
    },
  };
}

/** Removes what a run left that was killed: its own session would have done it. */
export async function removeLeftovers(redis: Redis, address: QueueAddress, run: string): Promise<void> {
  const queues = await makeQueues(address, run);
  await takeLeave(redis, () => removeQueues(queues));
  await closeQueues(queues);
}

/** Options of everything that stands on a queue. */
export function sharedOptions(address: QueueAddress) {
  return { connection: connectionOptions(address), prefix: PREFIX };
}

async function makeQueues(address: QueueAddress, run: string): Promise<Record<Stage, Queue>> {
  const { Queue } = await import("bullmq");
  const make = (stage: Stage) => {
    const queue = new Queue(queueName(run, stage), sharedOptions(address));
    // A server that is away is waited for.
    queue.on("error", () => {});
    return queue;
  };
  return { usual: make("usual"), alone: make("alone") };
}

async function removeQueues(queues: Readonly<Record<Stage, Queue>>): Promise<void> {
  for (const stage of STAGES) await queues[stage].obliterate({ force: true }).catch(() => undefined);
}

async function closeQueues(queues: Readonly<Record<Stage, Queue>>): Promise<void> {
  for (const stage of STAGES) {
    await queues[stage].getBackend().close(true);
    await queues[stage].close();
  }
}
