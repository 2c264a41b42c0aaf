import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { runProbe, startProbe } from "../fixtures/cli.js";
import { journalRecords, recordCount } from "../fixtures/journal-file.js";
import { MINI } from "../fixtures/reference.js";
import { type StubHandler, type StubServer, startStub } from "../fixtures/stub-server.js";
import { openai } from "../fixtures/stub-servers/openai.js";
import { thinkingVllm } from "../fixtures/stub-servers/thinking-completions.js";
import { comparableTable, readTable } from "../fixtures/tables.js";
import { temporaryFolder } from "../fixtures/temporary-folder.js";

/** Money for a million tokens. */
const PRICE = { input: 1, output: 10 };
const folder = temporaryFolder();
/** The servers' own account of what they were asked. */
let bill = 0;
let server: StubServer;
let thinker: StubServer;
/** Every so many paid replies of the thinker are cut short; 0: none. */
let cutEach = 0;
let paid = 0;

const billing =
  (behind: StubHandler): StubHandler =>
  (request) => {
    const reply = behind(request);
    const { usage } = (reply?.body ?? {}) as { usage?: { prompt_tokens: number; completion_tokens: number } };
    if (reply === null || usage === undefined) return reply;
    bill += (usage.prompt_tokens * PRICE.input + usage.completion_tokens * PRICE.output) / 1_000_000;
    return cutEach > 0 && ++paid % cutEach === 0 ? { ...reply, body: JSON.stringify(reply.body).slice(0, 40) } : reply;
  };

beforeAll(async () => {
  server = await startStub(billing(openai()), 20);
  thinker = await startStub(billing(thinkingVllm({}, 20_000)), 5);
  const prices = { currency: "USD", as_of: "2026-11-01", models: { "openai:stub": PRICE } };
  writeFileSync(join(folder, "probe.config.json"), JSON.stringify({ prices }));
});
afterAll(() => Promise.all([server.stop(), thinker.stop()]));

const MODEL = ["--model", "openai:stub", "--prompt-mode", "chat", "--concurrency", "64"];
const ASKED = ["--dataset", MINI, "--task", "CTR,CL", "--difficulty", "easy", "--quiet"];
const FEW = ["--dataset", MINI, "--task", "CL", "--difficulty", "easy", "--limit", "12", "--quiet"];
const probe = (...args: readonly string[]) => runProbe(args, { cwd: folder });

/** Runs a command; returns what the server billed for it. */
async function billed(...args: readonly string[]) {
  const before = bill;
  const { code, stderr } = await probe(...args);
  return { code, stderr, amount: bill - before };
}

/** Cost of a run by its own table. */
function told(run: string): number {
  return readTable(join(folder, run), "answers.csv").reduce((sum, { cost }) => sum + Number(cost), 0);
}

it("--max-cost is not passed by the server's own bill, with 64 requests at once; more money goes on to the same tables", async () => {
  const where = ["--base-url", `${server.url}/v1`];
  const free = await billed("run", ...MODEL, ...where, ...ASKED, "--out", "free");
  expect(free.code).toBe(0);
  // As many as a busy machine lets grow; one after the other would show nothing.
  expect(server.mostAtOnce()).toBeGreaterThan(8);
  // The check comes before each session, is always the same, and is no part of the run.
  const whole = told("free");
  const check = free.amount - whole;
  expect(check).toBeGreaterThan(0);
  expect(check).toBeLessThan(whole / 5);
  const limit = (whole / 2).toFixed(6);
  const paid = await billed("run", ...MODEL, ...where, ...ASKED, "--max-cost", limit, "--out", "paid");
  expect(paid.code).toBe(130);
  expect(paid.stderr).toContain("Stopped before --max-cost was passed");
  const spent = paid.amount - check;
  expect(spent).toBeLessThanOrEqual(Number(limit));
  expect(spent).toBeGreaterThan(Number(limit) / 2);
  // The bill is what the run says of itself.
  expect(told("paid")).toBeCloseTo(spent, 9);
  const more = await billed("run", "--resume", "paid", ...where, "--max-cost", "10", "--quiet");
  expect(more.code).toBe(0);
  // Nothing is paid for twice.
  expect(spent + more.amount - check).toBeCloseTo(whole, 9);
  for (const table of ["answers.csv", "questions.csv", "summary.csv"])
    expect(comparableTable(join(folder, "paid"), table)).toEqual(comparableTable(join(folder, "free"), table));
});

it("--max-cost is not passed where thoughts are continued and traced, whose prompts are sent again for each letter", async () => {
  const where = ["--base-url", `${thinker.url}/v1`];
  const think = [...MODEL, ...where, ...FEW, "--orders", "cyclic", "--think", "30", "--trace-thoughts", "3"];
  const free = await billed("run", ...think, "--out", "thought");
  expect(free.code).toBe(0);
  const whole = told("thought");
  const check = free.amount - whole;
  // Thoughts, and three letters behind parts of them: four times the prompt, and a little more.
  const prompts = readTable(join(folder, "thought"), "answers.csv").reduce(
    (sum, row) => sum + Number(row["prompt_tokens"]),
    0,
  );
  expect(whole).toBeGreaterThan((4 * prompts * PRICE.input) / 1_000_000);
  const limit = (whole / 2).toFixed(6);
  const part = await billed("run", ...think, "--max-cost", limit, "--out", "thought-paid");
  expect(part.code).toBe(130);
  const spent = part.amount - check;
  expect(spent).toBeLessThanOrEqual(Number(limit));
  expect(spent).toBeGreaterThan(Number(limit) / 4);
  expect(told("thought-paid")).toBeCloseTo(spent, 9);
  const more = await billed("run", "--resume", "thought-paid", ...where, "--max-cost", "10", "--quiet");
  expect(more.code).toBe(0);
  expect(spent + more.amount - check).toBeCloseTo(whole, 9);
});

it("--max-cost is not passed where replies that were paid for come to nothing, and are asked for again", async () => {
  const where = ["--base-url", `${thinker.url}/v1`];
  const think = [...MODEL, ...where, ...FEW, "--orders", "cyclic", "--think", "30"];
  const free = await billed("run", ...think, "--out", "whole");
  const whole = told("whole");
  const check = free.amount - whole;
  // Without a limit too: what it may have cost is not told as if it were known, and counts once there is one.
  cutEach = 5;
  const open = await billed("run", ...think, "--out", "open");
  cutEach = 0;
  expect(open.code).toBe(0);
  expect(JSON.parse(readFileSync(join(folder, "open", "run.json"), "utf8"))).toMatchObject({ cost: null });
  const bound = journalRecords(join(folder, "open", "answers.jsonl")).reduce(
    (sum, { cost_bound: most = 0 }) => sum + Number(most),
    0,
  );
  expect(bound + told("open")).toBeGreaterThanOrEqual(open.amount - check - 1e-9 - check);
  for (const [name, each, share] of [
    ["some", 5, 0.9],
    ["most", 2, 0.5],
  ] as const) {
    cutEach = each;
    const limit = whole * share;
    const part = await billed("run", ...think, "--max-cost", limit.toFixed(6), "--out", name);
    cutEach = 0;
    expect(part.code).toBe(130);
    // The check is cut short too, so that it costs as much at least.
    expect(part.amount - check).toBeLessThanOrEqual(limit);
    expect(part.amount - check).toBeGreaterThan(limit / 4);
    const bounds = readFileSync(join(folder, name, "answers.jsonl"), "utf8").match(/"cost_bound"/g) ?? [];
    expect(bounds.length).toBeGreaterThan(3);
    // All sessions together.
    const again = await billed("run", "--resume", name, ...where, "--max-cost", limit.toFixed(6), "--quiet");
    expect(again.code).toBe(130);
    expect(part.amount + again.amount - 2 * check).toBeLessThanOrEqual(limit);
  }
});

it("--max-cost counts what was under way when a session was killed", async () => {
  const where = ["--base-url", `${server.url}/v1`];
  const run = ["run", ...MODEL, ...where, ...ASKED];
  const free = await billed(...run, "--out", "unkilled");
  const whole = told("unkilled");
  const check = free.amount - whole;
  const limit = whole * 0.6;
  const before = bill;
  const journal = join(folder, "killed", "answers.jsonl");
  const { child, result } = startProbe([...run, "--max-cost", limit.toFixed(6), "--out", "killed"], { cwd: folder });
  while (recordCount(journal) < 20 && child.exitCode === null) await sleep(1);
  child.kill("SIGKILL");
  expect((await result).signal).toBe("SIGKILL");
  await sleep(100);
  const recorded = journalRecords(journal).reduce(
    (sum, { prompt_tokens, completion_tokens = 1 }) =>
      sum + (Number(prompt_tokens) * PRICE.input + Number(completion_tokens) * PRICE.output) / 1_000_000,
    0,
  );
  const killed = bill - before - check;
  // Paid for, and in no journal.
  expect(killed).toBeGreaterThan(recorded);
  const more = await billed("run", "--resume", "killed", ...where, "--max-cost", limit.toFixed(6), "--quiet");
  expect(more.code).toBe(130);
  expect(killed + more.amount - check).toBeLessThanOrEqual(limit);
  expect(more.amount).toBeGreaterThan(check - 1e-9);
  // What was lost is known from then on, and once.
  const text = () =>
    readFileSync(join(folder, "killed", "money.jsonl"), "utf8")
      .trimEnd()
      .split("\n")
      .at(-1);
  const lost = text();
  expect(JSON.parse(lost ?? "")).toMatchObject({ lost: expect.any(Number), under_way: 0 });
  expect((JSON.parse(lost ?? "") as { lost: number }).lost).toBeGreaterThan(killed - recorded);
  const last = await billed("run", "--resume", "killed", ...where, "--max-cost", "10", "--quiet");
  expect(last.code).toBe(0);
  expect(text()).toBe(lost);
  for (const table of ["answers.csv", "questions.csv", "summary.csv"])
    expect(comparableTable(join(folder, "killed"), table)).toEqual(comparableTable(join(folder, "unkilled"), table));
});
