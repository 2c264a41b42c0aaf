import { type ChildProcess, spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { startProbe } from "../fixtures/cli.js";
import { type HttpServer, startHttpServer } from "../fixtures/http-server.js";
import { journalRecords, recordCount } from "../fixtures/journal-file.js";
import { HAS_REDIS, PASSWORD, RedisServer } from "../fixtures/redis-server.js";
import { MINI } from "../fixtures/reference.js";
import { vllm } from "../fixtures/stub-servers/vllm.js";
import { comparableTable } from "../fixtures/tables.js";
import { temporaryFolder } from "../fixtures/temporary-folder.js";

// A test starts several processes.
vi.setConfig({ testTimeout: 600_000, hookTimeout: 120_000 });

const folder = temporaryFolder();
const at = (name: string) => join(folder, name);
/** So few that no question can lose three workers by chance, which is as many as one is given. */
const KILLS = 2;
const TABLES = ["answers.csv", "questions.csv", "summary.csv"];

interface Started {
  readonly child: ChildProcess;
  readonly result: ReturnType<typeof startProbe>["result"];
}

/** Processes of a test, none of which outlives it. */
const started: Started[] = [];
function probe(...args: readonly string[]): Started {
  const one = startProbe(args, { cwd: folder });
  started.push(one);
  return one;
}

async function end({ child, result }: Started): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) child.kill("SIGKILL");
  await result;
}

/** A server that takes its time, so that there is always something under way. */
async function slowServer(delayMs: number, onPrompt: (prompt: string) => void = () => {}): Promise<HttpServer> {
  const answer = vllm();
  return startHttpServer(async (request, response) => {
    const body = request.body === "" ? {} : (JSON.parse(request.body) as Record<string, unknown>);
    if (typeof body["prompt"] === "string") onPrompt(body["prompt"]);
    await sleep(delayMs);
    const reply = answer({ method: request.method, path: request.path, body }) ?? { status: 404, body: {} };
    response.writeHead(reply.status, { "content-type": "application/json" });
    response.end(JSON.stringify(reply.body));
  });
}

/** How often each prompt of a question was sent. */
function timesSent(requests: HttpServer["requests"]): number[] {
  const sent = new Map<string, number>();
  for (const { body } of requests) {
    const prompt = body === "" ? undefined : (JSON.parse(body) as { prompt?: unknown }).prompt;
    if (typeof prompt === "string" && prompt.includes("code review")) sent.set(prompt, (sent.get(prompt) ?? 0) + 1);
  }
  return [...sent.values()];
}

describe.skipIf(!HAS_REDIS)("a queue on a real Redis server", () => {
  let redis: RedisServer;

  beforeAll(async () => {
    mkdirSync(at("redis"));
    redis = await RedisServer.start(at("redis"));
  });
  afterAll(async () => {
    for (const one of started) await end(one);
    await redis.kill();
  });

  const worker = (model: string, ...more: readonly string[]) =>
    probe("worker", "--queue", redis.url, "--model", model, ...more);

  /** Kills one worker after the other, each at a place of its own in the run, and the server in the middle of them. */
  async function disturb(run: Started, answers: () => number, total: number, start: () => Started): Promise<void> {
    const workers = [start(), start()];
    for (let kill = 0; kill < KILLS; kill++) {
      while (answers() < (total * (kill + 1)) / (KILLS + 2) && run.child.exitCode === null) await sleep(10);
      await end(workers[kill % 2] as Started);
      workers[kill % 2] = start();
      if (kill !== Math.floor(KILLS / 2)) continue;
      await redis.kill();
      await redis.start();
    }
    await run.result;
    for (const one of workers) await end(one);
  }

  it(`two workers killed ${KILLS} times, Redis killed once and started empty: the tables of one process`, async () => {
    const server = await slowServer(15);
    const served = ["--base-url", `${server.url}/v1`, "--concurrency", "4"];
    const questions = ["--dataset", MINI, "--task", "CTR,CL", "--quiet"];
    const whole = await probe("run", "--model", "openai:stub", ...served, ...questions, "--out", "whole").result;
    expect(whole).toMatchObject({ code: 0 });
    const before = server.requests.length;
    const total = recordCount(at("whole/answers.jsonl"));
    const run = probe("run", "--model", "openai:stub", "--queue", redis.url, ...questions, "--out", "queued");
    const answers = () => recordCount(at("queued/answers.jsonl"));
    await disturb(run, answers, total, () => worker("openai:stub", "--lost-after", "10", ...served));
    expect((await run.result).code).toBe(0);
    for (const table of TABLES)
      expect(comparableTable(at("queued"), table)).toEqual(comparableTable(at("whole"), table));
    // Every answer stands in the journal once, however often its question was delivered.
    const places = journalRecords(at("queued/answers.jsonl")).map(
      (record) => `${record["question_index"]} ${record["permutation_index"]}`,
    );
    expect(new Set(places).size).toBe(total);
    expect(places).toHaveLength(total);
    // A prompt is sent again by a delivery more alone: one a kill, and one as Redis forgot what was under way.
    expect(Math.max(...timesSent(server.requests.slice(before)))).toBeLessThanOrEqual(1 + KILLS + 1);
  });

  it("gives a question up that ends each worker that has it, after three deliveries, names it, and asks the others", async () => {
    let current: Started | null = null;
    let deaths = 0;
    // What ends the worker: the prompts of one question. It is killed before its server answers.
    const server = await slowServer(50, (prompt) => {
      if (!isPoison(prompt) || current === null || current.child.signalCode !== null) return;
      deaths++;
      current.child.kill("SIGKILL");
    });
    const [example] = readFileSync(MINI, "utf8").split("\n").slice(2);
    const { review } = JSON.parse(example ?? "{}") as { review: string };
    const isPoison = (prompt: string) => prompt.includes(review);
    const served = ["--base-url", `${server.url}/v1`, "--concurrency", "1"];
    const start = () => worker("openai:stub", "--lost-after", "5", ...served);
    const run = probe(
      ...[
        "run",
        "--model",
        "openai:stub",
        "--queue",
        redis.url,
        "--dataset",
        MINI,
        "--task",
        "CTR",
        "--out",
        "poisoned",
      ],
    );
    while (run.child.exitCode === null) {
      if (current === null || (current as Started).child.signalCode !== null) current = start();
      await sleep(50);
    }
    const { code, stderr } = await run.result;
    expect(code).toBe(4);
    expect(stderr).toMatch(/CTR \S+: given up after 3 deliveries, each worker that had it ended/);
    expect(deaths).toBeLessThanOrEqual(3);
    const failed = journalRecords(at("poisoned/answers.jsonl")).filter(({ status }) => status === "failed");
    expect(new Set(failed.map(({ example_id }) => example_id)).size).toBe(1);
    expect(failed).toHaveLength(6);
    expect(journalRecords(at("poisoned/answers.jsonl"))).toHaveLength(36);
    if (current !== null) await end(current);
  });

  it("keeps two runs apart, refuses a worker of another model by name, and writes the password nowhere", async () => {
    const asked = ["--dataset", MINI, "--task", "CTR", "--queue", redis.url];
    const run = (name: string) => probe("run", "--model", `scripted:${name}`, ...asked, "--out", `run-${name}`);
    // A worker that no run suits first, then one for it, and a run for the other.
    const foreign = worker("scripted:always-A", "--idle", "600");
    const isRefused = new Promise<void>((resolve) => {
      foreign.child.stderr?.on("data", (text: string) => text.includes("refused by run") && resolve());
    });
    const first = run("oracle");
    await isRefused;
    const workers = [worker("scripted:oracle"), foreign];
    const runs = [first, run("always-A")];
    const results = await Promise.all(runs.map(({ result }) => result));
    expect(results.map(({ code }) => code)).toEqual([0, 0]);
    // The oracle is always right; the other says A, right in two of six orders.
    const right = (name: string) =>
      comparableTable(at(`run-${name}`), "answers.csv").filter((row) => row["correct"] === "true");
    expect([right("oracle").length, right("always-A").length]).toEqual([36, 12]);
    for (const one of workers) one.child.kill("SIGINT");
    const ended = await Promise.all(workers.map(({ result }) => result));
    expect(ended.map(({ code }) => code)).toEqual([0, 0]);
    const said = [...results, ...ended].map(({ stdout, stderr }) => stdout + stderr).join("\n");
    expect(said).toMatch(
      /refused by run \w+:\n {2}model: the run has "scripted:(oracle|always-A)", this worker "scripted:/,
    );
    expect(said).not.toContain(PASSWORD);
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    for (const { parentPath, name } of files)
      expect(readFileSync(join(parentPath, name), "utf8")).not.toContain(PASSWORD);
    // Nothing of a run is left in Redis but what dies by itself.
    const left = await redis.with((client) => client.keys("probe:*-usual:*"));
    expect(left).toEqual([]);
  });

  it("says what is wrong with a queue: no server, a wrong password, a URL that is none; never the password", async () => {
    const run = (url: string) => probe("run", "--model", "scripted:oracle", "--queue", url, "--out", "none").result;
    const wrong = await run(redis.url.replace(PASSWORD, "not-the-password"));
    expect(wrong.code).toBe(3);
    expect(wrong.stderr).toContain("WRONGPASS");
    const none = await run(`redis://:${PASSWORD}@127.0.0.1:1`);
    expect(none).toMatchObject({ code: 3 });
    const other = await run(`http://:${PASSWORD}@127.0.0.1`);
    expect(other).toMatchObject({ code: 2 });
    for (const { stderr } of [wrong, none, other]) {
      expect(stderr).not.toContain(PASSWORD);
      expect(stderr).not.toContain("not-the-password");
    }
  });
});

describe.skipIf(HAS_REDIS)("without a Redis server", () => {
  it("is not tested here: install Debian's redis-server", () => {
    expect(spawnSync("redis-server", ["--version"]).error).toBeDefined();
  });
});
