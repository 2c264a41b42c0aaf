import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runProbe } from "../fixtures/cli.js";
import { comparableTable, readTable } from "../fixtures/tables.js";
import { temporaryFolder } from "../fixtures/temporary-folder.js";

const folder = temporaryFolder();
const THINKER = "scripted:thinker?order=.3&chance=.2&settles=.5";
const MANNER = ["--think", "150", "--trace-thoughts", "4", "--orders", "cyclic", "--repeats", "3"];
const QUESTIONS = ["--task", "CL,CTR", "--difficulty", "easy", "--limit", "6"];
const probe = (...args: readonly string[]) => runProbe(args, { cwd: folder });
const linesOf = (run: string, file: string) =>
  readFileSync(join(folder, run, file), "utf8")
    .trimEnd()
    .split("\n");

describe("a run of a model that thinks", () => {
  it("asks each order of the design as often as it is told, and records the thoughts before each answer", async () => {
    const { code } = await probe("run", "--model", THINKER, ...QUESTIONS, ...MANNER, "--out", "whole", "--quiet");
    expect(code).toBe(0);
    const answers = readTable(join(folder, "whole"), "answers.csv");
    // Six examples; CL under four orders, CTR under three; three times.
    expect(answers).toHaveLength(6 * (4 + 3) * 3);
    expect(new Set(answers.map(({ repeat }) => repeat))).toEqual(new Set(["0", "1", "2"]));
    // Closed for it at 150, where it wanted more; who wanted 150 closed them.
    const ends = (end: string) => answers.filter(({ thinking_end }) => thinking_end === end);
    expect(new Set(ends("forced").map(({ thinking_tokens }) => thinking_tokens))).toEqual(new Set(["150"]));
    expect(ends("closed").length).toBeGreaterThan(ends("forced").length / 2);
    expect(ends("closed").length + ends("forced").length).toBe(answers.length);
    for (const { thinking_tokens, completion_tokens } of answers)
      expect(Number(completion_tokens)).toBe(Number(thinking_tokens) + 1);
    // A header, and thoughts for each answer; the last point of a trace is the answer.
    const thoughts = linesOf("whole", "thoughts.jsonl")
      .slice(1)
      .map((line) => JSON.parse(line));
    expect(thoughts).toHaveLength(answers.length);
    const said = new Map(
      answers.map((row) => [[row["task"], row["example_id"], row["permutation"], row["repeat"]].join(), row]),
    );
    for (const { task, example_id, permutation, repeat, trace } of thoughts)
      expect(said.get([task, example_id, permutation, repeat].join())?.["chosen_symbol"]).toBe(trace.at(-1).symbol);
    const summary = readTable(join(folder, "whole"), "summary.csv");
    const metrics = summary.filter(({ group_by }) => group_by === "overall").map(({ metric }) => metric);
    expect(metrics).toEqual(expect.arrayContaining(["order_disagreement", "repeat_disagreement", "order_effect"]));
  });

  it("cut off in the middle, ends with the same tables, and what was thought about twice counts once", async () => {
    await probe("run", "--model", THINKER, ...QUESTIONS, ...MANNER, "--out", "cut", "--quiet");
    // As a kill leaves it: thoughts of which the answers are lost, and a torn line.
    const keep = (file: string, count: number) => {
      const lines = linesOf("cut", file);
      writeFileSync(join(folder, "cut", file), `${lines.slice(0, count).join("\n")}\n${lines[count]?.slice(0, 30)}`);
    };
    keep("answers.jsonl", 60);
    keep("thoughts.jsonl", 70);
    const { code } = await probe("run", "--resume", "cut");
    expect(code).toBe(0);
    for (const table of ["answers.csv", "questions.csv", "summary.csv"])
      expect(comparableTable(join(folder, "cut"), table)).toEqual(comparableTable(join(folder, "whole"), table));
    expect(await probe("run", "--resume", "cut", "--orders", "all")).toMatchObject({ code: 2 });
  });

  it("is named with the number of its orders, and not compared with a run under all of them", async () => {
    expect((await probe("score", "whole")).stdout).toContain("CL easy, 4 of 24 orders");
    await probe("run", "--model", "scripted:oracle", ...QUESTIONS, "--out", "all", "--quiet");
    const { code, stderr } = await probe("compare", "whole", "all");
    expect(code).toBe(2);
    expect(stderr).toContain("probe CL easy: 6 questions under 4 orders each and 6 questions");
    expect((await probe("report", "whole", "all", "--out", "page.html")).code).toBe(0);
  });

  it("is told from one of as many other orders, and not held against it order by order", async () => {
    const ask = (out: string, ...orders: string[]) =>
      probe("run", "--model", "scripted:oracle", "--task", "CL", "--limit", "3", "--orders", ...orders, "--out", out);
    await ask("square", "cyclic");
    await ask("four", "4", "--seed", "1");
    const { stdout } = await probe("compare", "square", "four");
    expect(stdout).toContain('The runs also differ in: orders "cyclic" / 4; seed 0 / 1');
    const { code, stderr } = await probe("audit", "--flips", "--runs", "square", "four");
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining("found --orders cyclic in square and --orders 4 --seed 1"),
    ]);
  });

  it("is compared with the same without thoughts: these are the manner, not the questions", async () => {
    await probe("run", "--model", THINKER, ...QUESTIONS, "--orders", "cyclic", "--out", "without", "--quiet");
    const { code, stdout } = await probe("compare", "without", "whole");
    expect(code).toBe(0);
    expect(stdout).toContain("think");
  });

  it("has its gain beside the same without, beyond chance too, in comparisons and on the page", async () => {
    const manner = ["--orders", "cyclic", "--repeats", "3", "--think", "off"];
    await probe("run", "--model", THINKER, ...QUESTIONS, ...manner, "--out", "off", "--quiet");
    const [{ rows }] = JSON.parse((await probe("compare", "off", "whole", "--json")).stdout).comparisons;
    const effects = ["off", "whole"].map((run) =>
      Number(
        readTable(join(folder, run), "summary.csv").find(
          ({ metric, group_by }) => metric === "order_effect" && group_by === "overall",
        )?.["value"],
      ),
    );
    // The same questions in both runs: means of the pairs are those of the runs.
    expect(rows[0].order_effect.baseline).toBeCloseTo(effects[0]!, 9);
    expect(rows[0].order_effect.candidate).toBeCloseTo(effects[1]!, 9);
    expect((await probe("report", "off", "whole", "without", "--out", "gain.html")).code).toBe(0);
    const page = readFileSync(join(folder, "gain.html"), "utf8");
    expect(page.match(/What thinking buys/g)).toHaveLength(1);
    expect(page).toContain("--think 150 (candidate) against off (baseline)");
    expect(page).toContain("order effect beyond chance");
    expect(page).toContain("Spent on each item");
    expect((await probe("report", "whole", "--out", "alone.html")).code).toBe(0);
    expect(readFileSync(join(folder, "alone.html"), "utf8")).not.toContain("What thinking buys");
  });
});

describe("known effects of a thinker are found again", () => {
  const overall = (run: string, metric: string) => {
    const row = readTable(join(folder, run), "summary.csv").find(
      (each) => each["metric"] === metric && each["group_by"] === "overall",
    );
    return { value: Number(row?.["value"]), low: Number(row?.["ci_low"]), high: Number(row?.["ci_high"]) };
  };
  const ask = (name: string, run: string, ...args: string[]) =>
    probe("run", "--model", name, "--task", "CL", "--difficulty", "easy", ...args, "--out", run, "--quiet");

  it("a place that decides the more the longer it thinks, and none where it does not", async () => {
    await ask("scripted:thinker?right=.5&place=1", "drawn", "--think", "high");
    await ask("scripted:thinker?right=.5&chance=.5", "fair", "--think", "high");
    const [drawn, fair] = [overall("drawn", "thought_bias_correlation"), overall("fair", "thought_bias_correlation")];
    expect(drawn.low).toBeGreaterThan(0);
    expect(fair.low).toBeLessThan(0);
    expect(fair.high).toBeGreaterThan(0);
    expect(overall("drawn", "thought_bias_q4").low).toBeGreaterThan(overall("drawn", "thought_bias_q1").high);
  });

  it("the point at which its answer settles", async () => {
    await ask("scripted:thinker?settles=.6", "settling", "--think", "high", "--trace-thoughts", "10");
    // Settled at .6; by luck 1 of 4 points before it is the same, and the one before that …: .6 − .1 (1/4 + 1/16 + …) = .567.
    // Thoughts of few tokens have fewer points, which settle a little later.
    const { low, high } = overall("settling", "settled_at");
    expect(low).toBeLessThan(0.58);
    expect(high).toBeGreaterThan(0.56);
    expect(overall("settling", "answer_switches").value).toBeGreaterThan(2);
  });
});

describe("options that contradict each other are refused", () => {
  it.each([
    [["--trace-thoughts", "3"], "Expected --think with --trace-thoughts 3, found none"],
    [["--early-stop", "--repeats", "2"], "Expected --repeats without --early-stop, found both"],
  ])("%j", async (args, message) => {
    const { code, stderr } = await probe("run", "--model", "scripted:thinker", ...args, "--out", "none");
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });
});

it("a dry run counts orders and times", async () => {
  const args = ["run", "--model", "scripted:thinker", ...QUESTIONS, "--orders", "2", "--repeats", "5", "--dry-run"];
  const { stdout } = await probe(...args, "--json");
  // Six examples, two forms, two orders, five times.
  expect(JSON.parse(stdout)).toMatchObject({ questions: 12, calls: 120 });
});

it("a dry run knows the most that can be thought", async () => {
  const args = [
    "run",
    "--model",
    "scripted:thinker",
    ...QUESTIONS,
    "--orders",
    "cyclic",
    "--think",
    "150",
    "--dry-run",
  ];
  const { stdout } = await probe(...args, "--json");
  // Six examples under 4 and 3 orders, 150 tokens and the letter each.
  expect(JSON.parse(stdout)).toMatchObject({ calls: 42, max_completion_tokens: 42 * 151 });
});

it("a dry run of a model in this process tells what a few questions thought", async () => {
  const template = "{% for m in messages %}{{ m.content }}{% endfor %}<think>";
  const args = ["run", "--model", "tiny", "--task", "CTR", "--limit", "2", "--think", "12", "--orders", "2"];
  const { stdout } = await probe(...args, "--dry-run", "--model-arg", `chatTemplate=${template}`);
  // The bundled model never closes its thoughts: 12 tokens each, of 4 answers.
  expect(stdout).toContain(
    "Thoughts, with all beside the letter: 12 to 12 tokens an answer, 12 on average, by those that were asked; about 48 in all.",
  );
});
