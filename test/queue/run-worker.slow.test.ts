import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { ProbeError } from "../../src/base/errors.js";
import { programIdentity } from "../../src/base/program-identity.js";
import type { ChoiceSymbol } from "../../src/base/symbol.js";
import type { Model } from "../../src/model/model.js";
import { openQueueModel } from "../../src/queue/queue-model.js";
import { RUNS_KEY, refusedKey, runKey, STAGES } from "../../src/queue/queue-wire.js";
import { openQueues, queueAddress } from "../../src/queue/redis.js";
import { runWorker, type WorkerRequest } from "../../src/queue/run-worker.js";
import { HAS_REDIS, ownRedis } from "../fixtures/redis-server.js";
import { collect, queueRequest } from "./queue-request.js";

const A = "A" as ChoiceSymbol;
const KEY = { task: "CTR", difficulty: null, exampleId: "x", permutationIndex: 0, permutation: "0", correctSymbol: A };
const REQUEST = { prompt: "?", symbols: [A], key: KEY };
const NAMED = {
  status: "named",
  symbol: A,
  extraction: "scripted",
  promptTokens: 1,
  cachedTokens: null,
  durationMs: 1,
} as const;

/** Says A to everything. */
const model: Model = {
  identity: { file: "aa" },
  maxOpenGroups: 1,
  async *scoreSymbols(requests) {
    await Promise.resolve();
    yield* requests.map((_, index) => ({ index, reply: NAMED }));
  },
  close: () => Promise.resolve(),
};

function latch() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}

describe.skipIf(!HAS_REDIS)("a worker", () => {
  const redis = ownRedis();

  function start(own: Partial<WorkerRequest> = {}) {
    const stop = new AbortController();
    const told = collect();
    const ended = runWorker({
      url: redis.url,
      label: "mine",
      settings: [],
      name: "w",
      idleMs: null,
      lostMs: 10_000,
      environment: {},
      open: () => Promise.resolve(model),
      onMessage: told.add,
      signal: stop.signal,
      ...own,
    });
    return { stop, told, ended };
  }

  it("refuses a run whose model it cannot open, by name at both ends, and works for the next", async () => {
    const open: WorkerRequest["open"] = ({ seed }) =>
      seed === 1 ? Promise.reject(new ProbeError("bad_input", "Expected room for it.")) : Promise.resolve(model);
    const worker = start({ open });
    const abandoned = new AbortController();
    const told = collect();
    const { opening } = queueRequest(redis.url, {});
    const first = openQueueModel(
      queueRequest(redis.url, { opening: { ...opening, seed: 1 }, signal: abandoned.signal, onMessage: told.add }),
    );
    await worker.told.until("model: this worker cannot open it: Expected room for it.");
    await told.until("Refused a worker: w: model: this worker cannot open it: Expected room for it.");
    const second = await openQueueModel(queueRequest(redis.url, {}));
    const replies = [];
    for await (const reply of second.scoreSymbols?.([REQUEST], abandoned.signal) ?? []) replies.push(reply);
    expect(replies).toEqual([{ index: 0, reply: NAMED }]);
    await second.close();
    abandoned.abort();
    await expect(first).rejects.toThrow("aborted");
    worker.stop.abort();
    await worker.ended;
  });

  it("is refused by a run of another version, also where it cannot read what that says, and knows no run by another name", async () => {
    const { name, commit } = programIdentity();
    const { label, settings, opening } = queueRequest(redis.url, {});
    const notice = { program: { name, version: "0.0.1", commit }, label, settings, opening, identity: null };
    const [other, newer, foreign] = ["0".repeat(16), "1".repeat(16), "a:b"] as const;
    await redis.with(async (client) => {
      await client.set(runKey(other), JSON.stringify(notice));
      await client.set(runKey(newer), JSON.stringify({ ...notice, more: 1 }));
      await client.set(runKey(foreign), JSON.stringify(notice));
      await client.sadd(RUNS_KEY, other, newer, foreign);
    });
    const worker = start();
    await worker.told.until(`refused by run ${other}`);
    await worker.told.until(`refused by run ${newer}`);
    const said = worker.told.messages.join("\n");
    expect(said).toContain(`program: the run has "${name} 0.0.1", this worker "${name} `);
    expect(said).toContain("program: this worker cannot read what the run says");
    expect(said).not.toContain(foreign);
    await redis.with(async (client) => {
      expect(await client.smembers(refusedKey(other))).toEqual([expect.stringContaining("w: program: the run has")]);
      await client.flushall();
    });
    worker.stop.abort();
    await worker.ended;
  });

  it("removes what a run left that was killed with its workers, and nothing of a run that is there", async () => {
    const [dead, alive] = ["0".repeat(16), "1".repeat(16)] as const;
    for (const run of [dead, alive]) {
      const { queues, close } = await openQueues(queueAddress(redis.url, {}), run);
      for (const stage of STAGES) await queues[stage].add("completion", {});
      await close();
    }
    await redis.with(async (client) => {
      await client.sadd(RUNS_KEY, dead, alive);
      // What it says is for others: this worker only sees that it is there.
      await client.set(runKey(alive), "{}");
      const keysOf = async (run: string) => (await client.keys(`*${run}-*`)).length;
      expect(await keysOf(dead)).toBeGreaterThan(0);
      const before = await keysOf(alive);
      const worker = start();
      await expect.poll(() => keysOf(dead)).toBe(0);
      expect([await keysOf(alive), await client.smembers(RUNS_KEY)]).toEqual([before, [alive]]);
      worker.stop.abort();
      await worker.ended;
      await client.flushall();
    });
  });

  it("ends when it is stopped while the server is away, without work and with work under way", async () => {
    // Of another model: the run is not for it.
    const idle = start({ label: "other" });
    await idle.told.until("looking for work");
    const asked = latch();
    const free = latch();
    const slow: Model = {
      ...model,
      async *scoreSymbols(requests, signal) {
        asked.open();
        await free.opened;
        yield* model.scoreSymbols?.(requests, signal) ?? [];
      },
    };
    const busy = start({ open: () => Promise.resolve(slow) });
    const stop = new AbortController();
    const run = await openQueueModel(queueRequest(redis.url, { signal: stop.signal }));
    const reply = run.scoreSymbols?.([REQUEST], stop.signal)[Symbol.asyncIterator]().next();
    await asked.opened;
    await redis.kill();
    for (const { stop: own } of [idle, busy]) own.abort();
    // What is done now cannot be handed in.
    free.open();
    await Promise.all([idle.ended, busy.ended]);
    stop.abort();
    await expect(reply).rejects.toThrow("aborted");
    await run.close();
    await redis.start();
  });

  it("ends when it is stopped while the server is away, and the server comes back meanwhile", async () => {
    const worker = start();
    const stop = new AbortController();
    const run = await openQueueModel(queueRequest(redis.url, { signal: stop.signal }));
    await worker.told.until("working for run");
    await redis.kill();
    // By now it waits to connect again.
    await sleep(1_000);
    worker.stop.abort();
    await redis.start();
    await worker.ended;
    stop.abort();
    await run.close();
  });

  it("ends with its error where its model is not there for any run", async () => {
    const worker = start({
      open: () => Promise.reject(new ProbeError("model_unavailable", "Expected a server, found none.")),
    });
    const stop = new AbortController();
    const run = openQueueModel(queueRequest(redis.url, { signal: stop.signal }));
    await expect(worker.ended).rejects.toThrow("Expected a server, found none.");
    stop.abort();
    await expect(run).rejects.toThrow("aborted");
  });
});
