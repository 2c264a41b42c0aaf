import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { UNTIL_LEAD } from "../../src/report/judgement-words.js";
import { runProbe } from "../fixtures/cli.js";
import { comparableTable, readTable } from "../fixtures/tables.js";
import { temporaryFolder } from "../fixtures/temporary-folder.js";

const folder = temporaryFolder();
const probe = (...args: readonly string[]) => runProbe(args, { cwd: folder });
const ASKED = ["--task", "CL", "--difficulty", "easy", "--limit", "8", "--think", "150", "--orders", "cyclic"];

beforeAll(() => {
  const prices = { currency: "USD", as_of: "2026-11-01", models: { "scripted:thinker": { input: 1, output: 10 } } };
  writeFileSync(join(folder, "probe.config.json"), JSON.stringify({ prices }));
});

const costOf = (run: string) => {
  const rows = readTable(join(folder, run), "answers.csv");
  return { answers: rows.length, cost: rows.reduce((sum, { cost }) => sum + Number(cost), 0) };
};

describe("--max-cost", () => {
  it("is never passed, says what is left, and goes on with more to the tables of a run without a limit", async () => {
    expect((await probe("run", "--model", "scripted:thinker", ...ASKED, "--out", "free", "--quiet")).code).toBe(0);
    const whole = costOf("free");
    expect(whole.answers).toBe(32);
    // A third of what all of it costs.
    const limit = (whole.cost / 3).toFixed(6);
    const first = await probe("run", "--model", "scripted:thinker", ...ASKED, "--max-cost", limit, "--out", "paid");
    expect(first.code).toBe(130);
    expect(first.stderr).toContain("Stopped before --max-cost was passed");
    expect(first.stderr).toContain(`--resume paid --max-cost ${limit}`);
    const part = costOf("paid");
    expect(part.cost).toBeLessThanOrEqual(Number(limit));
    expect(part.answers).toBeGreaterThan(4);
    expect(part.answers).toBeLessThan(32);
    // The same money again buys next to nothing: the limit is of all sessions together.
    const again = await probe("run", "--resume", "paid", "--max-cost", limit, "--quiet");
    expect(again.code).toBe(130);
    expect(costOf("paid").cost).toBeLessThanOrEqual(Number(limit));
    expect((await probe("run", "--resume", "paid", "--max-cost", "1", "--quiet")).code).toBe(0);
    for (const table of ["answers.csv", "questions.csv", "summary.csv"])
      expect(comparableTable(join(folder, "paid"), table)).toEqual(comparableTable(join(folder, "free"), table));
  });

  it("is refused for a model whose price is not known", async () => {
    const { code, stderr } = await probe("run", "--model", "scripted:oracle", "--max-cost", "1", "--out", "none");
    expect(code).toBe(2);
    expect(stderr).toContain("Expected a price for --max-cost, found none for scripted:oracle");
  });

  it("is refused with workers, whose requests nobody counts", async () => {
    const queued = [
      "--model",
      "scripted:thinker",
      "--queue",
      "redis://127.0.0.1:1",
      "--max-cost",
      "1",
      "--out",
      "none",
    ];
    const { code, stderr } = await probe("run", ...queued);
    expect([code, stderr]).toEqual([2, expect.stringContaining("Expected --max-cost or --queue, found both")]);
  });
});

describe("--until decided", () => {
  const UNTIL = ["--task", "CL", "--difficulty", "easy", "--orders", "cyclic", "--until", "decided"];
  const model = "scripted:thinker?right=0.95";

  it("stops a form once its verdict cannot be chance, says what was not asked, and is complete", async () => {
    const { code, stdout } = await probe("run", "--model", model, ...UNTIL, "--out", "decided", "--json");
    expect(code).toBe(0);
    const { status, verdicts } = JSON.parse(stdout);
    expect(status).toBe("complete");
    expect(verdicts).toMatchObject([{ state: "above_floor" }]);
    expect(verdicts[0].p_value).toBeLessThanOrEqual(0.01);
    const asked = readTable(join(folder, "decided"), "questions.csv").length;
    expect(asked).toBeLessThan(60);
    const scored = await probe("score", "decided");
    expect(scored.stdout).toContain(`CL easy: decided after ${asked} of 108 questions; ${108 - asked} were not asked`);
    expect(scored.stdout).not.toContain("Incomplete");
    expect((await probe("report", "decided", "--out", "decided.html")).code).toBe(0);
    const page = readFileSync(join(folder, "decided.html"), "utf8");
    expect(page).toContain(`CL easy: decided after ${asked} of 108 questions; ${108 - asked} were not asked`);
    expect(page).toContain(UNTIL_LEAD);
  });

  it("cut off and resumed asks the same questions and ends with the same tables", async () => {
    await probe("run", "--model", model, ...UNTIL, "--out", "cut", "--quiet");
    const file = join(folder, "cut", "answers.jsonl");
    writeFileSync(file, `${readFileSync(file, "utf8").split("\n").slice(0, 30).join("\n")}\n`);
    expect((await probe("run", "--resume", "cut", "--quiet")).code).toBe(0);
    for (const table of ["answers.csv", "questions.csv", "summary.csv"])
      expect(comparableTable(join(folder, "cut"), table)).toEqual(comparableTable(join(folder, "decided"), table));
  });

  it("is compared with another by the questions that both asked, which is said, and stands on a page beside it", async () => {
    await probe("run", "--model", "scripted:thinker?right=0.7", ...UNTIL, "--out", "other", "--quiet");
    const asked = (run: string) => readTable(join(folder, run), "questions.csv").map(({ example_id }) => example_id);
    const [mine, theirs] = [asked("decided"), new Set(asked("other"))];
    const both = mine.filter((id) => theirs.has(id));
    expect(theirs.size).toBeGreaterThan(mine.length);
    const { stdout } = await probe("compare", "decided", "other");
    expect(stdout.replace(/\s+/g, " ")).toContain(
      `${both.length} questions that both runs asked, of ${mine.length} and ${theirs.size}: asked until decided`,
    );
    const { code, stdout: json } = await probe("compare", "decided", "other", "--json");
    expect([code, JSON.parse(json).comparisons]).toMatchObject([
      0,
      [{ questions: both.length, rows: [{ test: "anytime_bets", invariant_accuracy: { n: both.length } }] }],
    ]);
    expect((await probe("report", "decided", "other", "--out", "both.html")).code).toBe(0);
  });

  it("cannot be split into shares", async () => {
    const { code, stderr } = await probe("run", "--model", model, ...UNTIL, "--shard", "1/2", "--out", "none");
    expect([code, stderr.includes("Expected --until decided without --shard")]).toEqual([2, true]);
  });
});
