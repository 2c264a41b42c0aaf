import { setTimeout as wait } from "node:timers/promises";
import type { Redis } from "ioredis";
import { messageOf } from "../base/errors.js";
import { programIdentity } from "../base/program.js";
import type { Model } from "../model/model.js";
import {
  BEAT_MS,
  helloKey,
  OVER,
  PREFIX,
  queueName,
  RUN_KEYS,
  refusedKey,
  runKey,
  runOf,
  SILENT_MS,
  STAGES,
  STALLS,
  type Stage,
} from "./keys.js";
import { connectionOptions, connectRedis, type QueueAddress, queueAddress, withoutSecret } from "./redis.js";
import { type RunNotice, refusals, runNotice, type WorkerNotice } from "./run-notice.js";
import { workOn } from "./work-on.js";

const POLL_MS = 500;
/** Beats of a run that may be missed. */
const SILENT_BEATS = 3;

export interface WorkerRequest {
  /** As `--queue` names it. */
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

/** A model that is open, and what it was opened for. */
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
  #open: OpenModel | null = null;

  constructor(request: WorkerRequest, address: QueueAddress, redis: Redis) {
    this.#request = request;
    this.#address = address;
    this.#redis = redis;
  }

  async work(): Promise<void> {
    const { signal, idleMs, onMessage, name } = this.#request;
    onMessage(`${name}: looking for work at ${this.#address.shown}`);
    let since = Date.now();
    while (!signal.aborted && (idleMs === null || Date.now() - since < idleMs)) {
      if (await this.#workForAny()) since = Date.now();
      else await wait(POLL_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  async close(): Promise<void> {
    await this.#open?.model.close();
  }

  /** Works for one run until that is over; whether there was any. */
  async #workForAny(): Promise<boolean> {
    const keys = (await this.#redis.keys(RUN_KEYS)).filter((key) => !this.#refused.has(key));
    // Workers spread over the runs there are.
    for (const key of keys.sort(() => Math.random() - 0.5)) {
      const run = runOf(key);
      const notice = await this.#notice(run);
      if (notice === null) continue;
      const reasons = await this.#reasonsAgainst(notice);
      if (reasons.length > 0) await this.#refuse(run, reasons);
      else if (await this.#workFor(run)) return true;
    }
    return false;
  }

  /** `null`: the run is over, or what stands there is none. */
  async #notice(run: string): Promise<RunNotice | null> {
    const text = await this.#redis.get(runKey(run));
    try {
      return runNotice.parse(JSON.parse(text ?? "null"));
    } catch {
      return null;
    }
  }

  async #reasonsAgainst(notice: RunNotice): Promise<string[]> {
    const before = refusals({ ...notice, identity: null }, { ...this.#own({}), identity: {} });
    if (before.length > 0) return before;
    const key = JSON.stringify(notice.opening);
    if (this.#open?.key !== key) {
      await this.#open?.model.close();
      this.#open = null;
      this.#open = { key, model: await this.#request.open(notice.opening) };
    }
    return refusals(notice, this.#own(this.#open.model.identity));
  }

  #own(identity: WorkerNotice["identity"]): WorkerNotice {
    const { name: program, version, commit } = programIdentity();
    const { label, settings, name } = this.#request;
    return {
      program: { name: program, version, commit },
      label,
      settings: [...settings],
      identity: { ...identity },
      name,
    };
  }

  async #refuse(run: string, reasons: readonly string[]): Promise<void> {
    const { name, onMessage } = this.#request;
    this.#refused.add(runKey(run));
    onMessage(`${name}: refused by run ${run}:\n${reasons.map((line) => `  ${line}`).join("\n")}`);
    await this.#redis.rpush(refusedKey(run), `${name}: ${reasons.join("; ")}`);
    await this.#redis.pexpire(refusedKey(run), SILENT_MS);
  }

  /** Until the run is over, or this worker is stopped; whether there was such a run. */
  async #workFor(run: string): Promise<boolean> {
    const { signal, onMessage, name } = this.#request;
    const model = this.#open?.model;
    if (model === undefined) return false;
    await this.#redis.rpush(helloKey(run), JSON.stringify(this.#own(model.identity)));
    await this.#redis.pexpire(helloKey(run), SILENT_MS);
    const accepted = await this.#accepted(run);
    if (accepted === null) return false;
    const reasons = refusals(accepted, this.#own(model.identity));
    if (reasons.length > 0) {
      await this.#refuse(run, reasons);
      return false;
    }
    onMessage(`${name}: working for run ${run}`);
    const done = await this.#process(run, model);
    onMessage(`${name}: ${signal.aborted ? "stopped" : `run ${run} is over`}; ${done} pieces of work done`);
    return true;
  }

  /** The run once it says which model it is about; `null`: it is over. */
  async #accepted(run: string): Promise<RunNotice | null> {
    for (;;) {
      const notice = await this.#notice(run);
      if (notice === null || notice.identity !== null) return notice;
      if (this.#request.signal.aborted) return null;
      await wait(POLL_MS);
    }
  }

  async #process(run: string, model: Model): Promise<number> {
    const { signal } = this.#request;
    let done = 0;
    const onDone = () => {
      done++;
    };
    const workers = await Promise.all(STAGES.map((stage) => this.#take(run, stage, model, onDone)));
    try {
      while (!signal.aborted && !(await this.#isOver(run))) {
        await wait(POLL_MS, undefined, { signal }).catch(() => undefined);
      }
    } finally {
      await Promise.all(workers.map((worker) => worker.close()));
    }
    if (!signal.aborted) await this.#remove(run);
    return done;
  }

  /** Begins to take work of one queue of a run. */
  async #take(run: string, stage: Stage, model: Model, onDone: () => void) {
    const { Worker } = await import("bullmq");
    const { lostMs, onMessage, name } = this.#request;
    const { signal } = new AbortController();
    const worker = new Worker(queueName(run, stage), async (job) => workOn(model, job.data, signal), {
      ...this.#shared(),
      name,
      concurrency: stage === "alone" ? 1 : model.maxOpenGroups,
      lockDuration: lostMs,
      stalledInterval: Math.max(1_000, lostMs / 2),
      maxStalledCount: STALLS[stage],
      drainDelay: 1,
    });
    worker.on("completed", onDone);
    worker.on("failed", (_, error) => onMessage(`${name}: ${withoutSecret(this.#address, messageOf(error))}`));
    // A server that is away is waited for.
    worker.on("error", () => {});
    return worker;
  }

  #shared() {
    return { connection: connectionOptions(this.#address), prefix: PREFIX };
  }

  /** Whether a run ended, or was not heard of for long enough: a server that lost its data hears of it again in a beat. */
  async #isOver(run: string): Promise<boolean> {
    for (let tries = 0; tries < SILENT_BEATS; tries++) {
      const text = await this.#redis.get(runKey(run));
      if (text !== null) return text === OVER;
      await wait(BEAT_MS, undefined, { signal: this.#request.signal }).catch(() => undefined);
    }
    return true;
  }

  /** Removes what a run left that was killed: its own session would have done it. */
  async #remove(run: string): Promise<void> {
    const { Queue } = await import("bullmq");
    for (const stage of STAGES) {
      const queue = new Queue(queueName(run, stage), this.#shared());
      queue.on("error", () => {});
      await queue.obliterate({ force: true }).catch(() => undefined);
      await queue.close();
    }
  }
}
