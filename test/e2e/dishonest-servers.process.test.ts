import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { runProbe } from "../fixtures/cli.js";
import { MINI } from "../fixtures/reference.js";
import { type StubHandler, type StubServer, startStub } from "../fixtures/stub-server.js";
import { openaiThinker } from "../fixtures/stub-servers/closed-doors.js";
import { DISHONEST, type DishonestKind } from "../fixtures/stub-servers/dishonest.js";
import { oldVllm } from "../fixtures/stub-servers/old-vllm.js";
import { ollama } from "../fixtures/stub-servers/ollama.js";
import { openai } from "../fixtures/stub-servers/openai.js";
import { turnsBad } from "../fixtures/stub-servers/turns-bad.js";
import { readTable, type TableRow } from "../fixtures/tables.js";
import { temporaryFolder } from "../fixtures/temporary-folder.js";

const folder = temporaryFolder();
let server: StubServer;
let runs = 0;

afterEach(() => server.stop());

async function start(handler: StubHandler): Promise<string[]> {
  server = await startStub(handler);
  return ["--base-url", `${server.url}/v1`];
}

interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly out: string;
}

/** `probe run`: two questions of six orders each. */
function run(handler: StubHandler, ...more: string[]): Promise<Outcome> {
  return runTask("CTR", handler, ...more);
}

async function runTask(task: string, handler: StubHandler, ...more: string[]): Promise<Outcome> {
  const address = await start(handler);
  const out = join(folder, `run-${++runs}`);
  const what = ["--model", "openai:stub", "--dataset", MINI, "--task", task, "--limit", "2", "--out", out];
  return { ...(await runProbe(["run", ...what, ...address, ...more])), out };
}

async function check(handler: StubHandler, ...more: string[]): Promise<Omit<Outcome, "out">> {
  const address = await start(handler);
  return runProbe(["models", "check", "openai:stub", ...address, ...more]);
}

interface Way {
  readonly way: string;
  readonly status: string;
  readonly notes: readonly string[];
}

interface RecordedCheck {
  readonly ways: readonly Way[];
  readonly chosen: string;
  readonly forced: boolean;
}

function recordedCheck(out: string): RecordedCheck {
  const file = JSON.parse(readFileSync(join(out, "run.json"), "utf8")) as { model: { check: RecordedCheck } };
  return file.model.check;
}

function noteOf(ways: readonly Way[], name: string): string | undefined {
  const way = ways.find(({ way: candidate }) => candidate === name);
  return way && `${way.status}: ${way.notes.join("; ")}`;
}

const LOGPROBS = ["logprob_a", "logprob_b", "logprob_c", "logprob_d", "symbol_mass", "margin"];

/** Answers that differ in anything but what they were, such as "chosen". */
function valuesOf(rows: readonly TableRow[], column: string): string[] {
  return [...new Set(rows.map((row) => row[column] ?? ""))].sort();
}

const REFUSED: readonly [kind: DishonestKind, reason: RegExp][] = [
  ["ignores logprobs", /reported no log probabilities.* in 6 of 6 replies/],
  ["ignores restrictions and lists no letter", /structured_outputs: answered "token_id:\d+" where only A, B, C, D/],
  ["same numbers for every prompt", /the same numbers for different prompts/],
  ["probabilities that sum to 1.4", /probabilities that sum to 1\.\d+, more than 1/],
  ["log probabilities above 0", /a log probability above 0 \(0\.\d+\)/],
  ["a template that swallows the letter", /named none of A, B, C, D .*"<think>".*reasoning prefix/],
  ["other numbers every time", /differ by \d\.\d+ nats when the same prompt is asked twice/],
  ["NaN in place of numbers", /HTTP 200, but not JSON/],
  ["null for some letters", /or null among them, in \d of 6 replies/],
  ["null for every number", /or null among them, in 6 of 6 replies/],
];

describe.each(REFUSED)("a server with %s (stub)", (kind, reason) => {
  it("is refused with exit code 3 and the reason, and nothing is written", async () => {
    const { code, stderr, stdout, out } = await run(DISHONEST[kind]);
    expect(stderr).toMatch(reason);
    expect(stderr).toContain("Nothing was asked.");
    expect(code).toBe(3);
    expect(stdout).toBe("");
    expect(existsSync(out)).toBe(false);
  });
});

describe("`probe models check` of a server that is refused (stub)", () => {
  it.each(["same numbers for every prompt", "log probabilities above 0", "ignores logprobs"] as const)(
    "prints a table that says so, and exits 3: %s",
    async (kind) => {
      const { code, stdout } = await check(DISHONEST[kind]);
      expect(stdout).toMatch(/logprobs 20 .*REFUSED/);
      expect(stdout).toContain("No way works: this model is refused");
      expect(code).toBe(3);
    },
  );

  it("exits 3 even where the refusal is forced away", async () => {
    const { code, stdout } = await check(DISHONEST["same numbers for every prompt"], "--force");
    expect(stdout).toContain("FORCED: answers would be taken by logprobs 20, which the check refuses.");
    expect(code).toBe(3);
  });

  it("says the ways out that were not taken yet, as a run does, with the ways that they open", async () => {
    const ways = "Use a server that does (vLLM, llama.cpp), ";
    const first = await check(openaiThinker());
    expect(first.stdout).toContain(
      `${ways}--prompt-mode chat, or --allow-generated to take the letter it writes, without probabilities, or both.`,
    );
    expect(first.stdout).toMatch(/generated letter .*not tried .*only with --allow-generated/);
    const { stdout } = await check(openaiThinker(), "--prompt-mode", "chat", "--force");
    expect(stdout).not.toContain("--prompt-mode chat");
    const { stderr } = await run(openaiThinker(), "--allow-generated");
    expect(stderr).toContain(`${ways}or --prompt-mode chat. --force runs all the same`);
    expect((await check(openaiThinker(), "--allow-generated", "--prompt-mode", "chat")).code).toBe(0);
  });

  it("does not try a shorter list of numbers that were refused", async () => {
    const { stdout } = await check(DISHONEST["probabilities that sum to 1.4"], "--json");
    const { ways } = JSON.parse(stdout) as { ways: Way[] };
    expect(noteOf(ways, "logprobs 5")).toBe("not_tried: a longer list of the same numbers was refused");
  });
});

describe("--force (stub)", () => {
  it("asks a refused server, and the summary and run.json say so", async () => {
    const { code, stdout, stderr, out } = await run(DISHONEST["same numbers for every prompt"], "--force");
    expect(code).toBe(0);
    expect(stderr).toMatch(/FORCED: the check refused this server/);
    expect(stdout).toMatch(/FORCED: the check refused this server/);
    expect(recordedCheck(out)).toMatchObject({ forced: true, chosen: "logprobs 20" });
    expect(readTable(out, "answers.csv")).toHaveLength(12);
  });

  it("never takes a number above 0 for a log probability: such answers fail", async () => {
    const { code, out } = await run(DISHONEST["log probabilities above 0"], "--force");
    expect(code).toBe(4);
    const rows = readTable(out, "answers.csv");
    expect(valuesOf(rows, "failure")).toEqual(["bad_response"]);
    for (const column of LOGPROBS) expect(valuesOf(rows, column)).toEqual([""]);
  });

  it("does not mark an honest server", async () => {
    const { code, stdout, out } = await run(openai(), "--force");
    expect(code).toBe(0);
    expect(stdout).not.toContain("FORCED");
    expect(recordedCheck(out).forced).toBe(false);
  });
});

describe("a server that turns bad after its check (stub)", () => {
  it("leaves failed answers, and no number that is none", async () => {
    const { code, out } = await run(turnsBad("a log probability above 0", 14));
    expect(code).toBe(4);
    const rows = readTable(out, "answers.csv");
    const failed = rows.filter(({ status }) => status === "failed");
    expect(failed.length).toBeGreaterThan(0);
    expect(failed.length).toBeLessThan(rows.length);
    expect(valuesOf(failed, "failure")).toEqual(["bad_response"]);
    for (const column of LOGPROBS) expect(valuesOf(failed, column)).toEqual([""]);
    for (const row of rows) expect(Number(row["symbol_mass"])).toBeLessThanOrEqual(1);
  });

  it("is given up, and the run ends: what is left is not recorded as failed", async () => {
    const honest = openai();
    let asked = 0;
    const page = { status: 200, body: "<html>log in</html>" };
    const { code, stderr, out } = await runTask("CTR,CL,SI", (request) => (++asked > 60 ? page : honest(request)));
    expect(stderr).toMatch(
      /Gave up after \d+ answers in a row failed alike: .*20 times in a row: HTTP 200, but not JSON/,
    );
    expect(code).toBe(4);
    // 2 questions of 6 orders, and 2 of 24 for each of 4 forms
    const whole = 2 * 6 + 4 * 2 * 24;
    expect(readTable(out, "answers.csv").length).toBeLessThan(whole);
  });
});

describe("a server without log probabilities (stub of Ollama)", () => {
  it.each(["completion", "chat"])("is refused, and told of --allow-generated: %s", async (mode) => {
    const { code, stderr, out } = await run(ollama(), "--prompt-mode", mode);
    expect(stderr).toContain("--allow-generated");
    expect(code).toBe(3);
    expect(existsSync(out)).toBe(false);
  });

  it.each(["completion", "chat"])("answers by the letter it writes, without numbers: %s", async (mode) => {
    const { code, out } = await runTask("CL", ollama(), "--allow-generated", "--prompt-mode", mode);
    expect(code).toBe(0);
    const rows = readTable(out, "answers.csv");
    expect(valuesOf(rows, "status")).toEqual(["chosen"]);
    expect(valuesOf(rows, "extraction")).toEqual(["generated"]);
    for (const column of LOGPROBS) expect(valuesOf(rows, column)).toEqual([""]);
    expect(valuesOf(readTable(out, "questions.csv"), "min_margin")).toEqual([""]);
    expect(recordedCheck(out)).toMatchObject({ chosen: "generated letter", forced: false });
  });

  it("fails an answer that is no option's letter, such as D of three, or the beginning of a thought", async () => {
    const { code, out } = await run(ollama(), "--allow-generated");
    const rows = readTable(out, "answers.csv");
    const failed = rows.filter(({ status }) => status === "failed");
    expect(valuesOf(rows, "status")).toEqual(["chosen", "failed"]);
    expect(valuesOf(failed, "failure")).toEqual(["bad_response", "thought_too_long"]);
    expect(valuesOf(failed, "chosen_symbol")).toEqual([""]);
    expect(code).toBe(4);
  });
});

describe("a server that offends only in the guided way (stub)", () => {
  const CASES: readonly [name: string, handler: StubHandler, way: string, note: RegExp][] = [
    [
      "reports what a mask left",
      DISHONEST["reports what a mask left"],
      "structured_outputs",
      /^refused: reports probabilities after the mask .*their true mass is lost$/,
    ],
    [
      "ignores structured_outputs",
      DISHONEST["ignores restrictions only"],
      "structured_outputs",
      /^refused: answered "token_id:\d+" where only A, B, C, D were allowed: it ignores the restriction$/,
    ],
    ["is vLLM 0.6 with guided_choice", oldVllm("masked"), "guided_choice", /^refused: reports probabilities after/],
  ];

  it.each(CASES)(
    "is asked for its top tokens in place of that, and run.json says why: %s",
    async (_, handler, way, note) => {
      const { code, out } = await run(handler);
      expect(code).toBe(0);
      const { ways, chosen, forced } = recordedCheck(out);
      expect(noteOf(ways, way)).toMatch(note);
      expect({ chosen, forced }).toEqual({ chosen: "logprobs 20", forced: false });
      const rows = readTable(out, "answers.csv");
      expect(valuesOf(rows, "extraction")).toEqual(["top_logprobs"]);
      // What a mask leaves sums to 1 over the three letters of the question.
      expect(Math.max(...rows.map((row) => Number(row["symbol_mass"])))).toBeLessThan(0.999);
    },
  );
});

describe("a server that ignores echo (stub)", () => {
  it("is refused for whole texts, while its answers are taken", async () => {
    const { code, stdout } = await check(DISHONEST["ignores echo"]);
    expect(stdout).toMatch(/echo .*sequence .*REFUSED/);
    expect(stdout).toContain("Answers are taken by: logprobs 20.");
    expect(code).toBe(0);
  });

  it("is refused altogether where whole texts are required, with the reason", async () => {
    const { code, stderr, out } = await run(DISHONEST["ignores echo"], "--model-arg", "sequence=required");
    expect(stderr).toMatch(/whole text's tokens.*echo: .*it ignores echo/s);
    expect(code).toBe(3);
    expect(existsSync(out)).toBe(false);
  });

  it("is not offered whole texts where it says that it does not do that (stub of OpenAI)", async () => {
    const { code, stdout } = await check(openai(), "--json");
    const { ways } = JSON.parse(stdout) as { ways: Way[] };
    expect(noteOf(ways, "echo")).toMatch(/^not_offered: HTTP 400: .*'echo' and 'logprobs'/);
    expect(code).toBe(0);
  });
});

describe("letters that are not reported (stub)", () => {
  it("are unknown, not -9999", async () => {
    const { code, out } = await run(DISHONEST["-9999 for letters it does not report"]);
    expect(code).toBe(0);
    const rows = readTable(out, "answers.csv");
    const cells = rows.flatMap((row) => LOGPROBS.slice(0, 3).map((name) => row[name]!));
    expect(cells).toContain("");
    expect(Math.min(...cells.filter((cell) => cell !== "").map(Number))).toBeGreaterThan(-100);
  });

  it("leave the answer undecided where one of them could be the best, by the bound of the list (stub of OpenAI)", async () => {
    const { code, out } = await runTask("CTR,CL", openai());
    expect(code).toBe(0);
    const rows = readTable(out, "answers.csv");
    expect(valuesOf(rows, "status")).toEqual(["chosen", "undecided"]);
    const undecided = rows.filter(({ status }) => status === "undecided");
    expect(valuesOf(undecided, "failure")).toEqual(["unknown_symbol"]);
    expect(valuesOf(undecided, "chosen_symbol")).toEqual([""]);
    // A margin needs all letters: of five tokens, some are often missing.
    const partly = rows.filter((row) => row["logprob_a"] === "" || row["logprob_b"] === "" || row["logprob_c"] === "");
    expect(partly.length).toBeGreaterThan(0);
    expect(valuesOf(partly, "margin")).toEqual([""]);
  });
});
