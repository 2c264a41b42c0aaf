import { randomBytes } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import type { Redis } from "ioredis";
import { programIdentity } from "../base/program.js";
import { shorten } from "../base/text.js";
import type { Model } from "../model/model.js";
import { askingModel } from "./asking-model.js";
import { BEAT_MS, helloKey, OVER, PREFIX, queueName, refusedKey, runKey, SILENT_MS, type Stage } from "./keys.js";
import { connectionOptions, connectRedis, type QueueAddress, queueAddress } from "./redis.js";
import { type RunNotice, refusals, type WorkerNotice, workerNotice } from "./run-notice.js";
import { SubmittedWork } from "./submitted-work.js";

const POLL_MS = 200;

export interface QueueRequest {
  /** As `--queue` names it. */
  readonly url: string;
  readonly label: string;
  readonly settings: readonly string[];
  readonly opening: RunNotice["opening"];
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly onMessage: (message: string) => void;
  readonly signal: AbortSignal;
}

/**
 * A model that workers have: what it is asked goes into a queue of this session alone, and comes back from whichever
 * worker takes it. Waits for the first worker, which says what the model is; others have to have the same.
 * @throws ProbeError `bad_input`, `model_unavailable`
 */
export async function openQueueModel(request: QueueRequest): Promise<Model> {
  const address = queueAddress(request.url, request.environment);
  const redis = await connectRedis(address);
  const run = randomBytes(8).toString("hex");
  const notice: RunNotice = { ...noticeOf(request), identity: null };
  const listing = new Listing(redis, run, notice, request.onMessage);
  try {
    await listing.begin();
    request.onMessage(`Waiting for a worker at ${address.shown}: probe worker --queue URL --model ${request.label}`);
    const identity = await listing.firstIdentity(request.signal);
    const { queues, events, close } = await openQueues(address, run);
    const work = new SubmittedWork(queues, events);
    await listing.accept(identity);
    return askingModel(identity, work, request.onMessage, async () => {
      work.close();
      await listing.end();
      await close();
      redis.disconnect();
    });
  } catch (error) {
    await listing.end();
    redis.disconnect();
    throw error;
  }
}

/** The queues of a run; closing them removes them. */
async function openQueues(address: QueueAddress, run: string) {
  const { Queue, QueueEvents } = await import("bullmq");
  const shared = { connection: connectionOptions(address), prefix: PREFIX };
  const make = (stage: Stage) => {
    const name = queueName(run, stage);
    const made = { queue: new Queue(name, shared), events: new QueueEvents(name, shared) };
    // A server that is away is waited for.
    made.queue.on("error", () => {});
    made.events.on("error", () => {});
    return made;
  };
  const [usual, alone] = [make("usual"), make("alone")];
  await Promise.all([usual.events.waitUntilReady(), alone.events.waitUntilReady()]);
  return {
    queues: { usual: usual.queue, alone: alone.queue },
    events: { usual: usual.events, alone: alone.events },
    async close() {
      for (const { queue, events } of [usual, alone]) {
        await queue.obliterate({ force: true }).catch(() => undefined);
        await Promise.all([queue.close(), events.close()]);
      }
    },
  };
}

function noticeOf({ label, settings, opening }: QueueRequest): Omit<RunNotice, "identity"> {
  const { name, version, commit } = programIdentity();
  return { program: { name, version, commit }, label, settings: [...settings], opening };
}

/** A run as workers see it: kept alive while the session is. */
class Listing {
  readonly #redis: Redis;
  readonly #run: string;
  readonly #onMessage: (message: string) => void;
  #notice: RunNotice;
  #beat: NodeJS.Timeout | null = null;
  #refused = 0;

  constructor(redis: Redis, run: string, notice: RunNotice, onMessage: (message: string) => void) {
    this.#redis = redis;
    this.#run = run;
    this.#notice = notice;
    this.#onMessage = onMessage;
  }

  async begin(): Promise<void> {
    await this.#write();
    this.#beat = setInterval(() => void this.#write().catch(() => undefined), BEAT_MS);
  }

  async #write(): Promise<void> {
    await this.#redis.set(runKey(this.#run), JSON.stringify(this.#notice), "PX", SILENT_MS);
    await this.#tellRefused();
  }

  async #tellRefused(): Promise<void> {
    const texts = await this.#redis.lrange(refusedKey(this.#run), this.#refused, -1);
    this.#refused += texts.length;
    for (const text of texts) this.#onMessage(`Refused a worker: ${shorten(text, 1_000)}`);
  }

  /** What the first worker that may work for the run has as its model. */
  async firstIdentity(signal: AbortSignal): Promise<WorkerNotice["identity"]> {
    for (let seen = 0; ; ) {
      signal.throwIfAborted();
      const texts = await this.#redis.lrange(helloKey(this.#run), seen, -1);
      seen += texts.length;
      for (const text of texts) {
        const worker = workerNotice.safeParse(parseJson(text)).data;
        if (worker !== undefined && refusals(this.#notice, worker).length === 0) return worker.identity;
      }
      await wait(POLL_MS, undefined, { signal });
    }
  }

  async accept(identity: WorkerNotice["identity"]): Promise<void> {
    this.#notice = { ...this.#notice, identity };
    await this.#write();
  }

  async end(): Promise<void> {
    if (this.#beat !== null) clearInterval(this.#beat);
    await this.#tellRefused().catch(() => undefined);
    await this.#redis.set(runKey(this.#run), OVER, "PX", BEAT_MS).catch(() => undefined);
    await this.#redis.del(helloKey(this.#run), refusedKey(this.#run)).catch(() => undefined);
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
