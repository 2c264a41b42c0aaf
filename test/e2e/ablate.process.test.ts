import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, it } from "vitest";
import { runProbe, startProbe } from "../fixtures/cli.js";
import { comparableTable, readTable, summaryValue } from "../fixtures/tables.js";
import { temporaryFolder } from "../fixtures/temporary-folder.js";

const folder = temporaryFolder();
const TABLES = ["answers.csv", "questions.csv", "summary.csv"];
const CL_HARD = ["--task", "CL", "--difficulty", "hard"];
const EIGHT = [...CL_HARD, "--limit", "8"];

const run = (...args: string[]) => runProbe(["run", ...args], { cwd: folder });
const gain = (out: string, metric: string) =>
  summaryValue(join(folder, out), { task: "CL", difficulty: "hard", metric });
const journalOf = (out: string) =>
  readFileSync(join(folder, out, "answers.jsonl"), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
const linesOf = (path: string) => (existsSync(path) ? readFileSync(path, "utf8").split("\n").length - 1 : 0);

beforeAll(async () => {
  const { code } = await run("--model", "scripted:oracle", "--ablate", "review,code,both", ...EIGHT, "--out", "oracle");
  expect(code).toBe(0);
});

describe("probe run --ablate", () => {
  it("asks each question once more without the review, the code and both, and keeps them apart", () => {
    // 8 questions as they are and 8 of each ablation, each in 4! = 24 orders.
    const answers = readTable(join(folder, "oracle"), "answers.csv");
    expect(answers).toHaveLength(4 * 8 * 24);
    for (const ablation of ["none", "review", "code", "both"]) {
      expect(answers.filter((row) => row["ablation"] === ablation)).toHaveLength(8 * 24);
    }
    const header = Object.keys(answers[0]!);
    expect(header.indexOf("ablation")).toBe(header.indexOf("difficulty") + 1);
    expect(new Set(answers.map(({ prompt_sha256: prompt }) => prompt)).size).toBe(4 * 8 * 24);
  });

  it("keeps what rules make of each question once", () => {
    const lines = readFileSync(join(folder, "oracle", "floors.jsonl"), "utf8")
      .trim()
      .split("\n");
    // A header, and 8 questions.
    expect(lines).toHaveLength(9);
    const floor = (ablation: string) =>
      summaryValue(join(folder, "oracle"), { task: "CL", ablation, metric: "floor_no_read" });
    expect(floor("none")).not.toBe("");
    expect(floor("review")).toBe(floor("none"));
  });

  it("gives controls no verdict, and says in the whole form's that the review was not needed", async () => {
    const args = [...CL_HARD, "--limit", "20", "--ablate", "review,both", "--out", "unneeded", "--json"];
    const { stdout } = await run("--model", "scripted:oracle", ...args);
    const { verdicts } = JSON.parse(stdout) as { verdicts: { text: string }[] };
    expect(verdicts).toHaveLength(1);
    expect(verdicts[0]).toMatchObject({ task: "CL", ablation: "none", state: "matches_words", score: 1, clusters: 20 });
    expect(verdicts[0]?.text).toMatch(/^the review was not needed: mean accuracy 100\.0 % is above every rule/);
  });

  it("says in words that the review decides no question of a model that is right without it", async () => {
    expect(gain("oracle", "review_gain")).toBe("0");
    expect(gain("oracle", "review_gain_p_value")).toBe("1");
    expect(gain("oracle", "both_gain")).toBe("0");
    const page = join(folder, "page.md");
    writeFileSync(page, "");
    const { stdout } = await runProbe(
      ["run", "--model", "scripted:oracle", "--ablate", "review", ...EIGHT, "--out", "again", "--github-summary"],
      { cwd: folder, env: { GITHUB_STEP_SUMMARY: page } },
    );
    const sentence = "the review decides none of these questions (gain 0.0 pp, 95 % −32.4 to +32.4, p = 1)";
    expect(stdout).toContain(`CL hard: ${sentence}`);
    expect(readFileSync(page, "utf8")).toContain("the review decides none of these questions");
    expect((await runProbe(["report", "again", "--out", "page.html"], { cwd: folder })).code).toBe(0);
    expect(readFileSync(join(folder, "page.html"), "utf8")).toContain(sentence);
  });

  it("gives a gain of 1, with its exact p, to a model that is right only with the review", async () => {
    const lines = journalOf("oracle").flatMap((record) => {
      if (record.kind !== "answer" || ["code", "both"].includes(record.ablation)) return [];
      const wrong = "ABCD"[record.permutation.indexOf("1")];
      return [
        JSON.stringify(record.ablation === "review" ? { ...record, chosen_symbol: wrong, logprobs: {} } : record),
      ];
    });
    writeFileSync(join(folder, "reader.jsonl"), `${lines.join("\n")}\n`);
    const { code, stdout } = await run(
      "--model",
      "scripted:reader.jsonl",
      "--ablate",
      "review",
      ...EIGHT,
      "--out",
      "reader",
    );
    expect(code).toBe(0);
    expect(gain("reader", "review_gain")).toBe("1");
    // 8 questions are right only with it, 0 only without: p = 2 · P(X <= 0) = 2 · (1/2)^8 = 1/128 = 0.0078125.
    expect(gain("reader", "review_gain_p_value")).toBe("0.0078125");
    expect(stdout).toContain("CL hard: the review helps (gain +100.0 pp, 95 % +35.1 to +100.0, p = 0.0078)");
    expect(stdout).toContain("CL hard −review");
  });

  it("lets a journal without the field answer only questions of which nothing is withheld", async () => {
    const lines = journalOf("oracle").filter(({ kind, ablation }) => kind === "answer" && ablation === undefined);
    expect(lines).toHaveLength(8 * 24);
    writeFileSync(join(folder, "whole.jsonl"), `${lines.map((line) => JSON.stringify(line)).join("\n")}\n`);
    const { code, stdout } = await run(
      "--model",
      "scripted:whole.jsonl",
      "--ablate",
      "code",
      ...EIGHT,
      "--out",
      "whole",
    );
    // Those that it does not answer fail: a gain of 1 that is owed to that alone is not left unsaid.
    expect(code).toBe(4);
    expect(stdout).toContain("8 of 8 questions count as not right only because orders failed or were undecided");
  });

  // Journals of forms of their own go on as those of the others, which `resume.slow` kills.
  it.runIf(process.env["PROBE_SLOW_TESTS"] === "1")(
    "killed and resumed, ends with the tables of an uninterrupted run",
    async () => {
      const args = ["--model", "tiny", "--ablate", "review", ...CL_HARD, "--limit", "2", "--quiet"];
      expect((await run(...args, "--out", "straight")).code).toBe(0);
      const journal = join(folder, "killed", "answers.jsonl");
      // 2 questions, twice, in 24 orders: killed among the first and among the ablated ones.
      for (const target of [10, 60]) {
        const { child, result } = startProbe(["run", ...args, "--out", "killed"], { cwd: folder });
        while (linesOf(journal) < target && child.exitCode === null) await sleep(2);
        child.kill("SIGKILL");
        expect((await result).signal).toBe("SIGKILL");
      }
      expect((await run("--resume", "killed", "--quiet")).code).toBe(0);
      for (const table of TABLES) {
        expect(comparableTable(join(folder, "killed"), table)).toEqual(
          comparableTable(join(folder, "straight"), table),
        );
      }
      // A header, and every answer once.
      expect(linesOf(journal)).toBe(1 + 2 * 2 * 24);
    },
  );

  it("is counted and priced by --dry-run", async () => {
    const prices = {
      as_of: "2025-06-01",
      currency: "USD",
      models: { "scripted:oracle": { input: 0, output: 1_000_000 } },
    };
    writeFileSync(join(folder, "probe.config.json"), JSON.stringify({ prices }));
    const dry = async (...more: string[]) => {
      const { stdout } = await run("--model", "scripted:oracle", ...EIGHT, "--dry-run", "--json", ...more);
      return JSON.parse(stdout) as { calls: number; questions: number; cost: { amount: number }; forms: object[] };
    };
    const [plain, ablated] = [await dry(), await dry("--ablate", "review")];
    expect(plain).toMatchObject({ questions: 8, calls: 8 * 24, forms: [{ task: "CL", questions: 8 }] });
    expect(ablated).toMatchObject({ questions: 16, calls: 16 * 24 });
    expect(ablated.forms).toMatchObject([
      { difficulty: "hard" },
      { difficulty: "hard", ablation: "review", calls: 192 },
    ]);
    // One token an answer, at 1 a token.
    expect([plain.cost.amount, ablated.cost.amount]).toEqual([192, 384]);
  });

  it("leaves no trace in a run without it, and reads a folder that was made before there was any", async () => {
    expect((await run("--model", "scripted:oracle", ...EIGHT, "--out", "plain")).code).toBe(0);
    const read = (file: string) => readFileSync(join(folder, "plain", file), "utf8");
    expect(read("answers.jsonl")).not.toContain("ablation");
    expect(read("run.json")).not.toMatch(/"ablat/);
    const before = Object.fromEntries(TABLES.map((table) => [table, read(table)]));
    for (const table of TABLES) {
      // As then: without the column.
      const rows = readTable(join(folder, "plain"), table).map(({ ablation: _, ...row }) =>
        Object.values(row).join(","),
      );
      writeFileSync(join(folder, "plain", table), rows.join("\n"));
    }
    expect((await runProbe(["score", "plain"], { cwd: folder })).code).toBe(0);
    for (const table of TABLES) expect(read(table)).toBe(before[table]);
    expect(new Set(readTable(join(folder, "plain"), "answers.csv").map(({ ablation }) => ablation))).toEqual(
      new Set(["none"]),
    );
  });

  it("refuses what it cannot withhold, before anything is asked", async () => {
    const word = await run("--model", "scripted:oracle", "--ablate", "revew", "--out", "refused");
    expect(word).toMatchObject({ code: 2, stderr: expect.stringContaining('--ablate, found "revew"') });
    const written = await run("--model", "scripted:oracle", "--task", "ACR", "--ablate", "review", "--out", "refused");
    expect(written).toMatchObject({ code: 2, stderr: expect.stringContaining("found ACR") });
    expect(existsSync(join(folder, "refused"))).toBe(false);
  });
});

describe("probe compare", () => {
  it("pairs ablated forms by name and leaves them out of what is pooled", async () => {
    const { code, stdout } = await runProbe(["compare", "again", "reader", "--json"], { cwd: folder });
    expect(code).toBe(0);
    // One form is left that could be pooled: there is no row of all probes.
    expect(stdout).not.toContain('"task": null');
    expect(stdout).toMatch(/"ablation": "review"/);
    const other = await runProbe(["compare", "again", "oracle"], { cwd: folder });
    expect(other.code).toBe(2);
    expect(other.stderr).toContain("CL hard −code");
  });
});
