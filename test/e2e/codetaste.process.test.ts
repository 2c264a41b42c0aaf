import { cpSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { runProbe, startProbe } from "../fixtures/cli.js";
import { readTable } from "../fixtures/tables.js";
import { temporaryFolder } from "../fixtures/temporary-folder.js";

const folder = temporaryFolder();
const ROOT = join(import.meta.dirname, "../..");
const OWN = join(ROOT, "datasets/suites/codetaste");
const TASK = "probe/till/5e77a1e5";
const env = { XDG_CACHE_HOME: join(folder, "cache") };

const probe = (...args: readonly string[]) => runProbe(args, { cwd: folder, env });
const asked = (...rest: readonly string[]) => ["suite", "run", "codetaste", "--rule-engine", "regex", "-q", ...rest];
const run = (...rest: readonly string[]) => probe(...asked(...rest));
const at = (...path: readonly string[]) => join(folder, ...path);
const patches = (kind: string) => ["--patches", join(ROOT, "test/fixtures/suites/codetaste", kind)];
const trials = (name: string) => readTable(at(name), "trials.csv");

/** A table without what another run, or another clock, changes. */
const stable = (name: string, table = "trials.csv") =>
  readTable(at(name), table).map(({ run_id: _, duration_ms: __, grading_ms: ___, ...rest }) => rest);
const pick = (row: Readonly<Record<string, string>>, ...names: readonly string[]) => names.map((name) => row[name]);
const only = "--condition instructed/direct".split(" ");

function jsonl(name: string, lines: readonly object[]): string {
  writeFileSync(at(name), lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  return at(name);
}

/** Writes five plans (one is enough where one is asked for), then does one of the things that are wanted. */
const CALLS = jsonl("calls.jsonl", [
  ...[0, 1, 2, 3, 4].map((number) => ({
    tool: "write_plan",
    phase: "plan",
    arguments: { number, text: `The plan with the number ${number}.` },
  })),
  { tool: "finish", phase: "plan", arguments: { success: true, summary: "planned" } },
  {
    tool: "edit_file",
    phase: "work",
    arguments: { path: "src/discount.js", old: "  var total =", new: "  const total =" },
  },
  { tool: "finish", phase: "work", arguments: { success: true, summary: "done" } },
]);
const judge = (name: string, says: string) => `scripted:${jsonl(name, [{ when: ["# The plans"], says }])}`;

describe("CodeTaste on our own instance", () => {
  it("is valid: its tests stay in the band of the baselines, on its own code and on what people did", async () => {
    const { code, stdout } = await probe("suite", "check", "codetaste", "--json", "-q");
    expect(code).toBe(0);
    expect(JSON.parse(stdout).tasks).toMatchObject([{ task_id: TASK, valid: true }]);
  });

  it("has rules that each tell its old code from the right solution, and one that matches the lines of another", async () => {
    const asked = ["suite", "rules", "check", "codetaste", "--rule-engine", "regex", "--out", at("rules")];
    expect((await probe(...asked)).code).toBe(0);
    const rows = readTable(at("rules"), "rules.csv");
    expect(rows).toHaveLength(14);
    const bad = rows.filter((row) => row["valid"] !== "true");
    // The three lines with a currency are those that end with toFixed.
    expect(bad.map((row) => pick(row, "rule", "likest_rule", "jaccard"))).toEqual([
      ["currency-outside-money", "fixed-outside-money", "1"],
    ]);
    // What is to come is nowhere before, what is to go nowhere behind.
    const other = (row: Readonly<Record<string, string>>) =>
      row["side"] === "additive" ? row["base_matches"] : row["gold_matches"];
    expect(rows.map(other)).toEqual(rows.map(() => "0"));
  });

  it("tells nothing, a part, everything and damage apart, as a person would", async () => {
    expect((await run(...only, "--agent", "scripted:gold", "--controls", "--out", at("ends"))).code).toBe(0);
    for (const kind of ["partial", "destructive"])
      expect((await run(...only, ...patches(kind), "--out", at(kind))).code).toBe(0);
    const [gold, noop] = trials("ends");
    const [partial] = trials("partial");
    const [destructive] = trials("destructive");
    const scores = ["pass", "ifr", "ifr_additive", "ifr_reductive", "alignment", "refactored", "rules_supported"];
    expect(pick(gold!, ...scores)).toEqual(["true", "1", "1", "1", "1", "true", "14"]);
    // No pattern has come, none has gone; a no-op passes, and is worth nothing.
    expect(pick(noop!, ...scores)).toEqual(["true", "0", "0", "0", "0", "false", "14"]);
    // Loops, texts by steps and totals that are added to are gone: 3 of 8 reductive rules, of 14 in all.
    expect(pick(partial!, ...scores)).toEqual([
      "true",
      String(3 / 14),
      "0",
      String(3 / 8),
      String(3 / 14),
      "false",
      "14",
    ]);
    // Everything looks right and the discount is lost.
    expect(pick(destructive!, ...scores)).toEqual(["false", "1", "1", "1", "0", "false", "14"]);
    expect(pick(noop!, "precision", "precision_added", "precision_removed")).toEqual(["", "", ""]);
    expect(pick(noop!, "precision_filtered", "edited_lines", "language")).toEqual(["", "0", "JavaScript"]);
    const lines = (row: Readonly<Record<string, string>>) =>
      pick(row, "edited_lines", "added_lines", "removed_lines").map(Number);
    const [edited = 0, added = 0, removed = 0] = lines(gold!);
    expect(added + removed).toBe(edited);
    // Blank lines and comments of the right solution are not counted, and no rule wants one of them.
    expect(Number(gold!["precision_filtered"])).toBeGreaterThan(Number(gold!["precision"]));
    const stats = await probe("suite", "stats", "codetaste", at("ends/trials.csv"), at("partial/trials.csv"), "--json");
    expect(JSON.parse(stats.stdout).arms.map(({ agent }: { agent: string }) => agent)).toEqual([
      "scripted:gold",
      "scripted:noop",
      "patches",
    ]);
    // Of nine added lines no rule wants one; of the removed ones those that the three rules cover.
    expect(Number(partial!["precision_removed"])).toBeGreaterThan(0);
    expect(partial!["precision_added"]).toBe("0");
    const report = JSON.parse(readFileSync(at("ends/artifacts", TASK, "instructed/direct/0/report.json"), "utf8"));
    expect(report.tests.counts).toEqual({ passed: 10, failed: 0, skipped: 0, total: 10 });
    expect(report.rules).toHaveLength(14);
    expect(report.wanted.added[0]).toEqual({ path: "src/basket.js", line: 2 });
  });

  it("is told how in one condition, and plans before it works in two, each phase anew", async () => {
    const chooses = judge("chooses.jsonl", "It is the closest.\nSELECTED: 3");
    expect((await run("--agent", `scripted:${CALLS}`, "--judge", chooses, "--out", at("four"))).code).toBe(0);
    // In a condition of one plan the other four are refused, and count as calls. Six calls plan, two work.
    expect(trials("four").map((row) => pick(row, "condition", "agent_end", "calls", "ifr", "alignment"))).toEqual([
      ["instructed/direct", "finished", "2", "0", "0"],
      ["open/direct", "finished", "2", "0", "0"],
      ["open/plan", "finished", "8", "0", "0"],
      ["open/multiplan", "finished", "8", "0", "0"],
    ]);
    const said = (condition: string) =>
      readFileSync(at("four/artifacts", TASK, condition, "0/transcript.jsonl"), "utf8");
    expect(said("instructed/direct")).toContain("Money.ofEuros(number)");
    expect(said("open/direct")).not.toContain("Money.ofEuros");
    expect(said("open/plan")).toMatch(/Follow this plan.*The plan with the number 0\./);
    expect(said("open/multiplan")).toMatch(/Follow this plan.*The plan with the number 3\./);
    // Who judges sees what is wanted; who works does not.
    const lines = said("open/multiplan").split("\n");
    expect(
      lines.filter((line) => line.includes("Money.ofEuros")).every((line) => line.includes('"role":"judge"')),
    ).toBe(true);
    expect(JSON.parse(readFileSync(at("four/run.json"), "utf8")).judge.label).toBe(chooses);
  });

  it("ends without a plan where too few are written or none is chosen, and grades the tree as it was", async () => {
    const two = jsonl("two.jsonl", [
      { tool: "write_plan", arguments: { number: 0, text: "One." } },
      { tool: "write_plan", arguments: { number: 1, text: "Two." } },
      { tool: "finish", arguments: { success: true, summary: "" } },
    ]);
    const multi = ["--condition", "open/multiplan"];
    const undecided = judge("undecided.jsonl", "All of them are good.");
    expect((await run(...multi, "--agent", `scripted:${two}`, "--judge", undecided, "--out", at("few"))).code).toBe(0);
    expect((await run(...multi, "--agent", `scripted:${CALLS}`, "--judge", undecided, "--out", at("none"))).code).toBe(
      0,
    );
    for (const name of ["few", "none"])
      expect(pick(trials(name)[0]!, "status", "agent_end", "attempts", "reported_success", "ifr", "pass")).toEqual([
        "graded",
        "no_plan",
        "1",
        "",
        "0",
        "true",
      ]);
    const without = await run(...multi, "--agent", `scripted:${CALLS}`, "--out", at("unjudged"));
    expect([without.code, without.stderr]).toEqual([2, expect.stringContaining("Expected --judge M")]);
  });

  it("has six plans judged in two orders, with controls, and refuses where there are not six", async () => {
    const wanted = readFileSync(join(OWN, "assets/descriptions", TASK, "description.md"), "utf8").trim();
    // Finds what is wanted wherever it stands; of other plans takes the first, whichever that is.
    const finds = [0, 1, 2, 3, 4, 5].map((n) => ({ when: [`## Plan ${n}\n\n${wanted}`], says: `SELECTED: ${n}` }));
    const judge = `scripted:${jsonl("finds.jsonl", [...finds, { when: ["# The plans"], says: "SELECTED: 0" }])}`;
    const six = ["--agent", `scripted:${CALLS}`, "--judge", judge, "--six-plans"];
    const both = ["--condition", "open/plan,open/multiplan"];
    expect((await run(...six, ...both, "--out", at("six"))).code).toBe(0);
    const [row, ...others] = readTable(at("six"), "six_plans.csv");
    expect(others).toEqual([]);
    // Neither changes what a rule wants: a tie.
    expect(pick(row!, "executed", "ifr_alone", "ifr_executed")).toEqual(["0", "0", "0"]);
    // Who takes the first takes another in another order.
    expect(row!["picked"]).not.toBe(row!["again"]);
    const verdicts = readTable(at("six"), "verdicts.csv");
    expect(verdicts.map((each) => each["criterion_id"])).toEqual(["six_plans", "six_plans_again", "wanted", "nothing"]);
    expect(verdicts[2]).toMatchObject({ verdict: "alone", score: "1" });
    const told = (await probe("score", at("six"))).stdout;
    expect(told).toContain("Choice among six plans");
    expect(told).toMatch(/as a plan among six it chooses what is wanted in 100\.0 %/);
    const few = await run(...six, ...only, "--out", at("no-six"));
    expect([few.code, few.stderr]).toEqual([2, expect.stringContaining("none under open/plan and open/multiplan")]);
  });

  it("counts phases, calls and tokens before anything is asked", async () => {
    const { code, stdout } = await run("--model", "tiny", "--trials", "2", "--max-calls", "10", "--dry-run", "--json");
    expect(code).toBe(0);
    const found = JSON.parse(stdout);
    // Two trials each: work in four conditions, plans in two, a judge in one.
    expect(found).toMatchObject({ trials: 8, max_calls: (8 + 4) * 10, judge_calls: 2, max_judge_tokens: 2 * 1024 });
    expect(found.phases).toEqual([
      { name: "work", count: 8 },
      { name: "plan", count: 4 },
      { name: "judge", count: 2 },
    ]);
    expect(found.estimated_prompt_tokens).toBeGreaterThan(1000);
  });

  // Work and replay are those of every suite of agents (`agent-suite.slow`), plans those of a scripted model above.
  it.runIf(process.env["PROBE_SLOW_TESTS"] === "1")(
    "lets the bundled model plan and work, and replays it without asking",
    async () => {
      const short = ["--max-calls", "1", "--attempts", "1", "--condition", "open/direct,open/plan"];
      expect((await run("--model", "tiny", ...short, "--out", at("tiny"))).code).toBe(0);
      expect(trials("tiny").map(({ status }) => status)).toEqual(["graded", "graded"]);
      const replies = ["--replies", at("tiny/replies.jsonl"), "--replay", "only"];
      expect((await run("--model", "tiny", ...short, ...replies, "--out", at("again"))).code).toBe(0);
      expect(stable("again")).toEqual(stable("tiny"));
    },
  );

  it("scores what can be run, and names the rest, where a rule needs a tool that is not there", async () => {
    const data = at("data");
    cpSync(OWN, data, { recursive: true });
    const rules = join(data, "assets/rules", TASK, "rules_positive.yml");
    const more =
      "  - { id: of-a-tool, languages: [javascript], severity: INFO, message: m, pattern: Money.sum(...) }\n";
    writeFileSync(rules, readFileSync(rules, "utf8") + more);
    const { code } = await run(...only, "--data", data, "--agent", "scripted:gold", "--out", at("part"));
    expect(code).toBe(0);
    const names = [
      "ifr",
      "ifr_published",
      "ifr_additive",
      "ifr_reductive",
      "ifr_supported",
      "rules_supported",
      "alignment",
    ];
    expect(pick(trials("part")[0]!, ...names, "refactored")).toEqual(["", "", "", "1", "1", "14", "", ""]);
    expect((await probe("score", at("part"))).stdout).toContain("of-a-tool: made of pattern");
  });

  it("has a page with every rule, and with the lines of each patch that a rule wanted", async () => {
    const page = at("page.html");
    expect((await probe("report", at("ends"), "--out", page)).code).toBe(0);
    const html = readFileSync(page, "utf8");
    expect(html).toContain("money-class");
    expect(html).toContain("* +import { Money } from");
    expect(html).not.toContain("* +  const discount = discountOf(basket);");
  });

  // As any suite of agents does: `agent-suite.slow` and `kill-points.slow` kill those of two others.
  it.runIf(process.env["PROBE_SLOW_TESTS"] === "1")(
    "goes on after a kill, and ends with the tables of a run that was never killed",
    async () => {
      const chooses = judge("again.jsonl", "SELECTED: 1");
      const arms = ["--condition", "open/direct,open/multiplan"];
      const args = ["--agent", `scripted:${CALLS}`, "--judge", chooses, ...arms, "--trials", "2"];
      expect((await run(...args, "--out", at("whole"))).code).toBe(0);
      const { child, result } = startProbe(asked(...args, "--out", at("killed")), { cwd: folder, env });
      const journal = at("killed/trials.jsonl");
      const recorded = () => (existsSync(journal) ? readFileSync(journal, "utf8").split("\n").length - 2 : 0);
      while (recorded() < 2 && child.exitCode === null) await sleep(5);
      child.kill("SIGKILL");
      await result;
      expect((await probe("suite", "run", "codetaste", "--resume", at("killed"), "-q")).code).toBe(0);
      expect(stable("killed")).toEqual(stable("whole"));
      expect(stable("killed", "summary.csv")).toEqual(stable("whole", "summary.csv"));
    },
  );
});
