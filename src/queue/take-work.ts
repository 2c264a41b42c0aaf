import { setTimeout as wait } from "node:timers/promises";
import type { Processor, Worker } from "bullmq";
import type { Redis } from "ioredis";
import { messageOf } from "../base/errors.js";
import type { Model } from "../model/model.js";
import { encodeResult, queueName, type Result, readWork, STAGES, STALLS, type Stage, type Work } from "./queue-wire.js";
import { type QueueAddress, sharedOptions, withoutSecret } from "./redis.js";

/** Time that a worker that is to end waits for a server that is away, ms. */
const AWAY_MS = 5_000;
const LOOK_MS = 500;

interface Taking {
  readonly address: QueueAddress;
  readonly redis: Redis;
  /** The worker's own, for messages. */
  readonly name: string;
  /** Work of a worker that was silent for so long goes to another. */
  readonly lostMs: number;
  readonly onMessage: (message: string) => void;
}

/**
 * Takes work of a run until a promise settles; work that is under way then is finished first.
 * @returns pieces of work done
 */
export async function takeWork(run: string, model: Model, until: () => Promise<void>, taking: Taking): Promise<number> {
  let done = 0;
  const abandoned = new AbortController();
  const work: Processor = async (job) => workOn(model, job.data, abandoned.signal);
  const workers = await Promise.all(STAGES.map((stage) => makeWorker(run, stage, model, work, taking)));
  for (const worker of workers) {
    worker.on("completed", () => {
      done++;
    });
  }
  try {
    await until();
  } finally {
    // `true`: its own wait never ends where a connection was just lost, and connects again after a close.
    await Promise.all(workers.map((worker) => worker.pause(true)));
    await untilIdle(workers, taking.redis);
    await Promise.all(workers.map((worker) => worker.close(true)));
    // Only now: a piece that is abandoned is not one that failed.
    abandoned.abort();
  }
  return done;
}

async function makeWorker(
  run: string,
  stage: Stage,
  { maxOpenGroups }: Model,
  work: Processor,
  taking: Taking,
): Promise<Worker> {
  const { Worker } = await import("bullmq");
  const { address, lostMs, name, onMessage } = taking;
  const worker = new Worker(queueName(run, stage), work, {
    ...sharedOptions(address),
    name,
    concurrency: stage === "alone" ? 1 : maxOpenGroups,
    lockDuration: lostMs,
    stalledInterval: Math.max(1_000, lostMs / 2),
    maxStalledCount: STALLS[stage],
    drainDelay: 1,
  });
  worker.on("failed", (_, error) => onMessage(`${name}: ${withoutSecret(address, messageOf(error))}`));
  // A server that is away is waited for.
  worker.on("error", () => {});
  return worker;
}

/** Waits until workers that take no more have finished, or the server has been away for a while. */
async function untilIdle(workers: readonly Worker[], redis: Redis): Promise<void> {
  for (let awayMs = 0; awayMs < AWAY_MS && workers.some((worker) => worker.isRunning()); ) {
    await wait(LOOK_MS);
    awayMs = redis.status === "ready" ? 0 : awayMs + LOOK_MS;
  }
}

/**
 * Result of a model for work that came from a queue.
 * @throws Error when the work is none, or nothing that the model can do
 */
export async function workOn(model: Model, value: unknown, signal: AbortSignal): Promise<object> {
  const work = readWork(value);
  if (work === null) throw new Error("expected work for a model, found something else in the queue");
  return encodeResult(await replyTo(model, work, signal));
}

async function replyTo(model: Model, work: Work, signal: AbortSignal): Promise<Result> {
  switch (work.kind) {
    case "symbols": {
      if (model.scoreSymbols === undefined) throw cannot("score symbols");
      const replies = [];
      for await (const reply of model.scoreSymbols(work.requests, signal)) replies.push(reply);
      return { kind: "symbols", replies };
    }
    case "completion":
      if (model.complete === undefined) throw cannot("continue prompts");
      return { kind: "completion", reply: await model.complete(work.request, signal) };
    case "conversation":
      if (model.converse === undefined) throw cannot("hold conversations");
      return { kind: "conversation", reply: await model.converse(work.request, signal) };
  }
}

function cannot(what: string): Error {
  return new Error(`expected a model that can ${what}`);
}
