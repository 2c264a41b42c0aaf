import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Redis } from "ioredis";
import { describe, expect, it } from "vitest";
import { seededIntegers } from "../../src/base/random.js";
import { sha256 } from "../../src/base/sha256.js";
import { RUNS_KEY, runKey } from "../../src/queue/queue-wire.js";
import { Deliveries } from "../fixtures/deliveries.js";
import { startHttpServer } from "../fixtures/http-server.js";
import { journalRecords, recordCount } from "../fixtures/journal-file.js";
import { isRunning, ownProcesses, type Started } from "../fixtures/processes.js";
import { HAS_REDIS, ownRedis } from "../fixtures/redis-server.js";
import { vllm } from "../fixtures/stub-servers/vllm.js";
import { comparableTable } from "../fixtures/tables.js";
import { temporaryFolder } from "../fixtures/temporary-folder.js";

const folder = temporaryFolder();
const at = (name: string) => join(folder, name);
const TABLES = ["answers.csv", "questions.csv", "summary.csv"];
const isWhole = process.env["PROBE_SLOW_TESTS"] === "1";
if (!isWhole) process.stdout.write("Killing a worker of a queue 3 times; with PROBE_SLOW_TESTS=1, 10 times\n");
const KILLS = isWhole ? 10 : 3;
/** What a worker has under way at most: 4 questions, and one that was lost before. */
const OPEN = 5;
const SEED = Number(process.env["PROBE_TEST_SEED"] ?? 19);
/** 54 examples, asked in two forms under 6 orders. */
const ASKED = ["--task", "CTR", "--ablate", "review", "--limit", "54", "--quiet"];
const [QUESTIONS, ORDERS] = [108, 6];
const ANSWERS = QUESTIONS * ORDERS;
/** So much is answered at most between the moment of a kill and the kill. */
const SLACK = 60;

/** A server that knows which worker asks: each has an address of its own. */
class CountingServer {
  /** How often, by the prompt's SHA-256. */
  readonly answered = new Map<string, number>();
  /** Workers that have asked a question. */
  readonly asking = new Set<string>();
  total = 0;
  /** Answers no more for now once so many were answered. */
  limit = Number.POSITIVE_INFINITY;
  /** Waited for before each answer. */
  before: () => Promise<void> = () => Promise.resolve();
  #url = "";

  async start(): Promise<void> {
    const reply = vllm();
    const server = await startHttpServer(async ({ method, path, body: text }, response) => {
      const [, worker = "", rest = ""] = /^\/(\w+)(\/.*)$/.exec(path) ?? [];
      const body = text === "" ? {} : (JSON.parse(text) as Record<string, unknown>);
      const { prompt } = body;
      const isQuestion = typeof prompt === "string" && prompt.includes("code review");
      if (isQuestion) await this.#admit(prompt, worker);
      const { status, body: said } = reply({ method, path: rest, body }) ?? { status: 404, body: {} };
      response.writeHead(status, { "content-type": "application/json" });
      response.end(JSON.stringify(said));
    });
    this.#url = server.url;
  }

  async #admit(prompt: string, worker: string): Promise<void> {
    this.asking.add(worker);
    await sleep(5);
    while (this.total >= this.limit) await sleep(5);
    await this.before();
    this.total++;
    const key = sha256(prompt);
    this.answered.set(key, (this.answered.get(key) ?? 0) + 1);
  }

  /** As a command has it. */
  address(worker: string): string[] {
    return ["--base-url", `${this.#url}/${worker}/v1`, "--concurrency", "4"];
  }

  forget(): void {
    this.answered.clear();
    this.total = 0;
  }
}

describe.skipIf(!HAS_REDIS)("a queue whose workers are killed", () => {
  const redis = ownRedis();
  const processes = ownProcesses(folder);

  /** The run of one process, once. */
  let whole: ReturnType<typeof askAll> | null = null;
  async function askAll(server: CountingServer) {
    const how = ["run", "--model", "openai:stub", ...server.address("whole"), ...ASKED, "--out", "whole"];
    expect(await processes.start(...how).result).toMatchObject({ code: 0 });
    // Every prompt is another: repeats are seen.
    expect([server.answered.size, server.total]).toEqual([ANSWERS, ANSWERS]);
    server.forget();
  }
  function runWhole(server: CountingServer): Promise<void> {
    whole ??= askAll(server);
    return whole;
  }

  function expectTablesOfWhole(name: string): void {
    for (const table of TABLES) expect(comparableTable(at(name), table)).toEqual(comparableTable(at("whole"), table));
    const places = journalRecords(at(`${name}/answers.jsonl`)).map(
      (record) => `${record["question_index"]} ${record["permutation_index"]}`,
    );
    expect([new Set(places).size, places.length]).toEqual([ANSWERS, ANSWERS]);
  }

  let count = 0;
  function startWorker(server: CountingServer): { readonly name: string; readonly process: Started } {
    const name = `w${count++}`;
    const own = ["--queue", redis.url, "--lost-after", "5", ...server.address(name)];
    return { name, process: processes.start("worker", "--model", "openai:stub", ...own) };
  }

  async function nameOfRun(client: Redis): Promise<string> {
    for (;;) {
      const [name] = await client.smembers(RUNS_KEY);
      if (name !== undefined) return name;
      await sleep(20);
    }
  }

  interface Scene {
    readonly run: Started;
    readonly server: CountingServer;
    readonly client: Redis;
    readonly deliveries: Deliveries;
  }

  /** Until so much was answered, a worker is at work, and its end would give nothing up. */
  async function untilTime(moment: number, worker: string, { run, server, deliveries }: Scene): Promise<void> {
    server.limit = moment + SLACK;
    for (;;) {
      const isLastChance = await deliveries.isLastChance();
      if (server.total >= moment && server.asking.has(worker) && !isLastChance) return;
      // What would be given up is answered first.
      if (server.total >= server.limit && isLastChance) server.limit += ORDERS;
      if (!isRunning(run)) throw new Error(`Expected a run at ${moment} answers, found it ended.`);
      await sleep(20);
    }
  }

  /** Kills the server, and starts it empty; what was given out up to then is counted first. */
  async function restartRedis({ client, deliveries }: Scene): Promise<void> {
    await client.call("CLIENT", "PAUSE", "60000", "WRITE");
    await deliveries.read();
    await redis.kill();
    await redis.start();
  }

  /** Kills one of two workers again and again, each time at that many answers, and the server once in between. */
  async function disturb(moments: readonly number[], scene: Scene): Promise<void> {
    const { run, server } = scene;
    const steady = startWorker(server);
    let victim = startWorker(server);
    for (const [i, moment] of moments.entries()) {
      await untilTime(moment, victim.name, scene);
      await processes.kill(victim.process);
      victim = startWorker(server);
      if (i === Math.floor(moments.length / 2)) await restartRedis(scene);
    }
    server.limit = Number.POSITIVE_INFINITY;
    await run.result;
    for (const { process: one } of [steady, victim]) await processes.kill(one);
  }

  it(`${KILLS} times at random, with Redis killed once and started empty: the tables of one process, no answer repeated more often than deliveries explain (seed ${SEED})`, async () => {
    const server = new CountingServer();
    await server.start();
    await runWhole(server);
    const draw = seededIntegers(SEED);
    const moments = Array.from({ length: KILLS }, () => draw(1, Math.floor(ANSWERS * 0.85))).sort((a, b) => a - b);
    await redis.with(async (client) => {
      const run = processes.start("run", "--model", "openai:stub", "--queue", redis.url, ...ASKED, "--out", "queued");
      const deliveries = new Deliveries(client, await nameOfRun(client));
      server.before = () => deliveries.read();
      await disturb(moments, { run, server, client, deliveries });
      expect((await run.result).code).toBe(0);
      const repeated = server.total - server.answered.size;
      const again = deliveries.count - deliveries.jobs;
      process.stdout.write(
        `Killed at answers ${moments.join(", ")}: ${deliveries.jobs} questions delivered ${deliveries.count} times, ` +
          `${server.answered.size} answers asked for ${server.total} times\n`,
      );
      expect([server.answered.size, deliveries.jobs]).toEqual([ANSWERS, QUESTIONS]);
      // A delivery more asks each of a question's orders once more, at most.
      expect(again).toBeGreaterThan(0);
      // A kill loses what one worker has under way, the server's what two have; twice that, for a machine that stalls.
      expect(again).toBeLessThanOrEqual(2 * OPEN * (KILLS + 2));
      expect(repeated).toBeLessThanOrEqual(again * ORDERS);
    });
    expectTablesOfWhole("queued");
  });

  it("the run is killed instead, and goes on: the same tables, and nothing that is in its journal asked again", async () => {
    const server = new CountingServer();
    await server.start();
    await runWhole(server);
    const queue = ["--queue", redis.url, "--quiet"];
    const first = processes.start("run", "--model", "openai:stub", ...ASKED, ...queue, "--out", "resumed");
    const name = await redis.with(nameOfRun);
    server.limit = ANSWERS / 2;
    const worker = startWorker(server);
    while (recordCount(at("resumed/answers.jsonl")) < ANSWERS / 4) await sleep(50);
    await processes.kill(first);
    const kept = new Map(
      journalRecords(at("resumed/answers.jsonl")).map((record) => {
        const key = String(record["prompt_sha256"]);
        return [key, server.answered.get(key)];
      }),
    );
    server.limit = Number.POSITIVE_INFINITY;
    // As it does by itself some seconds later.
    await redis.with((client) => client.del(runKey(name)));
    const { code } = await processes.start("run", "--resume", "resumed", ...queue).result;
    await processes.kill(worker.process);
    expect(code).toBe(0);
    expectTablesOfWhole("resumed");
    expect(kept.size).toBeGreaterThanOrEqual(ANSWERS / 4);
    expect([...kept.values()].every((times) => times === 1)).toBe(true);
    expect(new Map([...kept.keys()].map((key) => [key, server.answered.get(key)]))).toEqual(kept);
    process.stdout.write(`Killed with ${kept.size} answers in the journal: none of them asked again\n`);
  });
});
