import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { runProbe } from "../fixtures/cli.js";
import { MINI } from "../fixtures/reference.js";
import { type StubHandler, type StubServer, startStub } from "../fixtures/stub-server.js";
import { openai } from "../fixtures/stub-servers/openai.js";
import { comparableTable, readTable } from "../fixtures/tables.js";
import { temporaryFolder } from "../fixtures/temporary-folder.js";

/** Money for a million tokens. */
const PRICE = { input: 1, output: 10 };
const folder = temporaryFolder();
const behind = openai();
/** The server's own account of what it was asked. */
let bill = 0;
let server: StubServer;

const billing: StubHandler = (request) => {
  const reply = behind(request);
  const { usage } = (reply?.body ?? {}) as { usage?: { prompt_tokens: number; completion_tokens: number } };
  if (usage !== undefined)
    bill += (usage.prompt_tokens * PRICE.input + usage.completion_tokens * PRICE.output) / 1_000_000;
  return reply;
};

beforeAll(async () => {
  server = await startStub(billing, 20);
  const prices = { currency: "USD", as_of: "2026-11-01", models: { "openai:stub": PRICE } };
  writeFileSync(join(folder, "probe.config.json"), JSON.stringify({ prices }));
});
afterAll(() => server.stop());

const MODEL = ["--model", "openai:stub", "--prompt-mode", "chat", "--concurrency", "64"];
const ASKED = ["--dataset", MINI, "--task", "CTR,CL", "--difficulty", "easy", "--quiet"];
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
