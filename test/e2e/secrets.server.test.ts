import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CliResult, runProbe } from "../fixtures/cli.js";
import { type FaultProxy, startFaultProxy } from "../fixtures/fault-proxy.js";
import { failure, type Reply } from "../fixtures/faults.js";
import { type LlamaServer, startLlamaServer } from "../fixtures/llama-server.js";
import { journalRecords, REPEATABLE, serverRun } from "../fixtures/server-run.js";
import { temporaryFolder } from "../fixtures/temporary-folder.js";

const KEY = "sk-proj-4f9a7c21d8e6b350";
const HEADER = `Bearer ${KEY}`;
const FROM_ENVIRONMENT = ["--api-key-env", "PROBE_TEST_KEY"];
/** One question, 3! orders. */
const ANSWERS = 6;

const SHOWN = `Incorrect API key provided: ${KEY}`;
const JSON_TYPE = { "content-type": "application/json" };
const ECHOES: [string, Reply][] = [
  ["401", failure(401, SHOWN)],
  ["401 with the request's headers", failure(401, `you sent authorization: ${HEADER}`)],
  ["401 with the key's ends", failure(401, `Incorrect API key provided: ${KEY.slice(0, 8)}*****${KEY.slice(-4)}`)],
  ["500", failure(500, SHOWN)],
  ["500 with a page", { status: 500, headers: {}, body: `<html>${SHOWN}</html>` }],
  ["200 with a page", { status: 200, headers: {}, body: `<html>${SHOWN}</html>` }],
  ["200 with an error", { status: 200, headers: JSON_TYPE, body: JSON.stringify({ error: SHOWN }) }],
  ["200 with an empty list", { status: 200, headers: JSON_TYPE, body: JSON.stringify({ choices: [], note: SHOWN }) }],
];

const folder = temporaryFolder();
let server: LlamaServer;
let proxy: FaultProxy;
/** Requests for completions that the check before a run makes. */
let checkRequests = Number.POSITIVE_INFINITY;

beforeAll(async () => {
  server = await startLlamaServer({ args: REPEATABLE });
  await runWithKey(join(folder, "first"), FROM_ENVIRONMENT, null);
  checkRequests = proxy.stats.answered - ANSWERS;
});

afterAll(() => server.stop());

function small(out: string, url: string, more: readonly string[]): string[] {
  return serverRun(out, [url], { task: "CTR", more: ["--limit", "1", ...more] });
}

/** Runs the command through a new proxy, with the key in its environment. */
async function runWithKey(out: string, more: readonly string[], afterCheck: Reply | null): Promise<CliResult> {
  proxy = await startFaultProxy({ target: server.url });
  proxy.intercept(({ completion }) => (completion > checkRequests ? afterCheck : null));
  const result = await runProbe(small(out, proxy.url, more), { env: { PROBE_TEST_KEY: KEY } });
  await proxy.stop();
  return result;
}

function expectNoKey(out: string, { stdout, stderr }: CliResult): void {
  const files = readdirSync(out, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  expect(files.length).toBeGreaterThan(3);
  const texts = files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), "utf8"));
  for (const text of [...texts, stdout, stderr]) {
    expect(text).not.toContain(KEY);
    expect(text).not.toContain(KEY.slice(0, 8));
    expect(text).not.toContain(KEY.slice(-8));
  }
}

describe("the key for a server", () => {
  it("is sent as a bearer with every request, and kept nowhere", async () => {
    const out = join(folder, "good");
    const result = await runWithKey(out, FROM_ENVIRONMENT, null);
    expect(result.code, result.stderr).toBe(0);
    expect([...proxy.stats.authorizations]).toEqual([HEADER]);
    expectNoKey(out, result);
  });

  it("is the first line of --api-key-file, and kept nowhere", async () => {
    const out = join(folder, "file");
    const file = join(folder, "key.txt");
    writeFileSync(file, `${KEY}\r\nnotes\n`);
    const result = await runWithKey(out, ["--api-key-file", file], null);
    expect(result.code, result.stderr).toBe(0);
    expect([...proxy.stats.authorizations]).toEqual([HEADER]);
    expectNoKey(out, result);
  });

  it("is not sent where none was named", async () => {
    const out = join(folder, "none");
    expect((await runWithKey(out, [], null)).code).toBe(0);
    expect([...proxy.stats.authorizations]).toEqual([undefined]);
  });

  it.each(ECHOES)("is kept nowhere when the server repeats it: %s", async (name, reply) => {
    const out = join(folder, name.replaceAll(/\W/g, "-"));
    const result = await runWithKey(out, FROM_ENVIRONMENT, reply);
    expect(result.code).toBe(4);
    expectNoKey(out, result);
    // The server's words are there, without it.
    for (const { detail } of journalRecords(out)) expect(detail).toContain("[key]");
  });

  it("is not shown when the server refuses it at once", async () => {
    const refused = await startFaultProxy({ target: server.url });
    refused.intercept(() => failure(401, SHOWN));
    const out = join(folder, "refused");
    const args = small(out, refused.url, FROM_ENVIRONMENT);
    const { code, stdout, stderr } = await runProbe(args, { env: { PROBE_TEST_KEY: KEY } });
    await refused.stop();
    expect(code).toBe(3);
    expect(stderr).toContain("[key]");
    expect(stdout + stderr).not.toContain(KEY);
  });

  it("is not shown when it cannot be sent in a header", async () => {
    const out = join(folder, "unsendable");
    const key = `${KEY}\u2603`;
    const args = small(out, server.url, FROM_ENVIRONMENT);
    const { code, stdout, stderr } = await runProbe(args, { env: { PROBE_TEST_KEY: key } });
    expect(code).not.toBe(0);
    expect(stdout + stderr).not.toContain(KEY);
  });
});
