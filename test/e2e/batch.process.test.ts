import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { type CliResult, runProbe } from "../fixtures/cli.js";
import { MINI } from "../fixtures/reference.js";
import { ok, type StubHandler, type StubServer, startStub } from "../fixtures/stub-server.js";
import { anthropic } from "../fixtures/stub-servers/anthropic.js";
import type { Fate } from "../fixtures/stub-servers/batch-results.js";
import { BatchService } from "../fixtures/stub-servers/batches.js";
import { openaiThinker, responsesOnly } from "../fixtures/stub-servers/closed-doors.js";
import { openai } from "../fixtures/stub-servers/openai.js";
import { comparableTable, readTable } from "../fixtures/tables.js";
import { temporaryFolder } from "../fixtures/temporary-folder.js";

const folder = temporaryFolder();
const TABLES = ["answers.csv", "questions.csv", "summary.csv"];
/** Three questions of four options, each option at each place once: 12 requests. */
const QUESTIONS = ["--task", "CL", "--difficulty", "easy", "--limit", "3", "--orders", "cyclic"];
const ASKED = ["--dataset", MINI, ...QUESTIONS, "--prompt-mode", "chat", "--allow-generated"];
const REQUESTS = 12;
const KEY = "sk-batch-0123456789abcdef";

async function start(handler: StubHandler): Promise<StubServer> {
  const server = await startStub(handler);
  onTestFinished(() => server.stop());
  return server;
}

interface Run {
  readonly server: StubServer;
  readonly out: string;
  readonly provider?: string;
  readonly more?: readonly string[];
}

function probe({ server, out, provider = "openai", more = ["--batch"] }: Run): Promise<CliResult> {
  const model = ["--model", `${provider}:stub`, "--base-url", `${server.url}/v1`, "--api-key-env", "STUB_KEY"];
  const args = ["run", ...model, ...ASKED, "--model-arg", "batchPollSeconds=0.02", "--out", out, ...more];
  return runProbe(args, { cwd: folder, env: { STUB_KEY: KEY } });
}

function resume(server: StubServer, out: string, ...more: readonly string[]): Promise<CliResult> {
  const connection = ["--base-url", `${server.url}/v1`, "--api-key-env", "STUB_KEY"];
  return runProbe(["run", "--resume", out, ...connection, ...more], { cwd: folder, env: { STUB_KEY: KEY } });
}

const tablesOf = (out: string) => TABLES.map((table) => comparableTable(join(folder, out), table));
const most = (service: BatchService) => Math.max(...service.submissions.values());

interface Case {
  readonly stubOf: string;
  readonly provider: "openai" | "anthropic";
  readonly live: () => StubHandler;
  readonly more?: readonly string[];
}

const CASES: readonly Case[] = [
  { stubOf: "OpenAI's chat completions", provider: "openai", live: openai },
  { stubOf: "OpenAI's reasoning models", provider: "openai", live: openaiThinker, more: ["--think", "low"] },
  { stubOf: "OpenAI's Responses API", provider: "openai", live: responsesOnly },
  { stubOf: "Anthropic's Messages API", provider: "anthropic", live: anthropic },
  { stubOf: "Anthropic with thoughts", provider: "anthropic", live: anthropic, more: ["--think", "low"] },
];

describe.each(CASES)("--batch at a stub of $stubOf", ({ provider, live, more = [] }) => {
  it("ends with the tables of live asking, whatever the order of results, by requests handed in once", async () => {
    const service = new BatchService(live(), { looks: 1 });
    const server = await start(service[provider]);
    const name = `${provider}-${CASES.findIndex((each) => each.live === live && (each.more ?? []) === more)}-${more.length}`;
    const [asked, batched] = [`live-${name}-${live.name}`, `batch-${name}-${live.name}`];
    expect((await probe({ server, out: asked, provider, more: [...more, "-q"] })).code).toBe(0);
    const { code, stderr } = await probe({ server, out: batched, provider, more: ["--batch", ...more] });
    expect([code, stderr]).toEqual([0, expect.stringContaining(`${REQUESTS} requests in 1 batch under way at`)]);
    expect(tablesOf(batched)).toEqual(tablesOf(asked));
    expect([service.batches.length, most(service), service.submissions.size]).toEqual([1, 1, REQUESTS]);
  });

  it("asks again what came back without an answer, and takes nothing that is not its own", async () => {
    const fates: readonly Fate[] = ["expired", "cancelled", "missing", "double", "foreign", "faulty"];
    const service = new BatchService(live(), { fate: (i, batch) => (batch === 0 ? fates[i] : null) ?? "answered" });
    const server = await start(service[provider]);
    const out = `partly-${provider}-${live.name}-${more.length}`;
    const { code, stderr } = await probe({ server, out, provider, more: ["--batch", ...more] });
    // Six fates, of which the doubled one has its answer: five are asked again.
    expect([code, stderr]).toEqual([0, expect.stringContaining("Batch 1: 7 answered, 1 expired, 1 cancelled")]);
    expect(stderr).toContain("1 results of other requests, left out, 1 results that came twice, left out; 5 to be");
    expect(stderr).toContain("Batch 2: 5 answered.");
    expect(service.batches.map(({ lines }) => lines.length)).toEqual([REQUESTS, 5]);
    expect(readTable(join(folder, out), "answers.csv").filter(({ status }) => status === "failed")).toEqual([]);
  });

  it("hands in nothing twice where the reply to it is lost", async () => {
    const loses = ["/v1/files", "/v1/batches", "/v1/messages/batches"];
    const service = new BatchService(live(), { loses });
    const server = await start(service[provider]);
    const { code } = await probe({
      server,
      out: `lost-${provider}-${live.name}-${more.length}`,
      provider,
      more: ["--batch", ...more],
    });
    expect([code, service.batches.length, most(service)]).toEqual([0, 1, 1]);
    expect(service.files).toBe(provider === "openai" ? 1 : 0);
  });
});

describe("--batch", () => {
  it("is left, says what is under way and how to go on, and goes on by that", async () => {
    const service = new BatchService(openai(), { looks: 1 });
    const server = await start(service.openai);
    const left = await probe({ server, out: "left", more: ["--batch", "--batch-wait", "0"] });
    expect(left.code).toBe(130);
    expect(left.stderr).toContain("12 requests in 1 batch under way at OpenAI, with 0 of 12 answers recorded");
    expect(left.stderr).toContain("probe run --resume left");
    // The check was passed when the run began: it is not asked, nor paid for, again.
    const live = () => server.requests.filter(({ path }) => path.endsWith("/chat/completions")).length;
    const checked = live();
    expect(checked).toBeGreaterThan(0);
    expect((await resume(server, "left", "--batch-wait", "0")).code).toBe(130);
    const { code, stderr } = await resume(server, "left");
    expect([code, stderr]).toEqual([0, expect.stringContaining("Batch 1: 12 answered.")]);
    expect([service.batches.length, most(service)]).toEqual([1, 1]);
    expect(live()).toBe(checked);
  });

  it("goes on with what the check of a thinker learnt, and checks again what a record does not fit", async () => {
    const service = new BatchService(openaiThinker(), { looks: 2 });
    const server = await start(service.openai);
    const live = () => server.requests.filter(({ path }) => path.endsWith("/chat/completions")).length;
    expect((await probe({ server, out: "learnt", more: ["--batch", "--batch-wait", "0"] })).code).toBe(130);
    const checked = live();
    expect((await resume(server, "learnt", "--batch-wait", "0")).code).toBe(130);
    expect(live()).toBe(checked);
    const file = join(folder, "learnt", "run.json");
    // A parameter that no way is without, in a record whose checksum was taken away.
    const { crc, ...record } = JSON.parse(readFileSync(file, "utf8"));
    expect([crc.length, record.model.check.passed.symbols.leftOut]).toEqual([8, ["temperature"]]);
    record.model.check.passed.symbols.leftOut = ["messages"];
    writeFileSync(file, JSON.stringify(record));
    const again = await resume(server, "learnt");
    expect([again.code, again.stderr]).toEqual([0, expect.stringContaining("answered")]);
    expect(live()).toBeGreaterThan(checked);
    expect([service.batches.length, most(service)]).toEqual([1, 1]);
  });

  it("is left by Ctrl-C while it waits, with the command that goes on, and hands in nothing twice", async () => {
    let stop = () => {};
    const service = new BatchService(openai(), { looks: 1000 });
    const server = await start((request) => {
      const reply = service.openai(request);
      // The second look: it waits between looks.
      if (request.method === "GET" && request.path.startsWith("/v1/batches/") && ++looks === 2) stop();
      return reply;
    });
    let looks = 0;
    const args = ["--model-arg", "batchPollSeconds=0.02", "--out", "stopped", "--batch"];
    const model = ["--model", "openai:stub", "--base-url", `${server.url}/v1`, "--api-key-env", "STUB_KEY"];
    const { code, stderr, stdout } = await runProbe(["run", ...model, ...ASKED, ...args], {
      cwd: folder,
      env: { STUB_KEY: KEY },
      onStart: (interrupt) => {
        stop = interrupt;
      },
    });
    expect([code, stdout]).toEqual([130, ""]);
    expect(stderr).toContain("12 requests in 1 batch under way at OpenAI. It goes on without this program");
    expect(stderr).toMatch(/Stopped with 0 of 12 answers recorded\. Go on with:\n {2}probe run --resume stopped/);
    expect(stderr).not.toContain("Error");
    expect((await resume(server, "stopped", "--batch-wait", "0")).code).toBe(130);
    expect([service.batches.length, most(service), service.files]).toEqual([1, 1, 1]);
  });

  it("keeps the key out of what it writes", async () => {
    const service = new BatchService(openai());
    const server = await start((request) => service.openai(request));
    expect((await probe({ server, out: "secret" })).code).toBe(0);
    expect(server.requests.every(({ headers }) => headers.authorization === `Bearer ${KEY}`)).toBe(true);
    const files = readdirSync(join(folder, "secret"), { recursive: true, withFileTypes: true }).filter((each) =>
      each.isFile(),
    );
    expect(files.map(({ name }) => name)).toContain("1.jsonl");
    for (const { parentPath, name } of files) expect(readFileSync(join(parentPath, name), "utf8")).not.toContain(KEY);
  });

  it("refuses a batch whose results are all another's, and hands in nothing more", async () => {
    const service = new BatchService(openai(), { fate: () => "foreign" });
    const server = await start(service.openai);
    const { code, stderr } = await probe({ server, out: "foreign" });
    expect([code, stderr]).toEqual([3, expect.stringContaining("found 12 results of other requests")]);
    expect((await resume(server, "foreign")).code).toBe(3);
    expect(service.batches).toHaveLength(1);
  });

  it("refuses a batch of other requests that the service takes for this one, and a file that was changed", async () => {
    const service = new BatchService(openai());
    const server = await start((request) => {
      const reply = service.openai(request);
      if (!request.path.startsWith("/v1/batches/")) return reply;
      return ok({ ...(reply?.body as object), metadata: { ...service.batches[0]?.metadata, sha256: "0".repeat(64) } });
    });
    const { code, stderr } = await probe({ server, out: "altered" });
    expect([code, stderr]).toEqual([3, expect.stringContaining("found one of other requests")]);
    const sent = join(folder, "altered", "batches", "1.jsonl");
    writeFileSync(sent, readFileSync(sent, "utf8").replace("user", "system"));
    const again = await resume(server, "altered");
    expect([again.code, again.stderr]).toEqual([2, expect.stringContaining("as it was sent, found other content")]);
    expect(service.batches).toHaveLength(1);
  });

  it("is no option of agents, which are told so", async () => {
    const { code, stderr } = await runProbe(["suite", "run", "refactorbench", "--batch"], { cwd: folder });
    expect([code, stderr]).toEqual([2, expect.stringContaining("Only probe run asks in batches: agents and judges")]);
  });

  it("ends where a batch brought nothing, and asks again when it is told to", async () => {
    const service = new BatchService(anthropic(), { fate: (_, batch) => (batch === 0 ? "expired" : "answered") });
    const server = await start(service.anthropic);
    const first = await probe({ server, out: "expired", provider: "anthropic" });
    expect([first.code, first.stderr]).toEqual([3, expect.stringContaining("12 expired; 12 to be asked again")]);
    expect((await resume(server, "expired")).code).toBe(0);
    expect(service.batches).toHaveLength(2);
  });

  it("makes batches smaller where the account may not have so much waiting", async () => {
    const refuses = (requests: number) => (requests > 4 ? { code: "token_limit_exceeded", message: "Enqueued" } : null);
    const service = new BatchService(openai(), { refuses });
    const server = await start(service.openai);
    const { code, stderr } = await probe({ server, out: "smaller" });
    // 12, 6 and 3 requests, then the rest by 3.
    expect([code, stderr]).toEqual([0, expect.stringContaining("Batch 1 was refused: token_limit_exceeded Enqueued.")]);
    expect(service.batches.map(({ lines }) => lines.length)).toEqual([12, 6, 6, 3, 3, 3, 3]);
  });

  it("records what the service refuses by name as failed, as a live request would be", async () => {
    const service = new BatchService(openai(), { fate: (i) => (i === 3 ? "refused" : "answered") });
    const server = await start(service.openai);
    expect((await probe({ server, out: "refused" })).code).toBe(4);
    const failed = readTable(join(folder, "refused"), "answers.csv").filter(({ status }) => status === "failed");
    expect(failed).toMatchObject([{ failure: "unavailable" }]);
  });

  it("never passes --max-cost, and goes on with more", async () => {
    const prices = { currency: "USD", as_of: "2026-11-01", models: { "openai:stub": { input: 1, output: 10 } } };
    writeFileSync(join(folder, "probe.config.json"), JSON.stringify({ prices }));
    const service = new BatchService(openaiThinker());
    const server = await start(service.openai);
    const { code, stderr } = await probe({ server, out: "paid", more: ["--batch", "--max-cost", "0.095"] });
    expect([code, stderr]).toEqual([130, expect.stringContaining("Stopped before --max-cost was passed")]);
    expect(stderr).toContain("--resume paid --max-cost 0.095");
    const recorded = readTable(join(folder, "paid"), "answers.csv");
    expect(recorded.length).toBeGreaterThan(0);
    expect(recorded.length).toBeLessThan(REQUESTS);
    expect(recorded.reduce((sum, { cost }) => sum + Number(cost), 0)).toBeLessThanOrEqual(0.095);
    expect((await resume(server, "paid", "--max-cost", "9")).code).toBe(0);
    expect([most(service), service.submissions.size]).toEqual([1, REQUESTS]);
  });

  it("says in a dry run how many batches there are, and what part of the price is paid", async () => {
    const dry = (...more: readonly string[]) =>
      runProbe(["run", "--model", "openai:gpt-4o", ...ASKED, "--dry-run", ...more], {
        cwd: folder,
        env: { OPENAI_API_KEY: "" },
      });
    const [live, batched] = [await dry("--json"), await dry("--json", "--batch")];
    expect(JSON.parse(batched.stdout).cost.amount).toBe(JSON.parse(live.stdout).cost.amount / 2);
    const { stdout } = await dry("--batch");
    expect(stdout).toContain("Asked in 1 batch at OpenAI, within a day, at 50 % of the listed price.");
  });

  it("has texts written in batches of their own", async () => {
    const service = new BatchService(openai());
    const server = await start(service.openai);
    const asked = ["--task", "ACR,CL", "--limit", "1"];
    const stub = [
      "--model",
      "openai:stub",
      "--base-url",
      `${server.url}/v1`,
      "--dataset",
      MINI,
      "--prompt-mode",
      "chat",
    ];
    const run = ["run", ...stub, ...asked, "--orders", "cyclic", "--model-arg", "batchPollSeconds=0.02", "-q"];
    expect((await runProbe([...run, "--out", "texts-live"], { cwd: folder })).code).toBe(0);
    expect((await runProbe([...run, "--out", "texts", "--batch"], { cwd: folder })).code).toBe(0);
    for (const table of [...TABLES, "generations.csv"])
      expect(comparableTable(join(folder, "texts"), table)).toEqual(comparableTable(join(folder, "texts-live"), table));
    expect(most(service)).toBe(1);
  });

  it.each([
    [["--until", "decided"], "Expected --batch or --until decided, found both"],
    [["--early-stop"], "Expected --batch or --early-stop, found both"],
    [["--queue", "redis://127.0.0.1:1"], "Expected --batch or --queue, found both"],
  ])("is refused with %j", async (more, message) => {
    const server = await start(openai());
    const { code, stderr } = await probe({ server, out: "none", more: ["--batch", ...more] });
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
    expect(server.requests).toEqual([]);
  });

  it("is refused for a model whose service has none, and by a server that has none", async () => {
    const having = "OpenAI (openai:NAME), Anthropic (anthropic:NAME)";
    const groq = await runProbe(["run", "--model", "groq:llama", "--batch"], { cwd: folder });
    expect([groq.code, groq.stderr]).toEqual([2, expect.stringContaining(having)]);
    const server = await start(openai());
    const { code, stderr } = await probe({ server, out: "none" });
    expect([code, stderr]).toEqual([2, expect.stringContaining(`HTTP 404`)]);
  });
});
