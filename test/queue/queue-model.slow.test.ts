import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { ChoiceSymbol } from "../../src/base/symbol.js";
import type { Model } from "../../src/model/model.js";
import { openQueueModel } from "../../src/queue/queue-model.js";
import { helloKey, RUNS_KEY, refusedKey } from "../../src/queue/queue-wire.js";
import { HAS_REDIS, ownRedis } from "../fixtures/redis-server.js";
import { collect, HELLO, queueRequest } from "./queue-request.js";

const A = "A" as ChoiceSymbol;
const KEY = { task: "CTR", difficulty: null, exampleId: "x", permutationIndex: 0, permutation: "0", correctSymbol: A };

describe.skipIf(!HAS_REDIS)("a model of workers", () => {
  const redis = ownRedis();

  const run = () =>
    redis.with(async (client) => {
      for (;;) {
        const [name] = await client.smembers(RUNS_KEY);
        if (name !== undefined) return name;
        await sleep(20);
      }
    });
  const say = (key: string, text: string) => redis.with((client) => client.sadd(key, text));

  /** With a worker that says what it has, and takes no work. */
  async function open(signal: AbortSignal): Promise<Model> {
    const opening = openQueueModel(queueRequest(redis.url, { signal }));
    await say(helloKey(await run()), HELLO);
    return opening;
  }

  it("tells each worker that was refused once, also where an earlier word has expired in between", async () => {
    const stop = new AbortController();
    const told = collect();
    const opening = openQueueModel(queueRequest(redis.url, { signal: stop.signal, onMessage: told.add }));
    const name = await run();
    await say(refusedKey(name), "one");
    await told.until("Refused a worker: one");
    await redis.with((client) => client.del(refusedKey(name)));
    await say(refusedKey(name), "two");
    await told.until("Refused a worker: two");
    // Said once more: it is the same worker.
    await say(refusedKey(name), "one");
    await say(refusedKey(name), "three");
    await told.until("Refused a worker: three");
    stop.abort();
    await expect(opening).rejects.toThrow("aborted");
    expect(told.messages.filter((text) => text.startsWith("Refused")).map((text) => text.slice(18))).toEqual([
      "one",
      "two",
      "three",
    ]);
    expect(await redis.with((client) => client.smembers(RUNS_KEY))).toEqual([]);
  });

  it("is stopped and closed also while the server is away", async () => {
    const stop = new AbortController();
    const waiting = openQueueModel(queueRequest(redis.url, { signal: stop.signal }));
    await run();
    await redis.kill();
    stop.abort();
    await expect(waiting).rejects.toThrow("aborted");
    await redis.start();

    const asking = new AbortController();
    const model = await open(asking.signal);
    await redis.kill();
    const request = { prompt: "?", symbols: [A], key: KEY };
    const asked = model.scoreSymbols?.([request], asking.signal)[Symbol.asyncIterator]().next();
    asking.abort();
    await expect(asked).rejects.toThrow("aborted");
    await model.close();
    await redis.start();
  });

  it("leaves no connection behind where the server takes no more", async () => {
    const opening = openQueueModel(queueRequest(redis.url, {}));
    const name = await run();
    // At once, so that the run finds its worker and cannot say so.
    await redis.with((client) => client.multi().sadd(helloKey(name), HELLO).config("SET", "maxmemory", "1").exec());
    await expect(opening).rejects.toThrow("OOM");
    await redis.with(async (client) => {
      const others = async () =>
        String(await client.call("CLIENT", "LIST", "TYPE", "normal"))
          .trim()
          .split("\n").length - 1;
      await expect.poll(others).toBe(0);
      await client.config("SET", "maxmemory", "0");
    });
  });
});
