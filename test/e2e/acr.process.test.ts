import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { groupBy } from "../../src/base/grouping.js";
import { type CliOptions, type CliResult, runProbe } from "../fixtures/cli.js";
import { recordCount } from "../fixtures/journal-file.js";
import { recordWith } from "../fixtures/official-record.js";
import { MINI } from "../fixtures/reference.js";
import { type StubServer, startStub } from "../fixtures/stub-server.js";
import { vllm } from "../fixtures/stub-servers/vllm.js";
import { comparableTable, readTable, summaryValue } from "../fixtures/tables.js";
import { temporaryFolder } from "../fixtures/temporary-folder.js";

const folder = temporaryFolder();
let runs = 0;

interface AcrRun extends CliResult {
  readonly out: string;
}

async function run(args: readonly string[], options: CliOptions = {}): Promise<AcrRun> {
  const out = join(folder, `run-${runs++}`);
  const dataset = args.includes("--dataset") ? [] : ["--dataset", MINI];
  return { out, ...(await runProbe(["run", "--task", "ACR", ...dataset, ...args, "--out", out], options)) };
}

const CORRECTED = ["em", "em_trim", "em_no_space", "em_no_comment"];
const PAPER = CORRECTED.map((name) => `paper_${name}`);

const value = (out: string, metric: string) =>
  summaryValue(out, { task: "ACR", difficulty: "", group_by: "overall", metric });
const values = (out: string, metrics: readonly string[]) => metrics.map((metric) => value(out, metric));

interface RecordedRun {
  readonly questions: number;
  readonly planned_answers: number;
  readonly generations: number;
  readonly generation_counts: Readonly<Record<string, unknown>>;
  readonly tokens: Readonly<Record<string, number | null>>;
  readonly cost: number | null;
}
const recorded = (out: string) => JSON.parse(readFileSync(join(out, "run.json"), "utf8")) as RecordedRun;

describe("a model that writes the right revision", () => {
  let oracle: AcrRun;

  beforeAll(async () => {
    oracle = await run(["--model", "scripted:oracle", "--task", "CTR", "--json"]);
  });

  const copyOf = (name: string) => {
    const out = join(folder, name);
    cpSync(oracle.out, out, { recursive: true });
    return { out, journal: join(out, "generations.jsonl") };
  };

  it("matches in all four corrected ways, and in none of the paper's where it does not number its lines", () => {
    const { out, code, stderr } = oracle;
    expect([code, stderr]).toEqual([0, ""]);
    expect(values(out, CORRECTED)).toEqual(["1", "1", "1", "1"]);
    // The script drops two characters of every line: "def lookup" becomes "f lookup". No record of the file is indented.
    expect(values(out, PAPER)).toEqual(["0", "0", "0", "0"]);
    expect(values(out, ["bleu", "edit_similarity"])).toEqual(["1", "1"]);
    expect(values(out, ["truncated_rate", "empty_rate", "failure_rate"])).toEqual(["0", "0", "0"]);
    expect(summaryValue(out, { task: "CTR", group_by: "overall", metric: "invariant_accuracy" })).toBe("1");
    expect(recorded(out)).toMatchObject({
      questions: 6,
      planned_answers: 36,
      generations: 6,
      generation_counts: { complete: 6, truncated: 0, empty: 0, failed: 0, failures: {} },
    });
  });

  it("matches in the paper's ways too where every line is indented: what is dropped is whitespace", async () => {
    const dataset = join(folder, "indented.jsonl");
    const indented = (code: string) => code.replace(/^(.)/gm, "$1    ");
    const { old, new: revised } = recordWith();
    writeFileSync(dataset, `${JSON.stringify(recordWith({ old: indented(old), new: indented(revised) }))}\n`);
    const { out } = await run(["--model", "scripted:oracle", "--dataset", dataset]);
    expect(values(out, [...CORRECTED, ...PAPER])).toEqual(Array(8).fill("1"));
  });

  it("matches in all eight ways where it numbers its lines as the prompt does", async () => {
    const answers = join(folder, "numbered.jsonl");
    const lines = ["def lookup(table, key):", "    try:", "        return table[key]", "    except KeyError:"];
    const rest = ["        return None", "", "def names(table):", "    return sorted(table)"];
    const completion = [...lines, ...rest].map((line, i) => `${i + 1} ${line}`).join("\n");
    const line = { task: "ACR", example_id: "mini-py", completion: `${completion}\n[/Python]\nI hope this helps!` };
    writeFileSync(answers, `${JSON.stringify(line)}\n`);
    const { out } = await run(["--model", `scripted:${answers}`, "--limit", "1"]);
    expect(values(out, [...CORRECTED, ...PAPER])).toEqual(Array(8).fill("1"));
    // What follows the closing line is not part of it.
    expect(readTable(out, "generations.csv")[0]).toMatchObject({ generation: `${completion}\n`, status: "complete" });
  });

  it("prints its rows and counts with --json", () => {
    const { run: file, summary } = JSON.parse(oracle.stdout) as { run: RecordedRun; summary: { metric: string }[] };
    expect(file.generation_counts).toMatchObject({ complete: 6 });
    expect(summary.map(({ metric }) => metric)).toContain("paper_em_no_comment");
  });

  it("has its journal refused when a generation in it is damaged, naming the line", async () => {
    const { out, journal } = copyOf("damaged");
    const lines = readFileSync(journal, "utf8").split("\n");
    lines[2] = lines[2]!.slice(0, 50);
    writeFileSync(journal, lines.join("\n"));
    const { code, stderr } = await runProbe(["score", out]);
    expect(stderr).toMatch(/generations\.jsonl:3: expected a generation of a run, found a damaged line/);
    expect(code).toBe(2);
  });

  it("is asked again for a generation whose line is torn, with a message", async () => {
    const { out, journal } = copyOf("torn");
    const whole = readFileSync(journal, "utf8");
    writeFileSync(journal, whole.slice(0, -20));
    const { code, stderr } = await runProbe(["run", "--resume", out]);
    expect(stderr).toContain("36 of 36 answers and 5 of 6 generations are there; asking the rest.");
    expect(stderr).toMatch(/Dropped a torn last line of generations\.jsonl/);
    expect(code).toBe(0);
    expect(readFileSync(journal, "utf8")).toBe(whole);
  });
});

describe("a model that writes nothing", () => {
  it("has empty generations, which match nothing, and the screen says that they are of no use", async () => {
    const { out, code, stdout } = await run(["--model", "scripted:always-A", "--limit", "2"]);
    expect(code).toBe(0);
    expect(values(out, [...CORRECTED, ...PAPER])).toEqual(Array(8).fill("0"));
    expect(values(out, ["empty_rate", "bleu", "edit_similarity"])).toEqual(["1", "0", "0"]);
    expect(readTable(out, "generations.csv").map(({ status }) => status)).toEqual(Array(2).fill("empty"));
    expect(stdout).toContain("nothing useful was generated");
  });
});

describe("generations that failed", () => {
  it("count as no match, are counted beside, and end the run with exit code 4", async () => {
    const answers = join(folder, "one.jsonl");
    const lines = ["def lookup(table, key):", "    try:", "        return table[key]", "    except KeyError:"];
    const completion = [...lines, "        return None", "", "def names(table):", "    return sorted(table)"].join(
      "\n",
    );
    writeFileSync(answers, `${JSON.stringify({ task: "ACR", example_id: "mini-py", completion })}\n`);
    const { out, code, stdout } = await run(["--model", `scripted:${answers}`, "--limit", "2"]);
    expect(code).toBe(4);
    expect(stdout).toContain("Failed generations: 1 (refused 1).");
    expect(values(out, ["em", "failure_rate", "edit_similarity"])).toEqual(["0.5", "0.5", "1"]);
    const [, failed] = readTable(out, "generations.csv");
    expect(failed).toMatchObject({ em: "false", bleu: "", edit_similarity: "", status: "failed", failure: "refused" });
    // They are asked for again, and fail again: the journal keeps both.
    expect((await runProbe(["run", "--resume", out])).code).toBe(4);
    expect(recordCount(join(out, "generations.jsonl"))).toBe(3);
    expect(recorded(out).generation_counts).toMatchObject({ complete: 1, failed: 1 });
  });
});

describe("the bundled model", () => {
  const THREE = ["--model", "tiny", "--limit", "3"];
  let first: AcrRun;

  beforeAll(async () => {
    first = await run(THREE);
  });

  it("writes the same twice", async () => {
    const second = await run(THREE);
    expect([first.code, second.code]).toEqual([0, 0]);
    for (const table of ["generations.csv", "summary.csv"]) {
      expect(comparableTable(second.out, table)).toEqual(comparableTable(first.out, table));
    }
  });

  it("seldom stops: what reaches 512 tokens is truncated", () => {
    const rows = readTable(first.out, "generations.csv");
    expect(rows).toHaveLength(3);
    for (const { status, completion_tokens: tokens } of rows) {
      expect(status).toBe(tokens === "512" ? "truncated" : "complete");
    }
    const truncated = rows.filter(({ status }) => status === "truncated").length;
    expect(truncated).toBeGreaterThan(0);
    expect(Number(value(first.out, "truncated_rate"))).toBeCloseTo(truncated / 3, 12);
    expect(first.stdout).toContain(`${3 - truncated} complete, ${truncated} truncated, 0 empty, 0 failed.`);
  });

  it("has its tokens counted", () => {
    const rows = readTable(first.out, "generations.csv");
    const sum = rows.reduce((total, row) => total + Number(row["completion_tokens"]), 0);
    expect(recorded(first.out).tokens["completion"]).toBe(sum);
  });

  it("is scored again to the same bytes from its journal, without a model and without the data", async () => {
    const again = join(folder, "again");
    cpSync(first.out, again, { recursive: true });
    for (const table of ["generations.csv", "summary.csv"]) rmSync(join(again, table));
    expect((await runProbe(["score", again])).code).toBe(0);
    for (const table of ["generations.csv", "summary.csv"]) {
      expect(readFileSync(join(again, table))).toEqual(readFileSync(join(first.out, table)));
    }
  });

  it("is replayed from its journal to the same table, cut off where it was", async () => {
    const { out, code, stderr } = await run([
      "--model",
      `scripted:${join(first.out, "generations.jsonl")}`,
      "--limit",
      "3",
    ]);
    expect([code, stderr]).toEqual([0, ""]);
    const table = (at: string) => comparableTable(at, "generations.csv").map(({ model: _, ...row }) => row);
    expect(table(out)).toEqual(table(first.out));
  });

  it("is previewed: generations, prompt tokens, at most 512 tokens each, and what that costs at most", async () => {
    const cwd = join(folder, "priced");
    cpSync(first.out, cwd, { recursive: true });
    const prices = { as_of: "2026-11-01", currency: "EUR", models: { tiny: { input: 1000, output: 500_000 } } };
    writeFileSync(join(cwd, "probe.config.json"), JSON.stringify({ prices }));
    const { stdout } = await run([...THREE, "--dry-run", "--json"], { cwd });
    const preview = JSON.parse(stdout) as { prompt_tokens: number };
    expect(preview).toMatchObject({
      questions: 3,
      calls: 3,
      prompt_tokens: recorded(first.out).tokens["prompt"],
      max_completion_tokens: 3 * 512,
      cost: { is_upper_bound: true, amount: (preview.prompt_tokens * 1000 + 3 * 512 * 500_000) / 1e6 },
      prompts: [{ task: "ACR", text: expect.stringMatching(/Do not add explanations\.\n\[Python\]\n$/) }],
    });
    const { stdout: screen } = await run([...THREE, "--dry-run"], { cwd });
    expect(screen).toContain("at most 1,536");
    expect(screen).toContain("Cost: at most ");
  });
});

describe("probe run --task ACR", () => {
  it("is not asked for unless named, and then has a table and a journal of its own", async () => {
    const none = join(folder, "none");
    const args = ["run", "--model", "scripted:oracle", "--dataset", MINI, "--limit", "1"];
    expect((await runProbe([...args, "--out", none])).code).toBe(0);
    expect(readdirSync(none)).not.toContain("generations.csv");
    expect(readTable(none, "answers.csv").map(({ task }) => task)).not.toContain("ACR");
    const { out } = await run(["--model", "scripted:oracle", "--limit", "1"]);
    expect(readdirSync(out)).toEqual(expect.arrayContaining(["generations.csv", "generations.jsonl"]));
    const resources = (at: string) => readFileSync(join(at, "datapackage.json"), "utf8");
    expect([resources(none).includes("generations.csv"), resources(out).includes("generations.csv")]).toEqual([
      false,
      true,
    ]);
  });

  it("goes by --language and --early-stop like the others", async () => {
    const { out } = await run(["--model", "scripted:always-A", "--task", "CL", "--language", "go,py", "--early-stop"]);
    expect(readTable(out, "generations.csv").map((row) => row["example_id"])).toEqual(["mini-py", "mini-go"]);
    // CL: 2 examples × 2 difficulties, each until its first miss: at the order drawn first, or after the six that have it at A.
    const answers = readTable(out, "answers.csv");
    expect(answers.filter(({ correct }) => correct === "false")).toHaveLength(4);
    const byQuestion = groupBy(answers, (row) => `${row["example_id"]} ${row["difficulty"]}`);
    expect(byQuestion.size).toBe(4);
    for (const asked of byQuestion.values()) expect([1, 7]).toContain(asked.length);
  });
});

describe("a server", () => {
  let server: StubServer;
  afterEach(() => server.stop());

  it("is asked for completions up to the stop, and for nothing else where only ACR is asked", async () => {
    const asked: Record<string, unknown>[] = [];
    const stub = vllm();
    server = await startStub((request) => {
      if (String(request.body["prompt"]).includes("Please generate a revised version")) asked.push(request.body);
      return stub(request);
    });
    const address = ["--base-url", `${server.url}/v1`];
    const { out, code, stderr } = await run(["--model", "openai:stub", ...address, "--limit", "2"]);
    expect([code, stderr]).toEqual([0, `openai:stub: ${server.url}/v1, no key.\n`]);
    expect(asked.map(({ stop, max_tokens, temperature }) => ({ stop, max_tokens, temperature }))).toEqual([
      { stop: ["[/Python]"], max_tokens: 512, temperature: 0 },
      { stop: ["[/Go]"], max_tokens: 512, temperature: 0 },
    ]);
    expect(readTable(out, "generations.csv")).toHaveLength(2);
    expect(recorded(out).tokens["completion"]).toBeGreaterThan(0);
  });
});
