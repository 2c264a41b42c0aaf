import { randomBytes } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import type { Redis } from "ioredis";
import { shorten } from "../base/text.js";
import type { Model } from "../model/model.js";
import type { FailedReply, RequestKey, SymbolRequest } from "../model/requests.js";
import {
  BEAT_MS,
  helloKey,
  OVER,
  ownFacts,
  type Result,
  RUNS_KEY,
  type RunNotice,
  readNotice,
  refusals,
  refusedKey,
  runKey,
  SILENT_MS,
  type Work,
  type WorkerNotice,
  workerNotice,
} from "./queue-wire.js";
import { connectRedis, openQueues, queueAddress, type RunQueues, takeLeave, unlessAborted } from "./redis.js";
import { type Outcome, SubmittedWork } from "./submitted-work.js";

export interface QueueRequest {
  /** URL of the queue, as `--queue` names it. */
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
  const { signal, onMessage } = request;
  const address = queueAddress(request.url, request.environment);
  const redis = await connectRedis(address);
  const run = randomBytes(8).toString("hex");
  const { label, settings, opening } = request;
  const listing = new Listing(redis, run, { ...ownFacts(label, settings), opening, identity: null }, onMessage);
  let opened: RunQueues | null = null;
  const close = async () => {
    listing.stop();
    await takeLeave(redis, async () => {
      await listing.end();
      await opened?.remove();
    });
    redis.disconnect();
    await opened?.close().catch(() => undefined);
  };
  try {
    await unlessAborted(listing.begin(), signal);
    onMessage(`Waiting for a worker at ${address.shown}: probe worker --queue URL --model ${request.label}`);
    const identity = await listing.firstIdentity(signal);
    opened = await openQueues(address, run);
    await unlessAborted(opened.ready(), signal);
    await unlessAborted(listing.accept(identity), signal);
    const work = new SubmittedWork(opened.queues, opened.events);
    return askingModel(identity, work, onMessage, async () => {
      work.close();
      await close();
    });
  } catch (error) {
    await close();
    throw error;
  }
}

/** Questions that may be in the queue at once: enough for any number of workers, little enough to hold. */
const MOST_WAITING = 256;

type ResultOf<Kind extends Work["kind"]> = Extract<Result, { readonly kind: Kind }>;
type Missed = Exclude<Outcome, { readonly status: "done" }>;

/**
 * A model whose every reply comes from a queue.
 * @param onMessage told of each piece of work that has none
 */
function askingModel(
  identity: Model["identity"],
  submitted: Pick<SubmittedWork, "ask">,
  onMessage: (message: string) => void,
  close: () => Promise<void>,
): Model {
  const ask = async <Kind extends Work["kind"]>(
    work: Work & { readonly kind: Kind },
    name: string,
    signal: AbortSignal,
  ): Promise<ResultOf<Kind> | Missed> => {
    const outcome = await submitted.ask(work, signal);
    // Its kind was checked when it came.
    if (outcome.status === "done") return outcome.result as ResultOf<Kind>;
    onMessage(`${name}: ${textOf(outcome)}`);
    return outcome;
  };
  return {
    identity,
    maxOpenGroups: MOST_WAITING,
    async *scoreSymbols(requests, signal) {
      const [first] = requests;
      const found = await ask(
        { kind: "symbols", requests },
        first === undefined ? "nothing" : nameOf(first.key),
        signal,
      );
      if ("kind" in found) yield* found.replies;
      else yield* requests.map((request, index) => ({ index, reply: { ...missedOrder(found, request), ...NO_METER } }));
    },
    async complete(request, signal) {
      const name = request.key === undefined ? "a completion" : `${request.key.task} ${request.key.exampleId}`;
      const found = await ask({ kind: "completion", request }, name, signal);
      return "kind" in found ? found.reply : missed(found, name);
    },
    async converse(request, signal) {
      const name = request.key === undefined ? "a conversation" : `${request.key.taskId} ${request.key.condition}`;
      const found = await ask({ kind: "conversation", request }, name, signal);
      return "kind" in found ? found.reply : missed(found, name);
    },
    close,
  };
}

const NO_METER = { promptTokens: null, cachedTokens: null, durationMs: 0 };

function textOf(outcome: Missed): string {
  if (outcome.status === "failed") return `a worker failed: ${outcome.detail}`;
  return `given up after ${outcome.deliveries} deliveries, each worker that had it ended`;
}

/**
 * The failure of work that has no result. Lost work is named: it is no failure of the model, which is given up after many
 * that are alike. A failure of a worker is told without a name, so that it counts as such.
 */
function missed(outcome: Missed, name: string): FailedReply {
  const text = textOf(outcome);
  const detail = outcome.status === "lost" ? `${name}: ${text}` : text;
  return { status: "failed", failure: "unavailable", detail };
}

function missedOrder(outcome: Missed, { key }: SymbolRequest): FailedReply {
  return missed(outcome, `${nameOf(key)} (order ${key.permutation})`);
}

/** Name of a request, such as `CL hard 0123456789ab`. */
function nameOf({ task, difficulty, ablation, exampleId }: RequestKey): string {
  const withheld = ablation === undefined ? null : `−${ablation}`;
  return [task, difficulty, withheld, exampleId].filter((word) => word !== null).join(" ");
}

const POLL_MS = 200;

/** A run as workers see it: kept alive while the session is. */
class Listing {
  readonly #redis: Redis;
  readonly #run: string;
  readonly #onMessage: (message: string) => void;
  readonly #told = new Set<string>();
  #notice: RunNotice;
  #beat: NodeJS.Timeout | null = null;

  constructor(redis: Redis, run: string, notice: RunNotice, onMessage: (message: string) => void) {
    this.#redis = redis;
    this.#run = run;
    this.#notice = notice;
    this.#onMessage = onMessage;
  }

  async begin(): Promise<void> {
    this.#beat = setInterval(() => {
      // To one that is away it is said once it is back.
      if (this.#redis.status === "ready") void this.#write().catch(() => undefined);
    }, BEAT_MS);
    await this.#write();
  }

  async #write(): Promise<void> {
    await this.#redis.set(runKey(this.#run), JSON.stringify(this.#notice), "PX", SILENT_MS);
    await this.#redis.sadd(RUNS_KEY, this.#run);
    await this.#tellRefused();
  }

  async #tellRefused(): Promise<void> {
    const texts = await this.#redis.smembers(refusedKey(this.#run));
    for (const text of texts.filter((other) => !this.#told.has(other))) {
      this.#told.add(text);
      this.#onMessage(`Refused a worker: ${shorten(text, 1_000)}`);
    }
  }

  /**
   * Identity of the model of the first worker that may work for the run.
   * @throws the signal's reason when it is aborted
   */
  async firstIdentity(signal: AbortSignal): Promise<WorkerNotice["identity"]> {
    for (;;) {
      const texts = await unlessAborted(this.#redis.smembers(helloKey(this.#run)), signal);
      for (const text of texts) {
        const worker = readNotice(workerNotice, text);
        if (worker !== null && refusals(this.#notice, worker).length === 0) return worker.identity;
      }
      await wait(POLL_MS, undefined, { signal });
    }
  }

  async accept(identity: WorkerNotice["identity"]): Promise<void> {
    this.#notice = { ...this.#notice, identity };
    await this.#write();
  }

  /** Says no more that the run is there. */
  stop(): void {
    if (this.#beat !== null) clearInterval(this.#beat);
  }

  /** Says that the run is over. */
  async end(): Promise<void> {
    await Promise.allSettled([
      this.#tellRefused(),
      this.#redis.set(runKey(this.#run), OVER, "PX", BEAT_MS),
      this.#redis.srem(RUNS_KEY, this.#run),
    ]);
    await this.#redis.del(helloKey(this.#run), refusedKey(this.#run)).catch(() => undefined);
  }
}
