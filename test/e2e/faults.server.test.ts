import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { seededIntegers } from "../../src/base/random.js";
import { runProbe, startProbe } from "../fixtures/cli.js";
import { type FaultProxy, type FaultProxyOptions, startFaultProxy } from "../fixtures/fault-proxy.js";
import { FAULT_KINDS, failure } from "../fixtures/faults.js";
import { type LlamaServer, startLlamaServer } from "../fixtures/llama-server.js";
import {
  expectEqualTables,
  journalLines,
  journalRecords,
  REPEATABLE,
  serverRun,
  untilLines,
} from "../fixtures/server-run.js";
import { temporaryFolder } from "../fixtures/temporary-folder.js";

/** Its three questions make several groups of orders, which are under way when something breaks. */
const EXAMPLES = process.env["PROBE_SLOW_TESTS"] === "1" ? 6 : 1;
/** 3! orders for CTR, 2 · 4! for CL. */
const ANSWERS = EXAMPLES * 54;
const OUTAGE_MS = process.env["PROBE_SLOW_TESTS"] === "1" ? 60_000 : 4_000;
const KILLS = process.env["PROBE_SLOW_TESTS"] === "1" ? 6 : 3;
/** 3! orders. */
const ONE_QUESTION = { task: "CTR", more: ["--limit", "1"] };

const smallRun = (out: string, urls: readonly string[], ...more: readonly string[]) =>
  serverRun(out, urls, { more: ["--limit", `${EXAMPLES}`, ...more] });

const folder = temporaryFolder();
const whole = join(folder, "whole");
const started: FaultProxy[] = [];
let server: LlamaServer;
let checkRequests: number;

/** Shows a number that a reader of the log wants to know. */
function note(text: string): void {
  process.stdout.write(`${text}\n`);
}

async function proxyFor(options: Partial<FaultProxyOptions> = {}): Promise<FaultProxy> {
  const proxy = await startFaultProxy({ target: server.url, ...options });
  started.push(proxy);
  return proxy;
}

beforeAll(async () => {
  server = await startLlamaServer({ args: REPEATABLE });
  const proxy = await proxyFor();
  const { code, stderr } = await runProbe(smallRun(whole, [proxy.url]));
  expect(stderr).not.toContain("Failed answers");
  expect(code).toBe(0);
  expect(journalLines(whole)).toHaveLength(ANSWERS);
  checkRequests = proxy.stats.answered - ANSWERS;
});

afterAll(async () => {
  for (const proxy of started) await proxy.stop();
  await server.stop();
});

describe("a run against a real server", () => {
  it("gives the same numbers when it is made again", async () => {
    const out = join(folder, "again");
    expect((await runProbe(smallRun(out, [server.url]))).code).toBe(0);
    expectEqualTables(out, whole);
  });

  it("with many of its requests broken in every way ends with the tables of a run without faults", async () => {
    const out = join(folder, "broken");
    const { url, stats } = await proxyFor({ faultRate: 0.45, seed: 1 });
    const { code, stderr } = await runProbe(smallRun(out, [url]));
    note(`Faults made in ${stats.requests} requests: ${JSON.stringify(stats.faults)}`);
    for (const kind of FAULT_KINDS) expect(stats.faults[kind], kind).toBeGreaterThan(0);
    expect(journalRecords(out).filter(({ status }) => status === "failed")).toEqual([]);
    expect(code, stderr).toBe(0);
    expectEqualTables(out, whole);
  });

  it("is not misled in its check by a proxy that answers twice", async () => {
    const out = join(folder, "check");
    const { url } = await proxyFor({ faultRate: 0.5, seed: 6, kinds: ["answered_twice_late"] });
    const { code, stderr } = await runProbe(serverRun(out, [url], ONE_QUESTION));
    expect(code, stderr).toBe(0);
    expect(new Set(journalRecords(out).map(({ extraction }) => extraction))).toEqual(new Set(["guided"]));
  });

  it(`waits for a server that is down for ${OUTAGE_MS / 1000} s`, async () => {
    const out = join(folder, "outage");
    const proxy = await proxyFor();
    const { result } = startProbe(smallRun(out, [proxy.url]));
    await untilLines(out, ANSWERS / 3);
    await proxy.down();
    const before = journalLines(out).length;
    await sleep(OUTAGE_MS);
    // What was read from the connection before it closed may still be recorded; nothing else can be.
    expect(journalLines(out).length).toBeLessThan(before + 8);
    await proxy.up();
    const { code, stderr } = await result;
    expect(code, stderr).toBe(0);
    expectEqualTables(out, whole);
  });

  it("is given up when the server answers every request with the same error; what was answered is kept", async () => {
    const GOOD = ANSWERS / 3;
    const out = join(folder, "given-up");
    const proxy = await proxyFor();
    proxy.intercept(({ completion }) => {
      if (completion <= checkRequests + GOOD) return null;
      return failure(500, "it broke for good");
    });
    const { code, stderr } = await runProbe(smallRun(out, [proxy.url]));
    const wasted = proxy.stats.completions - checkRequests - GOOD;
    const failed = journalRecords(out).filter(({ status }) => status === "failed");
    note(`Given up after ${wasted} requests; ${failed.length} failed answers.`);
    expect(code).toBe(4);
    expect(stderr).toMatch(/Gave up after \d+ answers in a row failed alike: .*HTTP 500: .*it broke for good/);
    // 20 equal errors in a row, and what was under way with the last of them: 64 at most.
    expect(wasted).toBeLessThanOrEqual(20 + 64);
    // 20 equal failures in a row, and one from each of the 9 groups of orders that are asked at once.
    expect(failed.length).toBeLessThanOrEqual(20 + 9);
    expect(journalRecords(out).filter(({ status }) => status !== "failed")).toHaveLength(GOOD);

    proxy.intercept(null);
    const resumed = await runProbe(["run", "--resume", out]);
    expect(resumed.code, resumed.stderr).toBe(0);
    expect(proxy.stats.answered).toBe(2 * checkRequests + ANSWERS);
    expectEqualTables(out, whole);
  });

  it("names in the record of a failed answer the status, the body's beginning and the request's hash", async () => {
    const out = join(folder, "records");
    const proxy = await proxyFor();
    const page = `<html>${"x".repeat(2000)}</html>`;
    proxy.intercept(({ completion }) =>
      completion > checkRequests ? { status: 500, headers: {}, body: `${completion % 2} ${page}` } : null,
    );
    expect((await runProbe(serverRun(out, [proxy.url], ONE_QUESTION))).code).toBe(4);
    const [record] = journalRecords(out);
    expect(record).toMatchObject({ status: "failed", failure: "unavailable" });
    expect(record!.detail).toMatch(/^POST \/completion: HTTP 500: [01] <html>x{200,300}/);
    expect(record!.detail).toMatch(/; request sha256 [0-9a-f]{64}$/);
    expect(record!.detail!.length).toBeLessThan(600);
  });
});

describe("a run against a real server that is interrupted", () => {
  it("finishes and records what is under way, and is completed later", async () => {
    const out = join(folder, "interrupted");
    const proxy = await proxyFor({ faultRate: 1, kinds: ["delay"], onlyPaths: ["/completion"] });
    const { child, result } = startProbe(smallRun(out, [proxy.url]));
    await untilLines(out, ANSWERS / 6);
    child.kill("SIGINT");
    const { code, stderr } = await result;
    expect(code).toBe(130);
    expect(stderr).toContain(`probe run --resume ${out}`);
    // Every completion that the server made is in the journal.
    const recorded = journalLines(out).length;
    expect(recorded).toBe(proxy.stats.answered - checkRequests);
    expect(recorded).toBeLessThan(ANSWERS);
    expect((await runProbe(["run", "--resume", out, "--base-url", `${server.url}/v1`])).code).toBe(0);
    expect(journalLines(out)).toHaveLength(ANSWERS);
    expectEqualTables(out, whole);
  });

  it("stops at once when it is interrupted a second time, and is completed later", async () => {
    const out = join(folder, "twice");
    const proxy = await proxyFor();
    const { child, result } = startProbe(smallRun(out, [proxy.url]));
    await untilLines(out, ANSWERS / 6);
    proxy.intercept(() => new Promise(() => {}));
    const stopping = new Promise<void>((resolve) => {
      child.stderr?.on("data", (text: string) => text.includes("Stopping") && resolve());
    });
    child.kill("SIGINT");
    await stopping;
    child.kill("SIGINT");
    expect((await result).code).toBe(130);
    proxy.intercept(null);
    expect((await runProbe(["run", "--resume", out])).code).toBe(0);
    expectEqualTables(out, whole);
  });

  it(`killed at ${KILLS} random moments (6 with PROBE_SLOW_TESTS=1) and resumed each time, ends with the tables of an uninterrupted run`, async () => {
    const out = join(folder, "killed");
    const draw = seededIntegers(7);
    let killed = 0;
    for (let kill = 0; kill < KILLS; kill++) {
      const target = Math.min(ANSWERS * 0.9, journalLines(out).length + draw(0, Math.ceil((2 * ANSWERS) / KILLS) - 1));
      const { child, result } = startProbe(smallRun(out, [server.url]));
      await untilLines(out, target);
      await sleep(draw(0, 200));
      child.kill("SIGKILL");
      // A quick machine may have ended by then.
      killed += Number((await result).signal === "SIGKILL");
    }
    expect(killed).toBeGreaterThan(KILLS / 2);
    expect((await runProbe(["run", "--resume", out])).code).toBe(0);
    expect(journalLines(out)).toHaveLength(ANSWERS);
    expectEqualTables(out, whole);
  });
});

describe("a run against two real servers", () => {
  let other: LlamaServer;

  beforeAll(async () => {
    other = await startLlamaServer({ args: REPEATABLE });
  });
  afterAll(() => other.stop());

  it("shares the load between them", async () => {
    const out = join(folder, "shared");
    const proxies = [await proxyFor(), await proxyFor({ target: other.url })];
    const urls = proxies.map(({ url }) => url);
    expect((await runProbe(smallRun(out, urls))).code).toBe(0);
    const shares = proxies.map(({ stats }) => stats.answered - checkRequests);
    note(`Answers of each server: ${shares.join(", ")}`);
    // Nothing is asked twice: the second server's check is at most as long as the first's.
    expect(shares[0]! + shares[1]!).toBeLessThanOrEqual(ANSWERS);
    for (const share of shares) expect(share).toBeGreaterThan(ANSWERS / 4);
    expectEqualTables(out, whole);
  });

  it("completes on the other when one dies in the middle", async () => {
    const out = join(folder, "one-dies");
    const proxy = await proxyFor();
    const { result } = startProbe(smallRun(out, [proxy.url, other.url], "--model-arg", "patienceSeconds=3"));
    await untilLines(out, ANSWERS / 3);
    await other.stop();
    const { code, stderr } = await result;
    expect(code, stderr).toBe(0);
    expect(proxy.stats.answered - checkRequests).toBeGreaterThan(ANSWERS / 2);
    expectEqualTables(out, whole);
  });
});
