import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { CHOICE_SENTENCES } from "../../src/report/judgement-words.js";
import { judgementText } from "../../src/verdict/judgement.js";
import { type CliOptions, runProbe } from "../fixtures/cli.js";
import { MINI } from "../fixtures/reference.js";
import { readTable, summaryValue, type TableRow } from "../fixtures/tables.js";
import { temporaryFolder } from "../fixtures/temporary-folder.js";

const folder = temporaryFolder();
let runs = 0;

/** A run by the oracle, or another model, and its rows. */
async function run(
  args: readonly string[],
  options: CliOptions = {},
): Promise<{ out: string; answers: TableRow[]; stdout: string }> {
  const out = join(folder, `run-${runs++}`);
  const model = args.includes("--model") ? [] : ["--model", "scripted:oracle"];
  const { code, stdout, stderr } = await runProbe(["run", ...model, ...args, "--out", out], options);
  expect(stderr).toBe("");
  expect(code).toBe(0);
  return { out, answers: readTable(out, "answers.csv"), stdout };
}

const distinct = (rows: readonly TableRow[], ...columns: string[]) =>
  [
    ...new Set(
      rows.map((row) =>
        columns
          .map((column) => row[column])
          .join(" ")
          .trim(),
      ),
    ),
  ].sort();

describe("probe run", () => {
  it("asks all probes in both difficulties unless told otherwise", async () => {
    const { answers } = await run(["--dataset", MINI]);
    expect(distinct(answers, "task", "difficulty")).toEqual(["CL easy", "CL hard", "CTR", "SI easy", "SI hard"]);
    // 6 examples: CTR 6 × 6, CL 2 × 6 × 24, SI (not the deletion) 2 × 5 × 24.
    expect(answers).toHaveLength(36 + 288 + 240);
  });

  it("--task takes a comma list, is repeated, and knows lower case", async () => {
    const list = await run(["--dataset", MINI, "--task", "ctr,SI"]);
    const repeated = await run(["--dataset", MINI, "--task", "CTR", "--task", "si"]);
    expect(distinct(list.answers, "task")).toEqual(["CTR", "SI"]);
    expect(distinct(repeated.answers, "task")).toEqual(["CTR", "SI"]);
  });

  it("--difficulty easy, hard, both", async () => {
    const forms = async (difficulty: string) =>
      distinct((await run(["--dataset", MINI, "--task", "CL", "--difficulty", difficulty])).answers, "difficulty");
    expect(await forms("easy")).toEqual(["easy"]);
    expect(await forms("hard")).toEqual(["hard"]);
    expect(await forms("both")).toEqual(["easy", "hard"]);
  });

  it("--language by name and alias", async () => {
    const { answers } = await run(["--task", "CTR", "--language", "py,C#", "--language", "ruby"]);
    expect(distinct(answers, "language")).toEqual(["csharp", "python", "ruby"]);
    expect(distinct(answers, "example_id")).toHaveLength(36);
  });

  it("--limit keeps the first examples", async () => {
    const { answers } = await run(["--dataset", MINI, "--task", "CTR", "--limit", "2"]);
    expect(distinct(answers, "example_id")).toEqual(["mini-go", "mini-py"]);
  });

  it("--sample draws by --seed: the same seed the same examples, another others", async () => {
    const ids = async (seed: string) =>
      distinct((await run(["--task", "CTR", "--sample", "9", "--seed", seed])).answers, "example_id");
    const first = await ids("1");
    expect(first).toHaveLength(9);
    expect(await ids("1")).toEqual(first);
    expect(await ids("2")).not.toEqual(first);
  });

  it("--early-stop ends a question at its first wrong order, and leaves agreement absent", async () => {
    const { out, answers } = await run([
      "--model",
      "scripted:always-A",
      "--task",
      "CL",
      "--dataset",
      MINI,
      "--early-stop",
    ]);
    // Option 0 stands at A in 6 of 24 orders. The first order is drawn: where it is one of these, the other five and one
    // more are asked, else none. So mean accuracy is the share of questions with seven answers.
    const counts = answers.reduce(
      (found, { difficulty, example_id: id }) =>
        found.set(`${difficulty} ${id}`, (found.get(`${difficulty} ${id}`) ?? 0) + 1),
      new Map<string, number>(),
    );
    expect(counts.size).toBe(12);
    expect(new Set(counts.values())).toEqual(new Set([1, 7]));
    const right = [...counts].filter(([name, count]) => name.startsWith("hard") && count === 7).length;
    const row = { task: "CL", difficulty: "hard", group_by: "overall" };
    expect(summaryValue(out, { ...row, metric: "invariant_accuracy" })).toBe("0");
    expect(summaryValue(out, { ...row, metric: "plurality_agreement" })).toBe("");
    expect(Number(summaryValue(out, { ...row, metric: "mean_accuracy" }))).toBeCloseTo(right / 6, 12);
  });

  it("--mode exact uses no cache, fast does", async () => {
    const cached = async (mode: string) => {
      const { answers } = await run([
        "--model",
        "tiny",
        "--dataset",
        MINI,
        "--limit",
        "1",
        "--task",
        "CTR",
        "--mode",
        mode,
      ]);
      return answers.map((row) => Number(row["cached_tokens"]));
    };
    expect(Math.max(...(await cached("exact")))).toBe(0);
    expect(Math.max(...(await cached("fast")))).toBeGreaterThan(0);
  });

  it("--prompt-mode chat puts the prompt in the model's template", async () => {
    const tokens = async (...more: string[]) => {
      const { answers } = await run(["--model", "tiny", "--dataset", MINI, "--limit", "1", "--task", "CTR", ...more]);
      return Number(answers[0]?.["prompt_tokens"]);
    };
    const template = "{% for m in messages %}a rather long label {{ m.content }}{% endfor %}";
    const chat = await tokens("--prompt-mode", "chat", "--model-arg", `chatTemplate=${template}`);
    expect(chat).toBeGreaterThan(await tokens());
  });

  it("--model-arg sets a setting of the model", async () => {
    const { out } = await run([
      "--model",
      "tiny",
      "--dataset",
      MINI,
      "--limit",
      "1",
      "--task",
      "CTR",
      "--model-arg",
      "kvCache=F16",
    ]);
    expect(JSON.parse(readFileSync(join(out, "run.json"), "utf8"))).toMatchObject({
      model: { identity: { kv_cache: "F16" } },
    });
  });

  it("--out is the run's own folder, with every file", async () => {
    const { out } = await run(["--dataset", MINI, "--task", "CTR"]);
    expect(readdirSync(out).sort()).toEqual(
      [
        "answers.csv",
        "answers.jsonl",
        "datapackage.json",
        "floors.jsonl",
        "questions.csv",
        "run.json",
        "summary.csv",
      ].sort(),
    );
  });

  it("without --out makes a folder under results/, and another for another run", async () => {
    const cwd = join(folder, "work");
    mkdirSync(cwd);
    const args = ["run", "--model", "scripted:oracle", "--dataset", MINI, "--task", "CTR"];
    expect((await runProbe(args, { cwd })).code).toBe(0);
    expect((await runProbe([...args, "--seed", "1"], { cwd })).code).toBe(0);
    expect(readdirSync(join(cwd, "results"))).toHaveLength(2);
  });

  it("--json prints one document", async () => {
    const { stdout } = await run(["--dataset", MINI, "--task", "CTR", "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({ status: "complete", run: { questions: 6, planned_answers: 36 } });
    const { verdicts } = JSON.parse(stdout) as { verdicts: object[] };
    const sentence = CHOICE_SENTENCES.tooFew(6, null);
    // 4 of the 6 are modifications: with all right, p = 2^-2 at best. So few questions tell nothing, and no p is given.
    expect(verdicts).toEqual([
      {
        task: "CTR",
        difficulty: null,
        ablation: "none",
        state: "unknown",
        score: 1,
        mean_accuracy: 1,
        floor: 4 / 6,
        floor_rule: "majority",
        words_floor: expect.any(Number),
        words_floor_rule: "keywords",
        p_value: null,
        against: null,
        clusters: 6,
        text: judgementText({ sentence }),
      },
    ]);
  });

  it("--dry-run counts calls and tokens, shows one prompt a task, and asks and writes nothing", async () => {
    const out = join(folder, "dry");
    const few = ["--limit", "2", "--difficulty", "easy"];
    const asked = ["--model", "tiny", "--dataset", MINI, "--task", "CTR,SI", ...few];
    const args = ["run", ...asked, "--out", out, "--dry-run"];
    const { code, stdout } = await runProbe(args);
    expect(code).toBe(0);
    expect(stdout).toContain("first prompt of CTR");
    expect(stdout).toContain("what type of change is the code review asking for?");
    const preview = JSON.parse((await runProbe([...args, "--json"])).stdout) as {
      calls: number;
      prompt_tokens: number;
    };
    // CTR 2 × 6; SI 2 examples × 24.
    expect(preview.calls).toBe(12 + 48);
    expect(readdirSync(folder)).not.toContain("dry");
    const { out: real } = await run(asked);
    const total = readTable(real, "answers.csv").reduce((sum, row) => sum + Number(row["prompt_tokens"]), 0);
    expect(preview.prompt_tokens).toBe(total);
  });

  it("--quiet leaves out messages", async () => {
    const out = join(folder, "quiet");
    const args = ["run", "--model", "scripted:oracle", "--dataset", MINI, "--task", "CTR", "--out", out];
    await runProbe(args);
    expect((await runProbe(args)).stderr).toContain("Resuming");
    expect((await runProbe([...args, "--quiet"])).stderr).toBe("");
  });

  it("ends with exit code 4 when answers failed, and keeps the others", async () => {
    const answers = join(folder, "some.jsonl");
    const line = { task: "CTR", example_id: "mini-py", permutation: "012", chosen_symbol: "A" };
    writeFileSync(answers, `${JSON.stringify(line)}\n`);
    const out = join(folder, "failed");
    const { code, stdout } = await runProbe([
      "run",
      "--model",
      `scripted:${answers}`,
      "--dataset",
      MINI,
      "--task",
      "CTR",
      "--out",
      out,
    ]);
    expect(code).toBe(4);
    expect(stdout).toContain("Failed answers: 35 (refused 35)");
    expect(readTable(out, "answers.csv").filter((row) => row["status"] === "chosen")).toHaveLength(1);
    // One question has one right order of six: neither right nor wrong, but lost.
    expect(readTable(out, "questions.csv").map((row) => row["plurality_agreement"])).toEqual(["", "", "", "", "", ""]);
  });

  it("fails prompts over the context by name, and never answers them", async () => {
    const out = join(folder, "overflow");
    const args = [
      "run",
      "--model",
      "tiny",
      "--model-arg",
      "contextSize=256",
      "--dataset",
      MINI,
      "--task",
      "SI",
      "--out",
      out,
    ];
    expect((await runProbe(args)).code).toBe(4);
    const rows = readTable(out, "answers.csv");
    for (const row of rows) {
      const fits = Number(row["prompt_tokens"]) < 256;
      expect([row["status"], row["failure"], row["chosen_symbol"] === ""]).toEqual(
        fits ? ["chosen", "", false] : ["failed", "context_overflow", true],
      );
    }
  });
});

describe("probe.config.json", () => {
  it("adds aliases, and says which takes the place of one of the program's", async () => {
    const cwd = join(folder, "configured");
    mkdirSync(cwd);
    const models = { mine: { model: "scripted:always-B" }, tiny: { model: "scripted:oracle" } };
    writeFileSync(join(cwd, "probe.config.json"), JSON.stringify({ models }));
    const { out } = await run(["--model", "mine", "--dataset", MINI, "--task", "CTR"], { cwd });
    expect(distinct(readTable(out, "answers.csv"), "chosen_symbol")).toEqual(["B"]);
    expect((await runProbe(["models"], { cwd })).stdout).toContain("openai:NAME, huggingface:NAME");
    const { stdout } = await runProbe(["models", "--json"], { cwd });
    const { aliases } = JSON.parse(stdout) as { aliases: { name: string }[] };
    expect(aliases.find(({ name }) => name === "tiny")).toMatchObject({
      model: "scripted:oracle",
      origin: "probe.config.json",
      replaces_shipped: true,
    });
  });

  it("is refused with what is wrong in it", async () => {
    const cwd = join(folder, "misconfigured");
    mkdirSync(cwd);
    writeFileSync(join(cwd, "probe.config.json"), JSON.stringify({ models: { mine: { modle: "x" } } }));
    const { code, stderr } = await runProbe(["models"], { cwd });
    expect(stderr).toMatch(/models.*mine/s);
    expect(code).toBe(2);
  });
});

describe("prices", () => {
  it("make the preview and the run say what it costs", async () => {
    const cwd = join(folder, "priced");
    mkdirSync(cwd);
    const prices = { as_of: "2026-11-01", currency: "EUR", models: { tiny: { input: 1000, output: 500_000 } } };
    writeFileSync(join(cwd, "probe.config.json"), JSON.stringify({ prices }));
    const args = ["--model", "tiny", "--dataset", MINI, "--limit", "1", "--task", "CTR"];
    const { stdout } = await runProbe(["run", ...args, "--dry-run", "--json"], { cwd });
    const preview = JSON.parse(stdout) as { prompt_tokens: number; cost: object };
    // Six prompts of 229 tokens (tiny-symbols.jsonl) at 1,000 a million, and six answers of one token at 500,000.
    const amount = (6 * 229 * 1000 + 6 * 500_000) / 1e6;
    expect(preview.cost).toEqual({
      amount,
      is_estimate: false,
      is_upper_bound: false,
      currency: "EUR",
      prices_as_of: "2026-11-01",
    });
    const { out } = await run(args, { cwd });
    expect(JSON.parse(readFileSync(join(out, "run.json"), "utf8"))).toMatchObject({
      cost: amount,
      tokens: { prompt: 6 * 229 },
    });
  });
});

describe("probe --version", () => {
  it("shows the version of the package, and nothing else", async () => {
    const { version } = JSON.parse(readFileSync(join(import.meta.dirname, "../../package.json"), "utf8")) as {
      version: string;
    };
    const { code, stdout, stderr } = await runProbe(["--version"]);
    expect([code, stdout.split(/[ \n]/)[0], stderr]).toEqual([0, version, ""]);
  });
});
