import { setTimeout as wait } from "node:timers/promises";
import type { Redis } from "ioredis";
import { messageOf, ProbeError } from "../base/errors.js";
import type { Model } from "../model/model.js";
import {
  BEAT_MS,
  helloKey,
  OVER,
  ownFacts,
  RUN_NAME,
  RUNS_KEY,
  type RunNotice,
  readNotice,
  refusals,
  refusedKey,
  runKey,
  runNotice,
  SILENT_MS,
  type WorkerNotice,
} from "./queue-wire.js";
import {
  connectRedis,
  type QueueAddress,
  queueAddress,
  removeLeftovers,
  unlessAborted,
  withoutSecret,
} from "./redis.js";
import { takeWork } from "./take-work.js";

const POLL_MS = 500;
/** Beats of a run that may be missed. */
const SILENT_BEATS = 3;

export interface WorkerRequest {
  /** URL of the queue, as `--queue` names it. */
  readonly url: string;
  readonly label: string;
  readonly settings: readonly string[];
  /** Its own name, for messages. */
  readonly name: string;
  /** Ends after so long without a run to work for; `null`: never. */
  readonly idleMs: number | null;
  /** Work of a worker that was silent for so long goes to another. */
  readonly lostMs: number;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Opens the model as a run needs it. */
  readonly open: (opening: RunNotice["opening"]) => Promise<Model>;
  readonly onMessage: (message: string) => void;
  /** Ends it once what is under way is finished. */
  readonly signal: AbortSignal;
}

/** A model that is open, and the key of what it was opened for. */
interface OpenModel {
  readonly key: string;
  readonly model: Model;
}

/**
 * Works for the runs of a queue, one after the other, until it is stopped.
 * @throws ProbeError `bad_input`, `model_unavailable`
 */
export async function runWorker(request: WorkerRequest): Promise<void> {
  const address = queueAddress(request.url, request.environment);
  const redis = await connectRedis(address);
  const worker = new RunWorker(request, address, redis);
  try {
    await worker.work();
  } finally {
    await worker.close();
    redis.disconnect();
  }
}

class RunWorker {
  readonly #request: WorkerRequest;
  readonly #address: QueueAddress;
  readonly #redis: Redis;
  readonly #refused = new Set<string>();
  /** Runs that are listed and say nothing, and since when (ms since 1970). */
  readonly #missed = new Map<string, number>();
  #open: OpenModel | null = null;

  constructor(request: WorkerRequest, address: QueueAddress, redis: Redis) {
    this.#request = request;
    this.#address = address;
    this.#redis = redis;
  }

  async work(): Promise<void> {
    const { signal, idleMs, onMessage, name } = this.#request;
    onMessage(`${name}: looking for work at ${this.#address.shown}`);
    try {
      for (let since = Date.now(); idleMs === null || Date.now() - since < idleMs; ) {
        if (await this.#workForAny()) since = Date.now();
        else await wait(POLL_MS, undefined, { signal });
      }
    } catch (error) {
      if (!isStop(error, signal)) throw error;
    }
  }

  async close(): Promise<void> {
    await this.#open?.model.close();
  }

  /** The answer of the server, unless this worker is stopped first. */
  #told<T>(answer: Promise<T>): Promise<T> {
    return unlessAborted(answer, this.#request.signal);
  }

  /** Works for one run until that is over; `false`: there was none. */
  async #workForAny(): Promise<boolean> {
    const runs = (await this.#told(this.#redis.smembers(RUNS_KEY))).filter((run) => RUN_NAME.test(run));
    // Workers spread over the runs there are.
    for (const run of runs.sort(() => Math.random() - 0.5)) {
      const notice = await this.#notice(run);
      if (notice === null) await this.#miss(run);
      else if (await this.#hear(run, notice)) return true;
    }
    return false;
  }

  /** Works for a run that is there, if it may; `false`: it did not. */
  async #hear(run: string, notice: RunNotice | "unreadable"): Promise<boolean> {
    this.#missed.delete(run);
    if (this.#refused.has(run)) return false;
    const reasons =
      notice === "unreadable"
        ? ["program: this worker cannot read what the run says"]
        : await this.#reasonsAgainst(notice);
    if (reasons.length === 0) return this.#workFor(run);
    await this.#refuse(run, reasons);
    return false;
  }

  /** Removes the leftovers of a run that was killed, once it was not heard of for long enough. */
  async #miss(run: string): Promise<void> {
    const since = this.#missed.get(run) ?? Date.now();
    this.#missed.set(run, since);
    if (Date.now() - since < SILENT_BEATS * BEAT_MS) return;
    this.#missed.delete(run);
    await this.#told(this.#redis.srem(RUNS_KEY, run));
    await removeLeftovers(this.#redis, this.#address, run);
  }

  /** The notice of a run; `null`: it is over. Another version of the program may write one that is unreadable here. */
  async #notice(run: string): Promise<RunNotice | "unreadable" | null> {
    const text = await this.#told(this.#redis.get(runKey(run)));
    if (text === null || text === OVER) return null;
    return readNotice(runNotice, text) ?? "unreadable";
  }

  async #reasonsAgainst(notice: RunNotice): Promise<string[]> {
    const before = refusals({ ...notice, identity: null }, { ...this.#own({}), identity: {} });
    if (before.length > 0) return before;
    const key = JSON.stringify(notice.opening);
    if (this.#open?.key !== key) {
      await this.#open?.model.close();
      this.#open = null;
      try {
        this.#open = { key, model: await this.#request.open(notice.opening) };
      } catch (error) {
        this.#request.signal.throwIfAborted();
        // A demand of one run is no matter of the others; a model that is not there is one of all.
        if (error instanceof ProbeError && error.code === "model_unavailable") throw error;
        return [`model: this worker cannot open it: ${withoutSecret(this.#address, messageOf(error))}`];
      }
    }
    return refusals(notice, this.#own(this.#open.model.identity));
  }

  #own(identity: WorkerNotice["identity"]): WorkerNotice {
    const { label, settings, name } = this.#request;
    return { ...ownFacts(label, settings), identity: { ...identity }, name };
  }

  async #refuse(run: string, reasons: readonly string[]): Promise<void> {
    const { name, onMessage } = this.#request;
    this.#refused.add(run);
    onMessage(`${name}: refused by run ${run}:\n${reasons.map((line) => `  ${line}`).join("\n")}`);
    await this.#say(refusedKey(run), `${name}: ${reasons.join("; ")}`);
  }

  /** Tells a run something that may be said again. */
  async #say(key: string, text: string): Promise<void> {
    await this.#told(this.#redis.sadd(key, text));
    await this.#told(this.#redis.pexpire(key, SILENT_MS));
  }

  /** Works until the run is over, or this worker is stopped; `false`: there was no such run. */
  async #workFor(run: string): Promise<boolean> {
    const { signal, onMessage, name } = this.#request;
    const model = this.#open?.model;
    if (model === undefined) return false;
    const own = this.#own(model.identity);
    const accepted = await this.#accepted(run, own);
    if (accepted === null || accepted === "unreadable") return false;
    const reasons = refusals(accepted, own);
    if (reasons.length > 0) {
      await this.#refuse(run, reasons);
      return false;
    }
    onMessage(`${name}: working for run ${run}`);
    const done = await takeWork(run, model, () => this.#untilOver(run), {
      address: this.#address,
      redis: this.#redis,
      ...this.#request,
    });
    onMessage(`${name}: ${signal.aborted ? "stopped" : `run ${run} is over`}; ${done} pieces of work done`);
    if (!signal.aborted) await removeLeftovers(this.#redis, this.#address, run);
    return true;
  }

  /** The run once it says which model it is about; `null`: it is over. */
  async #accepted(run: string, own: WorkerNotice): Promise<RunNotice | "unreadable" | null> {
    for (;;) {
      const notice = await this.#notice(run);
      if (notice === null || notice === "unreadable" || notice.identity !== null) return notice;
      // Again and again: a server that was restarted has forgotten it.
      await this.#say(helloKey(run), JSON.stringify(own));
      await wait(POLL_MS, undefined, { signal: this.#request.signal });
    }
  }

  /** Waits until the run is over, or this worker is stopped. */
  async #untilOver(run: string): Promise<void> {
    const { signal } = this.#request;
    try {
      while (!(await this.#isOver(run))) await wait(POLL_MS, undefined, { signal });
    } catch (error) {
      if (!isStop(error, signal)) throw error;
    }
  }

  /** `true` for a run that ended, or was not heard of for long enough: a server that lost its data hears of it in a beat. */
  async #isOver(run: string): Promise<boolean> {
    for (let tries = 0; tries < SILENT_BEATS; tries++) {
      const text = await this.#told(this.#redis.get(runKey(run)));
      if (text !== null) return text === OVER;
      await wait(BEAT_MS, undefined, { signal: this.#request.signal });
    }
    return true;
  }
}

/** `true` for an error that says no more than that a worker is to stop. */
function isStop(error: unknown, signal: AbortSignal): boolean {
  return signal.aborted && error instanceof Error && error.name === "AbortError";
}
