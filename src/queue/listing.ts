import { setTimeout as wait } from "node:timers/promises";
import type { Redis } from "ioredis";
import { shorten } from "../base/text.js";
import { BEAT_MS, helloKey, OVER, RUNS_KEY, refusedKey, runKey, SILENT_MS } from "./keys.js";
import { type RunNotice, refusals, type WorkerNotice, workerNotice } from "./run-notice.js";
import { unlessAborted } from "./waiting.js";

const POLL_MS = 200;

/** A run as workers see it: kept alive while the session is. */
export class Listing {
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
   * What the first worker that may work for the run has as its model.
   * @throws the signal's reason when it is aborted
   */
  async firstIdentity(signal: AbortSignal): Promise<WorkerNotice["identity"]> {
    for (;;) {
      const texts = await unlessAborted(this.#redis.smembers(helloKey(this.#run)), signal);
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

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
