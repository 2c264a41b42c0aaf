import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { type CliResult, runProbe } from "../fixtures/cli.js";
import { jsonl } from "../fixtures/jsonl.js";
import { readTable } from "../fixtures/tables.js";
import { temporaryFolder } from "../fixtures/temporary-folder.js";

const folder = temporaryFolder();
const path = (name: string) => join(folder, name);

interface FlipsJson {
  readonly folder: string | null;
  readonly has_exact_mode: boolean | null;
  readonly comparisons: readonly {
    readonly comparison: string;
    readonly first: { readonly mode: string };
    readonly second: { readonly mode: string };
    readonly also_differ: readonly { readonly name: string }[];
    readonly rows: readonly Record<string, unknown>[];
    readonly changed_answers: readonly Record<string, unknown>[];
  }[];
}

const audit = (...args: string[]): Promise<CliResult> => runProbe(["audit", "--flips", ...args], { cwd: folder });

describe("probe audit --flips with the bundled model", () => {
  const QUESTIONS = ["--model", "tiny", "--task", "CL", "--difficulty", "hard", "--limit", "4"];
  let first: CliResult;

  beforeAll(async () => {
    first = await audit(...QUESTIONS, "--json", "--out", "tiny");
  });

  it("asks fast, fast again and exact, and finds no answer changed", () => {
    expect(first.code).toBe(0);
    const { comparisons, has_exact_mode: hasModes } = JSON.parse(first.stdout) as FlipsJson;
    expect(hasModes).toBe(true);
    expect(comparisons.map((each) => [each.comparison, each.first.mode, each.second.mode])).toEqual([
      ["repeat", "fast", "fast"],
      ["modes", "fast", "exact"],
    ]);
    for (const { rows, changed_answers: changed } of comparisons) {
      // 4 questions under 24 orders.
      expect(rows[0]).toMatchObject({ answers: 96, answers_changed: 0, questions: 4, verdicts_changed: 0 });
      expect(rows[0]).toMatchObject({ answers_measured: 96, answers_failed: 0, answers_unmatched: 0 });
      // Shapes of batches and processors change the bundled model's log probabilities by about 1e-6.
      expect(rows[0]!["largest_difference"]).toBeLessThan(1e-4);
      expect(changed).toEqual([]);
    }
  });

  it("really evaluated every prompt from scratch in exact mode", () => {
    const evaluated = (name: string) =>
      (JSON.parse(readFileSync(path(`tiny/${name}/run.json`), "utf8")) as { tokens: { evaluated: number } }).tokens
        .evaluated;
    expect(evaluated("fast-again")).toBe(evaluated("fast"));
    expect(evaluated("exact")).toBeGreaterThan(2 * evaluated("fast"));
  });

  it("goes on with the same command, asking only what is not there", async () => {
    rmSync(path("tiny/fast-again"), { recursive: true });
    const { code, stdout, stderr } = await audit(...QUESTIONS, "--out", "tiny");
    expect(code).toBe(0);
    expect(stderr.match(/nothing is left to ask/g)).toHaveLength(2);
    expect(stderr).toContain("Asking in fast mode again.");
    expect(stdout.match(/No answer of 96 and no verdict of 4 changed\./g)).toHaveLength(2);
    expect(readTable(path("tiny"), "flips.csv")).toEqual([]);
  });

  it("refuses a folder with other files, and other questions in its folder", async () => {
    const taken = await audit(...QUESTIONS, "--out", ".");
    expect([taken.code, taken.stderr]).toEqual([2, expect.stringContaining("to be new, empty or of the same command")]);
    const other = await audit("--model", "tiny", "--task", "CTR", "--limit", "4", "--out", "tiny");
    expect([other.code, other.stderr]).toEqual([2, expect.stringContaining("found a different one")]);
  });
});

it("asks a model that has no exact mode twice, and says so", async () => {
  const { code, stdout } = await audit("--model", "scripted:oracle", "--task", "CTR", "--limit", "2", "--quiet");
  expect(code).toBe(0);
  expect(stdout).toContain("Exact mode was left out: only models in this process (llama) have one.");
  expect(stdout).toContain("How near a tie they were is not known");
  expect(stdout).not.toContain("against exact mode");
  expect(stdout).toMatch(/Results: results\/flips-scripted-oracle-[0-9a-f]{8}\n/);
});

describe("probe audit --flips --runs", () => {
  type Scores = readonly [number, number, number];
  /** The first two examples of the starter set under the six orders, right by 1.5 nats, but for what `changes` says. */
  const script = (name: string, changes: Readonly<Record<string, Scores>>): string => {
    const lines = ["c-tile-short-read", "c-gateway-key-dump"].flatMap((id) =>
      ["012", "021", "102", "120", "201", "210"].map((permutation) => {
        const right: Scores = [0, 1, 2].map((i) => (permutation[i] === "0" ? -0.5 : -2)) as unknown as Scores;
        const [A, B, C] = changes[`${id} ${permutation}`] ?? right;
        return { task: "CTR", example_id: id, permutation, logprobs: { A, B, C } };
      }),
    );
    writeFileSync(path(`${name}.jsonl`), jsonl(...lines));
    return `scripted:${path(`${name}.jsonl`)}`;
  };
  const run = async (name: string, changes: Readonly<Record<string, Scores>>) => {
    const args = ["--model", script(name, changes), "--task", "CTR", "--limit", "2", "--out", path(name), "--quiet"];
    expect((await runProbe(["run", ...args])).stderr).toBe("");
  };

  beforeAll(async () => {
    // The second example is wrong under 012 in both runs, so that another flip there changes no verdict.
    const wrong: Scores = [-2, -0.5, -2];
    await run("first", {
      "c-tile-short-read 012": [-1, -1.001, -4],
      "c-gateway-key-dump 012": wrong,
      "c-gateway-key-dump 120": [-0.625, -3, -0.5],
    });
    await run("second", {
      "c-tile-short-read 012": [-1.002, -1.001, -4],
      "c-gateway-key-dump 012": wrong,
      "c-gateway-key-dump 120": [-0.5, -3, -0.625],
    });
  });

  it("counts known flips, and how near a tie they were", async () => {
    const { code, stdout } = await audit("--runs", "first", "second", "--json");
    expect(code).toBe(0);
    const { comparisons, has_exact_mode: hasModes, folder: out } = JSON.parse(stdout) as FlipsJson;
    expect([hasModes, out, comparisons.length]).toEqual([null, null, 1]);
    // Reach: 2 · 0.125 nats; only the two flipped answers are so near a tie.
    expect(comparisons[0]!.rows[0]).toMatchObject({
      answers: 12,
      answers_changed: 2,
      questions: 2,
      verdicts_changed: 1,
      answers_measured: 12,
      largest_difference: 0.125,
      near_ties: 2,
    });
    const [near, far] = comparisons[0]!.changed_answers;
    expect(near).toMatchObject({ example_id: "c-tile-short-read", permutation: "012", verdict_changed: true });
    expect(comparisons[0]!.rows.map(({ task, ablation }) => [task, ablation])).toEqual([
      [null, null],
      ["CTR", "none"],
    ]);
    expect(near).toMatchObject({
      task: "CTR",
      difficulty: null,
      ablation: "none",
      language: "c",
      permutation_index: 0,
    });
    expect(near).toMatchObject({ correct_symbol: "A", first_symbol: "A", second_symbol: "B" });
    expect(near!["first_margin"]).toBeCloseTo(0.001, 12);
    expect(near!["largest_difference"]).toBeCloseTo(0.002, 12);
    expect(far).toMatchObject({ first_symbol: "C", second_symbol: "A", verdict_changed: false, first_margin: 0.125 });
  });

  it("prints and writes them", async () => {
    const { stdout } = await audit("--runs", "first", "second", "--out", "flips");
    expect(stdout).toContain("2 of 12 answers changed (16.67 %), and the verdict of 1 of 2 questions (50.00 %).");
    expect(stdout).toMatch(/│ CTR c-tile-short-read +│ 012 +│ A → B +│ 0\.0010 \/ 0\.0010 │ +0\.0020 │ changed +│/);
    const rows = readTable(path("flips"), "flips.csv");
    expect(rows.map((row) => [row["comparison"], row["permutation"], row["verdict_changed"]])).toEqual([
      ["runs", "012", "true"],
      ["runs", "120", "false"],
    ]);
  });

  it.each([[["--runs", "first"]], [["--runs=first", "--runs=second"]]])("says that %j are not two", async (args) => {
    const { code, stderr } = await audit(...args);
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining("Expected 2 values after --runs, found fewer: with --flips: --runs A B compares"),
    ]);
  });

  it("refuses runs over other questions, and one run twice", async () => {
    const other = await audit("--runs", "first", "tiny/fast");
    expect([other.code, other.stderr]).toEqual([2, expect.stringContaining("Expected runs over the same questions")]);
    const twice = await audit("--runs", "first", "first");
    expect([twice.code, twice.stderr]).toEqual([2, expect.stringContaining("found one folder twice: first")]);
  });
});

it("refuses a task without options, an option without effect, and nothing to do", async () => {
  const acr = await audit("--model", "scripted:oracle", "--task", "ACR");
  expect([acr.code, acr.stderr]).toEqual([
    2,
    expect.stringContaining("found ACR, which has no options to choose from"),
  ]);
  const useless = await audit("--model", "scripted:oracle", "--starts", "random");
  expect([useless.code, useless.stderr]).toEqual([2, expect.stringContaining("Expected no --starts with --flips")]);
  const nothing = await audit();
  expect([nothing.code, nothing.stderr]).toEqual([2, expect.stringContaining("found neither")]);
});
