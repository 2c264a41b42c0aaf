import type { Queue, QueueEvents } from "bullmq";
import type { Redis, Redis as RedisClient } from "ioredis";
import { badInput, isSystemError, messageOf, modelUnavailable } from "../base/errors.js";
import { decodedPart } from "../model/http/public-url.js";
import { PREFIX, queueName, STAGES, type Stage } from "./queue-wire.js";

/** A Redis server, as `--queue` names it. Its password is in no text that leaves this module. */
export interface QueueAddress {
  /** Address such as `redis://host:6379/0`: without user and password. */
  readonly shown: string;
  readonly options: {
    readonly host: string;
    readonly port: number;
    readonly db: number;
    readonly username?: string;
    readonly password?: string;
    readonly tls?: object;
  };
}

/** The variable that holds the password where the URL has none. */
const PASSWORD_VARIABLE = "REDIS_PASSWORD";

/**
 * Reads the URL of `--queue`.
 * @throws ProbeError `bad_input` for anything else than redis(s)://[user:password@]host[:port][/db]; repeats none of it
 */
export function queueAddress(url: string, environment: Readonly<Record<string, string | undefined>>): QueueAddress {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  const db = Number(parsed?.pathname.slice(1) || "0");
  const isRedis = parsed !== null && ["redis:", "rediss:"].includes(parsed.protocol) && parsed.hostname !== "";
  if (!isRedis || !Number.isInteger(db) || db < 0 || parsed.search !== "" || parsed.hash !== "") {
    throw badInput(
      `Expected redis://[user@]host[:port][/number] for --queue, found something else. A password may stand in it, or in ` +
        `$${PASSWORD_VARIABLE}.`,
    );
  }
  const port = Number(parsed.port || "6379");
  const password = decodedPart(parsed.password) || environment[PASSWORD_VARIABLE];
  return {
    shown: `${parsed.protocol}//${parsed.hostname}:${port}/${db}`,
    options: {
      // Brackets of an IPv6 address belong to the URL.
      host: parsed.hostname.replace(/^\[|\]$/g, ""),
      port,
      db,
      ...(parsed.username !== "" && { username: decodedPart(parsed.username) }),
      ...(password !== undefined && password !== "" && { password }),
      ...(parsed.protocol === "rediss:" && { tls: {} }),
    },
  };
}

/** Time for the first connection, ms. */
const CONNECT_MS = 10_000;
const RETRY_MS = 500;

/** Options of every connection of a queue: it waits for a server that is away, for as long as that takes. */
export function connectionOptions({ options }: QueueAddress) {
  return { ...options, maxRetriesPerRequest: null, retryStrategy: () => RETRY_MS };
}

/** The packages of a queue, which its users alone install. */
async function importPackages() {
  try {
    await import("bullmq");
    return await import("ioredis");
  } catch (cause) {
    if (!isSystemError(cause, "ERR_MODULE_NOT_FOUND")) throw cause;
    throw badInput(
      "Expected the packages bullmq and ioredis for a queue, found them not installed. Install them beside this program: " +
        "npm install bullmq@6 ioredis@6",
      cause,
    );
  }
}

/**
 * Connects to a Redis server.
 * @throws ProbeError `bad_input` without the packages for it; `model_unavailable` when there is none, or it does not let us in
 */
export async function connectRedis(address: QueueAddress): Promise<RedisClient> {
  const { Redis } = await importPackages();
  const trial = new Redis({
    ...address.options,
    lazyConnect: true,
    connectTimeout: CONNECT_MS,
    retryStrategy: () => null,
  });
  // Told by what `connect` throws.
  let last: unknown = null;
  trial.on("error", (error) => {
    last = error;
  });
  try {
    await trial.connect();
    await trial.ping();
  } catch (error) {
    throw modelUnavailable(
      `Expected a Redis server at ${address.shown}, found: ${withoutSecret(address, messageOf(last ?? error))}. Start one, or ` +
        "correct --queue.",
    );
  } finally {
    trial.disconnect();
  }
  const client = new Redis(connectionOptions(address));
  // A server that is away is waited for: every command is kept until it is back.
  client.on("error", () => {});
  return client;
}

/** A message of a client's, with no password in it. */
export function withoutSecret({ options: { password } }: QueueAddress, message: string): string {
  return password === undefined ? message : message.replaceAll(password, "[password]");
}

/**
 * The answer of a server, unless the signal is aborted first: one that is away is waited for without end.
 * @throws the signal's reason when it is aborted
 */
export async function unlessAborted<T>(answer: Promise<T>, signal: AbortSignal): Promise<T> {
  let stop = () => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason as Error);
    signal.addEventListener("abort", stop, { once: true });
  });
  if (signal.aborted) stop();
  try {
    return await Promise.race([answer, aborted]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/** Time for the last words to a server, ms. */
const FAREWELL_MS = 5_000;

/** Says the last words to a server; not to one that is away, which nothing waits for at the end. */
export async function takeLeave(redis: Redis, farewell: () => Promise<unknown>): Promise<void> {
  if (redis.status !== "ready") return;
  await unlessAborted(farewell(), AbortSignal.timeout(FAREWELL_MS)).catch(() => undefined);
}

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
