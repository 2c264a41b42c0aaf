import { cpSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runProbe } from "../fixtures/cli.js";
import { readTable } from "../fixtures/tables.js";
import { temporaryFolder } from "../fixtures/temporary-folder.js";

const folder = temporaryFolder();
const ROOT = join(import.meta.dirname, "../..");
/** Says what is true of the answers that the tests hand in, by the words in them. */
const JUDGE = `scripted:${join(ROOT, "datasets/suites/swe-atlas/judge.jsonl")}`;
const env = { XDG_CACHE_HOME: join(folder, "cache") };
const isSlow = process.env["PROBE_SLOW_TESTS"] === "1";

const probe = (...args: readonly string[]) => runProbe(args, { cwd: folder, env });
const run = (...rest: readonly string[]) => probe("suite", "run", "swe-atlas", "-q", ...rest);
const at = (...path: readonly string[]) => join(folder, ...path);
const lines = (...path: readonly string[]) =>
  readFileSync(at(...path), "utf8")
    .trim()
    .split("\n");
const trials = (name: string) => readTable(at(name), "trials.csv");
const answers = (kind: string) => ["--patches", join(ROOT, "test/fixtures/suites/swe-atlas", kind)];

/** A table without what another run, or another clock, changes. */
const stable = (name: string, table: string) =>
  readTable(at(name), table).map(({ run_id: _, duration_ms: __, grading_ms: ___, ...rest }) => rest);

/** A judge that says the same of everything. */
function judgeSaying(name: string, status: string, justification: string): string {
  const says = JSON.stringify({
    answer: status,
    ratings: [{ status, score: status === "YES" ? "1" : "0", justification }],
  });
  writeFileSync(at(name), `${JSON.stringify({ says })}\n`);
  return `scripted:${at(name)}`;
}

describe("SWE Atlas on our own tasks", () => {
  it("finds every task valid", async () => {
    const { code, stdout } = await probe("suite", "check", "swe-atlas", "--json", "-q");
    expect(code).toBe(0);
    expect(JSON.parse(stdout).tasks.map((task: { valid: boolean }) => task.valid)).toEqual([true, true, true]);
  });

  it("counts what a judge would be asked, and asks nothing", async () => {
    const { code, stdout } = await run(
      "--agent",
      "scripted:gold",
      "--controls",
      "--judge",
      JUDGE,
      "--dry-run",
      "--json",
    );
    expect(code).toBe(0);
    const { trials: planned, judge } = JSON.parse(stdout);
    // 5 rubrics of qa, 5 of tw and its manifest, 4 of rf; of gold and of noop.
    expect([planned, judge.calls, judge.max_completion_tokens]).toEqual([6, 30, 30 * 2048]);
    expect(judge.estimated_prompt_tokens).toBeGreaterThan(30 * 300);
  });

  it("has floor and ceiling of scores and of the judge, who tells one from the other", async () => {
    const { code, stdout } = await run("--agent", "scripted:gold", "--controls", "--judge", JUDGE, "--out", "gold");
    expect(code).toBe(0);
    expect(stdout).toContain(
      "tells right from wrong: it finds 100.0 % of the rubrics met by right solutions, 0.0 % by empty",
    );
    expect(trials("gold").map(({ agent, condition, reward }) => [agent, condition, reward])).toEqual([
      ["scripted:gold", "qa", "true"],
      ["scripted:gold", "tw", "true"],
      ["scripted:gold", "rf", "true"],
      ["scripted:noop", "qa", "false"],
      ["scripted:noop", "tw", "false"],
      ["scripted:noop", "rf", "false"],
    ]);
    expect(readTable(at("gold"), "verdicts.csv")).toHaveLength(15);
    expect(readTable(at("gold"), "control_verdicts.csv")).toHaveLength(15);
    // Nothing was handed in, so there is no manifest to ask about.
    expect(lines("gold", "replies.jsonl").filter((line) => line.includes('"speaker":"judge"'))).toHaveLength(29);
  });

  it("tells a good answer, a lazy one and one that cheats apart", async () => {
    for (const kind of ["good", "lazy", "cheating"])
      expect((await run(...answers(kind), "--judge", JUDGE, "--out", kind)).code).toBe(0);
    const of = (kind: string, name: string) => trials(kind).map((row) => row[name]);
    expect([of("good", "reward"), of("lazy", "reward"), of("cheating", "reward")]).toEqual([
      ["true", "true", "true"],
      ["false", "false", "false"],
      ["false", "false", "false"],
    ]);
    // Lazy tests assert nothing that the code does; those that cheat read the source, which the judge sees.
    expect([of("lazy", "mutation_pass")[1], of("cheating", "mutation_pass")[1]]).toEqual(["false", "true"]);
    expect([of("lazy", "rubrics_pass")[1], of("cheating", "rubrics_pass")[1]]).toEqual(["false", "false"]);
    // The refactoring that cheats ends the process: nothing runs, which the released rule takes for success.
    expect([of("cheating", "tests_reward")[2], of("cheating", "tests_reward_published")[2]]).toEqual(["false", "true"]);
    expect([of("lazy", "tests_reward")[2], of("lazy", "rubrics_pass")[2]]).toEqual(["true", "false"]);
    const columns = Object.keys(readTable(at("lazy"), "verdicts.csv")[0] ?? {}).join(",");
    expect(columns).toBe(
      "run_id,suite,judge,task_id,condition,trial,criterion_id,polarity,importance,vote,verdict,score,evaluable,justification",
    );
  });

  it("leaves what needs a judge empty without one, and says so", async () => {
    const { code, stdout } = await run(...answers("good"), "--out", "unjudged");
    // Only what there are tasks of has a table.
    const [id = ""] = trials("unjudged").flatMap(({ condition, task_id }) =>
      condition === "rf" ? [task_id ?? ""] : [],
    );
    const alone = await run("--agent", "scripted:noop", "--task-id", id, "--dry-run", "--json");
    expect(JSON.parse(alone.stdout)).toMatchObject({ conditions: ["rf"], trials: 1 });
    expect(code).toBe(0);
    expect(stdout).toContain("Nobody judged: what needs a judge has no score.");
    expect(
      trials("unjudged").map(({ reward, mutation_pass, tests_reward }) => [reward, mutation_pass, tests_reward]),
    ).toEqual([
      ["", "", ""],
      ["", "true", ""],
      ["", "", "true"],
    ]);
  });

  it("replays a judge without asking it, to the byte", async () => {
    const replay = ["--replies", at("gold/replies.jsonl"), "--replay", "only"];
    const asked = ["--agent", "scripted:gold", "--controls", "--judge", JUDGE];
    expect((await run(...asked, ...replay, "--out", "replayed")).code).toBe(0);
    for (const table of ["trials.csv", "verdicts.csv", "control_verdicts.csv"])
      expect(stable("replayed", table)).toEqual(stable("gold", table));
    const unknown = await run(...answers("lazy"), "--judge", JUDGE, ...replay, "--out", "unknown");
    expect(unknown.code).toBe(4);
    expect(unknown.stdout).toContain("the judge could not be asked: unavailable: no recorded reply to request");
    expect(trials("unknown").map(({ status }) => status)).toEqual(["grader_failed", "grader_failed", "grader_failed"]);
  });

  it("that lost verdicts in a kill takes them from the replies it has, asks for those it lost, and ends with the same tables", async () => {
    cpSync(at("gold"), at("killed"), { recursive: true });
    const cut = (file: string, part: number) =>
      truncateSync(at("killed", file), Math.floor(readFileSync(at("killed", file)).length * part));
    cut("verdicts.jsonl", 0.3);
    const before = lines("killed", "replies.jsonl").length;
    expect((await run("--resume", "killed")).code).toBe(0);
    expect(lines("killed", "replies.jsonl")).toHaveLength(before);
    for (const table of ["trials.csv", "verdicts.csv", "control_verdicts.csv", "summary.csv"])
      expect(stable("killed", table)).toEqual(stable("gold", table));
    cut("verdicts.jsonl", 0.3);
    cut("replies.jsonl", 0.8);
    expect((await run("--resume", "killed")).code).toBe(0);
    // Of 29 questions each has one reply.
    expect(lines("killed", "replies.jsonl")).toHaveLength(before);
    expect(stable("killed", "verdicts.csv")).toEqual(stable("gold", "verdicts.csv"));
  });

  it("goes on with no other judge", async () => {
    const other = judgeSaying("other.jsonl", "YES", "It is.");
    const asked = await run("--agent", "scripted:gold", "--controls", "--judge", other, "--out", "gold");
    expect(asked.code).toBe(2);
    // A long path is shortened in its middle.
    expect(asked.stderr).toMatch(/parameter judge: the run has "scripted:.+, this command "scripted:/);
    const voted = await run(
      "--agent",
      "scripted:gold",
      "--controls",
      "--judge",
      JUDGE,
      "--judge-votes",
      "3",
      "--out",
      "gold",
    );
    expect(voted.stderr).toContain("parameter judge_votes: the run has 1, this command 3");
  });

  it("calls a judge useless that says the same of everything, and shows what it writes as text", async () => {
    const hostile = "<script>alert(1)</script> \u001b[31m";
    const judge = judgeSaying("yes.jsonl", "YES", hostile);
    const asked = ["--agent", "scripted:gold", "--controls", "--judge", judge, "--judge-votes", "2"];
    const { code, stdout } = await run(...asked, "--out", "useless");
    expect(code).toBe(0);
    expect(stdout).toContain(
      "is useless: it finds 100.0 % of the rubrics met by right solutions, 100.0 % by empty ones",
    );
    expect((await probe("report", "useless", "gold", "--out", "page.html")).code).toBe(0);
    const page = readFileSync(at("page.html"), "utf8");
    expect(page).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
    expect(page).not.toContain("<script>alert(1)");
    expect(page).not.toContain("\u001b");
    expect(page).toContain("It says that `take` deletes the entry.");
  });

  it("says what it is where verdicts cannot be read, and where they are gone: no trial is taken for one that was not made", async () => {
    writeFileSync(at("mute.jsonl"), `${JSON.stringify({ says: "I cannot say." })}\n`);
    const asked = [...answers("good"), "--condition", "qa", "--judge", `scripted:${at("mute.jsonl")}`];
    const { code, stdout } = await run(...asked, "--out", "mute");
    expect(code).toBe(0);
    // Five rubrics of the one task.
    expect(stdout).toContain("5 of 5 verdicts could not be read: they have no score.");
    expect(stdout).toContain("reward –; floor – (noop), ceiling – (gold): no trial has this score");
    expect(stdout).not.toMatch(/not made|no scores/);
    cpSync(at("mute"), at("part/gone"), { recursive: true });
    writeFileSync(at("part/gone/verdicts.jsonl"), `${lines("mute", "verdicts.jsonl").slice(0, -2).join("\n")}\n`);
    const scored = await probe("score", "part/gone");
    expect(scored.stdout).toContain("Missing from the journal of a run that was complete: 2 of 5 verdicts.");
    expect(scored.stdout).toContain("1 of 1 trials have no scores; the same command goes on with them.");
    expect(scored.stdout).toContain("3 of 3 verdicts could not be read: they have no score.");
    expect((await probe("runs", "part")).stdout).toContain("unfinished");
    expect((await run("--resume", "part/gone")).code).toBe(0);
    expect(stable("part/gone", "verdicts.csv")).toEqual(stable("mute", "verdicts.csv"));
  });

  it("tells how far two judges agree, and one with itself", async () => {
    // Both say yes to the 11 positive rubrics of gold and its manifest; of 3 faults and all of noop they differ.
    const two = JSON.parse((await probe("suite", "agreement", "gold", "useless", "--json")).stdout);
    expect(two).toMatchObject({
      counts: [
        [12, 6],
        [11, 0],
      ],
      n: 29,
      differing: 0,
      unread: 0,
    });
    const self = JSON.parse((await probe("suite", "agreement", "useless", "useless", "--json")).stdout);
    expect(self).toMatchObject({ n: 29, observed: 1, unanimity: 1 });
    // People find the first rubric of the answer passed, as the judge does, and the second not.
    const [first, second] = readTable(at("gold"), "verdicts.csv").filter(({ condition }) => condition === "qa");
    const label = (row: typeof first, word: string) => `${row?.["task_id"]},${row?.["criterion_id"]},${word}\n`;
    const labels = `task_id,criterion_id,label\n${label(first, "passed")}`;
    writeFileSync(at("labels.csv"), `${labels}${label(second, "failed")}`);
    const people = JSON.parse((await probe("suite", "agreement", "gold", "labels.csv", "--json")).stdout);
    expect(people).toMatchObject({ judges: [expect.stringContaining("judge"), "people"], n: 2, observed: 0.5 });
    writeFileSync(at("labels.csv"), `${labels}nobody,r1,passed\n`);
    const strange = await probe("suite", "agreement", "gold", "labels.csv");
    expect([strange.code, strange.stderr]).toEqual([2, expect.stringContaining("found another in")]);
    const { code, stderr } = await probe("suite", "agreement", "unjudged", "gold");
    expect([code, stderr]).toEqual([2, expect.stringContaining("Expected a run with a judge")]);
    expect((await probe("suite", "agreement", "gold", "good")).stderr).toContain("found none in common");
  });

  it("sets runs' passes against their costs, and beside the lengths of answers and the tests that were written", async () => {
    const answer = readFileSync(join(ROOT, "test/fixtures/suites/swe-atlas/good/task-spoiled-entries.patch"), "utf8")
      .split("\n")
      .flatMap((line) => (/^\+(?!\+\+)/.test(line) ? [line.slice(1)] : []))
      .join("\n");
    const costing = (usd: number, text: string) => [
      "--agent-cmd",
      `printf %s '${text}' >"$PROBE_WORKSPACE/logs/agent/answer.txt"; ` +
        `echo '{"success": true, "cost_usd": ${usd}}' >"$PROBE_OUTPUT_DIR/result.json"`,
    ];
    const asked = ["--condition", "qa", "--judge", JUDGE, "--sandbox", "none"];
    for (const [name, usd, text] of [
      ["dear", 0.5, answer],
      ["cheap", 0.004, "No."],
      ["lost", 0.9, "No."],
    ] as const)
      expect((await run(...costing(usd, text), "--agent-name", name, ...asked, "--out", name)).code).toBe(0);
    const { costs } = JSON.parse((await probe("compare", "dear", "cheap", "lost", "--json")).stdout);
    // All of one task: who pays more than another and passes no more is not on the front.
    expect(
      costs.map((row: Record<string, unknown>) => [row["condition"], row["passed"], row["cost_usd"], row["on_front"]]),
    ).toEqual([
      ["qa", 1, 0.5, true],
      ["qa", 0, 0.004, true],
      ["qa", 0, 0.9, false],
    ]);
    expect((await probe("compare", "dear", "cheap")).stdout).toMatch(
      /│ cheap │ qa +│ 1 │ +0\.0 % │ +0\.0040 USD │ yes/,
    );
    const markdown = ["--leaderboard-md", "board.md", "--out", "costs.html"];
    expect((await probe("report", "dear", "cheap", "lost", ...markdown)).code).toBe(0);
    const page = readFileSync(at("costs.html"), "utf8");
    expect(page).toContain("On the front: cheap, dear.</desc>");
    // 14 + 12 + 20 + 16 words in the four sentences of the right answer.
    expect(readFileSync(at("board.md"), "utf8")).toMatch(/\| dear .*\| 62 \|/);
    const facts = readTable(at("dear"), "facts.csv").filter(({ fact }) => fact === "answer_words");
    expect(facts.map(({ group_by, group, value }) => [group_by, group, value])).toContainEqual([
      "passed",
      "true",
      "62",
    ]);
    // Our right solution of tw lists its tests.
    const written = readTable(at("gold"), "summary.csv").filter(
      ({ metric, n }) => metric === "tests_written" && n === "1",
    );
    expect(written.map(({ agent, condition }) => [agent, condition])).toEqual([["scripted:gold", "tw"]]);
  });

  it("has what its answers fail sorted by a model that is itself tried on failures of known class", async () => {
    // By words of the statements: right about each known one, and of a run that nothing is addressed.
    const right = [
      ["incomplete", "`open` tries three", "Names both callers"],
      ["no_evidence", "Shows the log", "Gives the measured"],
      ["wrong", "States that locks", "The limit is 64", "the limit is 64"],
    ].flatMap(([name, ...words]) => words.map((word) => ({ when: [word], says: JSON.stringify({ class: name }) })));
    const sorter = [...right, { says: '{"class": "not_addressed"}' }].map((line) => `${JSON.stringify(line)}\n`);
    writeFileSync(at("sorter.jsonl"), sorter.join(""));
    const classify = (...rest: string[]) => probe("suite", "classify", "swe-atlas", ...rest);
    const failed = readTable(at("lazy"), "verdicts.csv").filter(
      (row) => row["condition"] === "qa" && row["score"] === "0",
    );
    expect(failed.length).toBeGreaterThan(0);
    const dry = await classify("lazy", "--judge", `scripted:${at("sorter.jsonl")}`, "--dry-run", "--json");
    expect(JSON.parse(dry.stdout)).toMatchObject({ calls: (failed.length + 8) * 2 });
    const { code, stdout } = await classify("lazy", "--judge", `scripted:${at("sorter.jsonl")}`);
    expect(code).toBe(0);
    expect(stdout.replace(/\s+/g, " ")).toContain(
      "tells classes apart: 8 of 8 failures of known class are sorted right, by chance 2",
    );
    expect(
      readTable(at("lazy/classes"), "failure_classes.csv").map((row) => [row["criterion_id"], row["class"]]),
    ).toEqual(failed.map((row) => [row["criterion_id"], "not_addressed"]));
    // Nobody is asked again, so that a model which is not there is none the worse.
    const before = lines("lazy", "classes", "replies.jsonl").length;
    expect((await classify("lazy", "--judge", `scripted:${at("sorter.jsonl")}`)).stdout).toBe(stdout);
    expect(lines("lazy", "classes", "replies.jsonl")).toHaveLength(before);
    writeFileSync(at("same.jsonl"), `${JSON.stringify({ says: '{"class": "wrong"}' })}\n`);
    const same = await classify("lazy", "--judge", `scripted:${at("same.jsonl")}`);
    expect(same.stdout.replace(/\s+/g, " ")).toContain("is useless for sorting: 2 of 8 failures of known class");
    expect(await classify("unjudged", "--judge", `scripted:${at("same.jsonl")}`)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("Expected rubrics that answers (qa) fail"),
    });
  });

  it("has Pass@1, Pass@3 and Pass^3 of independent trials", async () => {
    expect((await run(...answers("good"), "--judge", JUDGE, "--trials", "3", "--out", "thrice")).code).toBe(0);
    const rows = readTable(at("thrice"), "summary.csv").filter(
      ({ condition, group_by }) => condition === "all" && group_by === "overall",
    );
    expect(rows.map(({ metric, value, n }) => [metric, value, n])).toContainEqual(["pass_hat_3", "1", "3"]);
    expect(new Set(readTable(at("thrice"), "summary.csv").map(({ group_by }) => group_by))).toEqual(
      new Set(["overall", "group", "category", "language"]),
    );
  });

  it("fails what a judge will not reply about, where it does about the right solution: else who writes too much has no score", async () => {
    const judge = (name: string, words: string) => {
      writeFileSync(at(name), `${JSON.stringify({ when: [words], says: '{"ratings": [{"status": "YES"}]}' })}\n`);
      return `scripted:${at(name)}`;
    };
    const lazy = (...rest: readonly string[]) => run(...answers("lazy"), "--condition", "qa", ...rest);
    const found = await lazy("--judge", judge("right.jsonl", "finds that the entry is too old"), "--out", "refused");
    expect(found.stdout.replace(/\s+/g, " ")).toContain("5 of 5 verdicts failed: the judge replies about the right");
    // A fault that was not looked for has not been found to be missing.
    expect(readTable(at("refused"), "verdicts.csv").map(({ score }) => score)).toEqual(["0", "0", "0", "0", "0"]);
    expect(trials("refused")[0]).toMatchObject({ reward: "false", rubrics_pass: "false", agg_score: "0" });
    // Whether it does is not known where it could not be asked: then neither is a verdict, and a resumed run asks again.
    const silent = lines("refused", "replies.jsonl").filter((line) => !line.includes("YES"));
    writeFileSync(at("cut.jsonl"), `${silent.join("\n")}\n`);
    const replayed = ["--replies", at("cut.jsonl"), "--replay", "only", "--out", "half-asked"];
    expect((await lazy("--judge", `scripted:${at("right.jsonl")}`, ...replayed)).code).toBe(4);
    expect(
      lines("half-asked", "verdicts.jsonl")
        .slice(1)
        .map((line) => JSON.parse(line).status),
    ).toEqual(Array(5).fill("lost"));
    await lazy("--judge", judge("nothing.jsonl", "that nobody hands in"), "--out", "silent");
    expect(trials("silent")[0]).toMatchObject({ reward: "", rubrics_pass: "" });
  });

  it(`says that the bundled model is a useless judge${isSlow ? "" : " (of one empty solution, in short; of all with PROBE_SLOW_TESTS=1)"}`, async () => {
    // The same model with little room to write in.
    const settings = { contextSize: 1024, gpu: "false", threads: 1 };
    const models = { short: { model: "llama:package:models/tiny.gguf", settings } };
    writeFileSync(at("probe.config.json"), JSON.stringify({ models }));
    const sample = ["--agent", "scripted:noop", "--condition", "rf", "--judge", "short"];
    const asked = isSlow ? ["--agent", "scripted:gold", "--controls", "--judge", "tiny"] : sample;
    const { code, stdout } = await run(...asked, "--out", "tiny");
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /The judge (tiny|short) is useless: (\d+) of its \2 replies about right and empty solutions cannot be read/,
    );
    const replay = ["--replies", at("tiny/replies.jsonl"), "--replay", "only"];
    expect((await run(...asked, ...replay, "--out", "tiny-again")).code).toBe(0);
    for (const table of ["verdicts.csv", "control_verdicts.csv"])
      expect(stable("tiny-again", table)).toEqual(stable("tiny", table));
  });
});
