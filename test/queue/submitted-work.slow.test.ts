import { Queue, QueueEvents, Worker } from "bullmq";
import { describe, expect, it } from "vitest";
import type { Work } from "../../src/queue/queue-wire.js";
import { connectionOptions, queueAddress } from "../../src/queue/redis.js";
import { SubmittedWork } from "../../src/queue/submitted-work.js";
import { HAS_REDIS, ownRedis } from "../fixtures/redis-server.js";

const WORK: Work = {
  kind: "completion",
  request: { prompt: "long ".repeat(20_000), maxTokens: 1, stop: [], temperature: 0, topK: null, seed: 0 },
};
const REPLY = { status: "completed", text: "ok", tokens: 1, promptTokens: 1, durationMs: 1, end: "stop" } as const;
const RESULT = { kind: "completion", reply: REPLY } as const;

describe.skipIf(!HAS_REDIS)("work that was submitted", () => {
  const redis = ownRedis();

  it("is looked after without being read, and comes back also where nothing told of it", async () => {
    const shared = { connection: connectionOptions(queueAddress(redis.url, {})) };
    const queues = { usual: new Queue("usual", shared), alone: new Queue("alone", shared) };
    // Deaf: they listen elsewhere.
    const events = { usual: new QueueEvents("a", shared), alone: new QueueEvents("b", shared) };
    const submitted = new SubmittedWork(queues, events);
    const outcome = submitted.ask(WORK, new AbortController().signal);
    await redis.with(async (client) => {
      await expect.poll(() => queues.usual.getWaitingCount()).toBe(1);
      await client.config("RESETSTAT");
      const calls = async (command: string) =>
        Number(new RegExp(`cmdstat_${command}:calls=(\\d+)`).exec(await client.info("commandstats"))?.[1] ?? 0);
      // Looks are scripts; a job is read by HGETALL.
      await expect.poll(() => calls("evalsha")).toBeGreaterThanOrEqual(2);
      expect(await calls("hgetall")).toBe(0);
    });
    const worker = new Worker("usual", () => Promise.resolve(RESULT), { ...shared, drainDelay: 1 });
    expect(await outcome).toEqual({ status: "done", result: RESULT });
    submitted.close();
    for (const one of [worker, queues.usual, queues.alone, events.usual, events.alone]) await one.close();
  });
});
