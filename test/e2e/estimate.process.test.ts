import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { runProbe } from "../fixtures/cli.js";
import { MINI } from "../fixtures/reference.js";
import { type StubHandler, type StubServer, startStub } from "../fixtures/stub-server.js";
import { LETTER_TOKENS, openaiThinker, THOUGHT_TOKENS } from "../fixtures/stub-servers/closed-doors.js";
import { thinkingVllm } from "../fixtures/stub-servers/thinking-completions.js";
import { vllm } from "../fixtures/stub-servers/vllm.js";
import { readTable } from "../fixtures/tables.js";
import { temporaryFolder } from "../fixtures/temporary-folder.js";

const folder = temporaryFolder();
let server: StubServer;
beforeAll(async () => {
  server = await startStub(vllm());
});
afterAll(() => server.stop());

const dryRun = (...args: readonly string[]) =>
  runProbe(["run", "--dataset", MINI, "--dry-run", ...args], { cwd: folder });

interface Preview {
  readonly prompt_tokens: number;
  readonly time: {
    readonly status: string;
    readonly least_ms: number;
    readonly most_ms: number;
    readonly tokens_to_evaluate: number;
  };
}

async function preview(...args: readonly string[]): Promise<Preview> {
  return JSON.parse((await dryRun("--json", ...args)).stdout) as Preview;
}

it("a dry run tells the time of a model in this process as a range, with what it rests on", async () => {
  const { stdout } = await dryRun("--model", "tiny", "--task", "CTR");
  expect(stdout).toMatch(
    /^Time: (about )?\d+ s( to \d+ s)?, if this machine stays as busy as it is; by [1-4] questions? asked in \d+ s\.$/m,
  );
  expect(stdout).toMatch(/^Tokens to evaluate: about [\d,]+; the rest is found in the cache\.$/m);
  expect(stdout.endsWith("Nothing was recorded (--dry-run).\n")).toBe(true);
  const { time, prompt_tokens } = await preview("--model", "tiny", "--task", "CTR,ACR");
  if (time.status !== "estimated") return expect.fail("no time");
  expect(time.most_ms).toBeGreaterThan(time.least_ms);
  expect(time.tokens_to_evaluate).toBeLessThan(prompt_tokens);
});

it("a dry run asks a server nothing, unless --estimate says so", async () => {
  const args = ["--model", "openai:auto", "--base-url", `${server.url}/v1`, "--task", "CTR"];
  const asked = () => server.requests.filter(({ path }) => path.endsWith("/completions")).length;
  const quiet = await preview(...args);
  expect([asked(), quiet.time.status]).toEqual([0, "unknown"]);
  expect((await dryRun(...args)).stdout).toContain("with --estimate it asks a few questions, which may cost.\n");
  const { time } = await preview(...args, "--estimate");
  expect(time).toMatchObject({ status: "estimated", is_server: true, tokens_to_evaluate: null });
  expect(asked()).toBeGreaterThan(6);
  // What a server writes is cut short for it, and counts all the same.
  expect((await preview(...args.slice(0, -1), "ACR", "--estimate")).time.status).toBe("estimated");
  expect(readdirSync(folder)).toEqual([]);
});

it("a scripted model has no time, and --estimate belongs to a dry run", async () => {
  expect((await dryRun("--model", "scripted:oracle", "--estimate")).stdout).toContain(
    "Time unknown: a scripted model answers at once.\n",
  );
  const { code, stderr } = await runProbe(["run", "--model", "tiny", "--estimate", "--out", join(folder, "run")]);
  expect([code, stderr]).toEqual([
    2,
    "probe: Expected --estimate with --dry-run, found it alone: a run shows the time left.\n",
  ]);
});

it("a dry run tells thoughts at a server, and what they cost, as a range by those of a few questions", async () => {
  const thinker = await startStub(thinkingVllm({}, 20_000));
  onTestFinished(() => thinker.stop());
  const own = temporaryFolder();
  const prices = { currency: "USD", as_of: "2026-11-01", models: { "openai:stub": { input: 1, output: 10 } } };
  writeFileSync(join(own, "probe.config.json"), JSON.stringify({ prices }));
  const model = ["--model", "openai:stub", "--base-url", `${thinker.url}/v1`];
  const what = ["--dataset", MINI, "--task", "CTR", "--difficulty", "easy", "--orders", "cyclic"];
  const asked = ["run", ...model, ...what, "--think", "400", "--trace-thoughts", "2"];
  const probe = (...more: readonly string[]) => runProbe([...asked, ...more], { cwd: own });
  expect((await probe("--out", "run", "--quiet")).code).toBe(0);
  const rows = readTable(join(own, "run"), "answers.csv");
  const total = (name: string) => rows.reduce((sum, row) => sum + Number(row[name]), 0);
  const known = JSON.parse((await probe("--dry-run", "--json")).stdout);
  // By the template, up to the mark that opens the thoughts.
  expect(known.prompt_tokens).toBe(total("prompt_tokens"));
  expect(known.cost.amount).toBeGreaterThan(total("cost"));
  expect(known.cost.by_thoughts).toBeUndefined();
  const { cost, time } = JSON.parse((await probe("--dry-run", "--estimate", "--json")).stdout);
  // Four questions, spread over the form: its thoughts are as long as its prompts have lines.
  expect(time.thoughts.least_in_all).toBeLessThanOrEqual(total("thinking_tokens"));
  expect(time.thoughts.most_in_all).toBeGreaterThanOrEqual(total("thinking_tokens"));
  expect(cost.by_thoughts.least).toBeLessThanOrEqual(total("cost"));
  expect(cost.by_thoughts.most).toBeGreaterThanOrEqual(total("cost"));
  expect(cost.by_thoughts.most).toBeLessThan(cost.amount / 2);
  const { stdout } = await probe("--dry-run", "--estimate");
  expect(stdout).toMatch(
    /^Thoughts, with all beside the letter: [\d,]+ to [\d,]+ tokens an answer, [\d,]+ on average, by those that were asked; [\d,]+ to [\d,]+ in all\.$/m,
  );
  expect(stdout).toMatch(/^Cost: \S+ \S+ to \S+ \S+ by these thoughts, at most \S+ \S+ at prices of 2026-11-01/m);
});

/** A thinker behind closed doors, which tells the sum of its tokens alone. */
function silentThinker(): StubHandler {
  const thinker = openaiThinker();
  return (request) => {
    const reply = thinker(request);
    const { usage, ...body } = (reply?.body ?? {}) as { usage?: object };
    if (reply === null || usage === undefined) return reply;
    return { ...reply, body: { ...body, usage: { ...usage, completion_tokens_details: undefined } } };
  };
}

it.each([
  ["tells", openaiThinker()],
  ["does not tell", silentThinker()],
])(
  "a dry run tells at most what replies are limited to, and with --estimate what they took: of a model that %s its thoughts",
  async (_, handler) => {
    const closed = await startStub(handler);
    onTestFinished(() => closed.stop());
    const own = temporaryFolder();
    // A million tokens that are written cost a million: the cost is their count.
    const prices = { currency: "USD", as_of: "2026-11-01", models: { "openai:stub": { input: 0, output: 1e6 } } };
    writeFileSync(join(own, "probe.config.json"), JSON.stringify({ prices }));
    const model = ["--model", "openai:stub", "--base-url", `${closed.url}/v1`, "--prompt-mode", "chat"];
    const what = ["--dataset", MINI, "--task", "CTR", "--limit", "2", "--orders", "cyclic"];
    const previewed = async (...more: readonly string[]) => {
      const { stdout } = await runProbe(["run", ...model, ...what, "--dry-run", "--json", ...more], { cwd: own });
      return JSON.parse(stdout);
    };
    // Two questions under three orders. 8,192 tokens of thoughts that nobody asked for, or 1,024 of a low effort, and 256 of the
    // letter; where none is to be written, one token.
    for (const [args, tokens, isUpperBound] of [
      [["--allow-generated"], 8448, true],
      [["--allow-generated", "--think", "off"], 8448, true],
      [["--allow-generated", "--think", "low"], 1280, true],
      [["--model-arg", "extraction=generated"], 8448, true],
      [[], 1, false],
    ] as const) {
      const { max_completion_tokens: most, cost } = await previewed(...args);
      expect([most, cost.amount, cost.is_upper_bound], args.join(" ")).toEqual([6 * tokens, 6 * tokens, isUpperBound]);
    }
    const { cost } = await previewed("--allow-generated", "--estimate");
    const taken = 6 * (THOUGHT_TOKENS + LETTER_TOKENS);
    expect(cost).toMatchObject({ amount: 6 * 8448, by_thoughts: { least: taken, most: taken } });
    expect(
      (await runProbe(["run", ...model, ...what, "--allow-generated", "--out", "run", "-q"], { cwd: own })).code,
    ).toBe(0);
    expect(readTable(join(own, "run"), "answers.csv").reduce((sum, row) => sum + Number(row["cost"]), 0)).toBe(taken);
  },
);
