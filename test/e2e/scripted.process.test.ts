import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runProbe } from "../fixtures/cli.js";
import { readTable, summaryValue } from "../fixtures/tables.js";
import { temporaryFolder } from "../fixtures/temporary-folder.js";

const folder = temporaryFolder();

async function run(model: string, ...more: string[]): Promise<string> {
  const out = join(folder, `${model.replace(/\W/g, "-")}${more.join("")}`);
  const { code, stderr } = await runProbe(["run", "--model", model, "--out", out, "--quiet", ...more]);
  expect(stderr).toBe("");
  expect(code).toBe(0);
  return out;
}

const FORMS = [
  { task: "CTR", difficulty: "", options: 3 },
  { task: "CL", difficulty: "easy", options: 4 },
  { task: "CL", difficulty: "hard", options: 4 },
  { task: "SI", difficulty: "easy", options: 4 },
  { task: "SI", difficulty: "hard", options: 4 },
];

describe("a model that always says A", () => {
  it("gets plurality agreement exactly 1/N, invariant accuracy 0, and is told apart by its position bias", async () => {
    const out = await run("scripted:always-A");
    for (const { task, difficulty, options } of FORMS) {
      const value = (metric: string) => Number(summaryValue(out, { task, difficulty, group_by: "overall", metric }));
      // Each option stands at A in (N−1)! of the N! orders.
      expect(value("plurality_agreement")).toBeCloseTo(1 / options, 12);
      expect(value("mean_accuracy")).toBeCloseTo(1 / options, 12);
      expect(value("invariant_accuracy")).toBe(0);
      expect(value("position_bias")).toBe(1);
      expect(value("mcsb_gate")).toBe(0);
    }
    const agreements = readTable(out, "questions.csv").map((row) => row["plurality_agreement"]);
    expect(new Set(agreements)).toEqual(new Set([String(1 / 3), "0.25"]));
  });
});

describe("a model that knows every answer", () => {
  it("gets 1 and 1, passes the gate, and has no position bias", async () => {
    const out = await run("scripted:oracle");
    for (const { task, difficulty, options } of FORMS) {
      const value = (metric: string) => Number(summaryValue(out, { task, difficulty, group_by: "overall", metric }));
      expect(value("invariant_accuracy")).toBe(1);
      expect(value("plurality_agreement")).toBe(1);
      expect(value("mcsb_gate")).toBe(1);
      expect(value("position_bias")).toBeCloseTo(1 / options, 12);
      expect(value("position_bias_chi_square")).toBe(0);
    }
  });
});

describe("a model that guesses uniformly", () => {
  it("lands inside the null distribution of plurality agreement, and fails the gate", async () => {
    const out = await run("scripted:uniform", "--seed", "5");
    const rows = readTable(out, "summary.csv").filter((row) => row["group_by"] === "overall");
    const find = (form: (typeof FORMS)[number], metric: string) =>
      rows.find(
        (row) => row["task"] === form.task && row["difficulty"] === form.difficulty && row["metric"] === metric,
      );
    for (const form of FORMS) {
      const agreement = Number(find(form, "plurality_agreement")?.["value"]);
      const nothing = find(form, "plurality_agreement_null");
      // Five draws from 95 % intervals: allow each the width again on both sides.
      const [low, high] = [Number(nothing?.["ci_low"]), Number(nothing?.["ci_high"])];
      expect(agreement).toBeGreaterThan(low - (high - low) / 2);
      expect(agreement).toBeLessThan(high + (high - low) / 2);
      expect(find(form, "mcsb_gate")?.["value"]).toBe("0");
    }
  });

  it("guesses otherwise with another seed", async () => {
    const few = ["--limit", "12"];
    const a = await run("scripted:uniform", "--seed", "1", ...few);
    const b = await run("scripted:uniform", "--seed", "2", ...few);
    const choices = (out: string) => readTable(out, "answers.csv").map((row) => row["chosen_symbol"]);
    expect(choices(a)).not.toEqual(choices(b));
  });
});

describe("answers from a file", () => {
  it("replays another run's journal to the same scores", async () => {
    const few = ["--limit", "12"];
    const first = await run("scripted:uniform", "--seed", "3", ...few);
    const replayed = await run(`scripted:${join(first, "answers.jsonl")}`, ...few);
    const scores = (out: string) => readTable(out, "questions.csv").map(({ run_id: _, model: _m, ...row }) => row);
    expect(scores(replayed)).toEqual(scores(first));
  });
});
