import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { runProbe, startProbe } from "../fixtures/cli.js";
import { type HttpServer, startHttpServer } from "../fixtures/http-server.js";
import { journalRecords, recordCount } from "../fixtures/journal-file.js";
import { ownProcesses, type Started } from "../fixtures/processes.js";
import { HAS_REDIS, ownRedis, PASSWORD } from "../fixtures/redis-server.js";
import { MINI } from "../fixtures/reference.js";
import { vllm } from "../fixtures/stub-servers/vllm.js";
import { comparableTable } from "../fixtures/tables.js";
import { temporaryFolder } from "../fixtures/temporary-folder.js";

const folder = temporaryFolder();
const at = (name: string) => join(folder, name);

/** A server that takes its time, so that there is always something under way. */
async function slowServer(delayMs: number, onPrompt: (prompt: string) => unknown = () => {}): Promise<HttpServer> {
  const answer = vllm();
  return startHttpServer(async (request, response) => {
    const body = request.body === "" ? {} : (JSON.parse(request.body) as Record<string, unknown>);
    if (typeof body["prompt"] === "string") await onPrompt(body["prompt"]);
    await sleep(delayMs);
    const reply = answer({ method: request.method, path: request.path, body }) ?? { status: 404, body: {} };
    response.writeHead(reply.status, { "content-type": "application/json" });
    response.end(JSON.stringify(reply.body));
  });
}

describe.skipIf(!HAS_REDIS)("a queue on a real Redis server", () => {
  const redis = ownRedis();
  const processes = ownProcesses(folder);
  const probe = (...args: readonly string[]) => processes.start(...args);

  const worker = (model: string, ...more: readonly string[]) =>
    probe("worker", "--queue", redis.url, "--model", model, ...more);

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
    if (current !== null) await processes.kill(current);
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
    // The run whose worker it would not be says so too.
    expect(results[0]?.stderr).toMatch(/Refused a worker: worker .*: model: the run has "scripted:oracle"/);
    expect(said).not.toContain(PASSWORD);
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    for (const { parentPath, name } of files)
      expect(readFileSync(join(parentPath, name), "utf8")).not.toContain(PASSWORD);
    // Nothing of a run is left in Redis but what dies by itself.
    const left = await redis.with((client) => client.keys("probe:*-usual:*"));
    expect(left).toEqual([]);
  });

  it("is in the words that a stopped run ends with, but for a password, so that these go on with it", async () => {
    // Nothing more is answered once something is recorded, until the run has stopped.
    let isStopped = false;
    const server = await slowServer(20, async () => {
      while (!isStopped && recordCount(at("stopped/answers.jsonl")) > 0) await sleep(20);
    });
    const one = worker("openai:stub", "--base-url", `${server.url}/v1`, "--concurrency", "1");
    const [url, env] = [redis.url.replace(`:${PASSWORD}@`, ""), { REDIS_PASSWORD: PASSWORD }];
    const asked = ["--dataset", MINI, "--task", "CTR", "--queue", url, "--out", "stopped"];
    const { child, result } = startProbe(["run", "--model", "openai:stub", ...asked], { cwd: folder, env });
    await expect.poll(() => recordCount(at("stopped/answers.jsonl"))).toBeGreaterThan(0);
    child.kill("SIGINT");
    const { code, stderr } = await result;
    isStopped = true;
    expect(code).toBe(130);
    expect(stderr).toContain(`Go on with:\n  probe run --resume stopped --queue ${url}\n`);
    expect(await runProbe(["run", "--resume", "stopped", "--queue", url], { cwd: folder, env })).toMatchObject({
      code: 0,
    });
    expect(recordCount(at("stopped/answers.jsonl"))).toBe(36);
    await processes.kill(one);
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
