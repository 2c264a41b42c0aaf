import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { runProbe, spawnProbe } from "../fixtures/cli.js";
import { readTable } from "../fixtures/tables.js";
import { temporaryFolder } from "../fixtures/temporary-folder.js";

const folder = temporaryFolder();
const OWN = join(import.meta.dirname, "../../datasets/suites/smellbench");
/** Knows the solutions that come with the cases, by a line of each. */
const JUDGE = `scripted:${join(OWN, "judge.jsonl")}`;
const env = { XDG_CACHE_HOME: join(folder, "cache") };

const probe = (...args: readonly string[]) => runProbe(args, { cwd: folder, env });
const at = (...path: readonly string[]) => join(folder, ...path);

const isWhole = process.env["PROBE_SLOW_TESTS"] === "1";
const which = isWhole ? "" : " (two of them; all with PROBE_SLOW_TESTS=1)";
const SOME = ["kiosk-god-class-easy", "parcel-data-clump-easy"];
/** Cases whose tests need Node alone. */
const CASES = readdirSync(OWN).filter((name) => {
  if (!isWhole && !SOME.includes(name)) return false;
  const file = join(OWN, name, "case.json");
  return existsSync(file) && readFileSync(file, "utf8").includes('"node"');
});
const PYTHON = ["recipes-inlined-method-easy", "recipes-inlined-method-medium"];
const hasPytest = spawnSync("python3", ["-c", "import pytest"]).status === 0;
if (!hasPytest) process.stdout.write("Skipping cases of SmellBench for pytest: there is none\n");
const FEW = ["parcel-data-clump-easy", "tidepool-dead-code-medium"];
const run = (...rest: readonly string[]) =>
  probe("suite", "run", "smellbench", "-q", "--condition", "guided", "--task-id", CASES.join(), ...rest);
const runFew = (...rest: readonly string[]) =>
  probe("suite", "run", "smellbench", "-q", "--condition", "guided", "--task-id", FEW.join(), ...rest);
const lines = (...path: readonly string[]) =>
  readFileSync(at(...path), "utf8")
    .trim()
    .split("\n");

/** A table without what another run, or another clock, changes. */
const stable = (name: string, table: string) =>
  readTable(at(name), table).map(({ run_id: _, duration_ms: __, grading_ms: ___, ...rest }) => rest);

const MARKS = ["smell_elimination", "cross_file_coordination", "structural_soundness", "code_quality"] as const;

/** Of each trial tpr, la and the marks. */
const gradesOf = (name: string, agent = "patches") =>
  readTable(at(name), "trials.csv")
    .filter((row) => row["agent"] === agent)
    .map((row) => [row["tpr"], row["la"], ...MARKS.map((mark) => row[mark])].join(" "));

beforeAll(() => {
  for (const kind of ["lazy", "superficial", "destructive", "elsewhere"]) {
    mkdirSync(at("patches", kind), { recursive: true });
    for (const name of CASES) {
      const patch = join(OWN, name, `${kind}.patch`);
      if (existsSync(patch)) cpSync(patch, at("patches", kind, `${name}.patch`));
    }
  }
});

describe("SmellBench on our own cases", () => {
  it(`finds every case valid, and every wrong solution graded as it was made to be${which}`, async () => {
    const { code, stdout } = await probe("suite", "check", "smellbench", "--json", "-q", "--task-id", CASES.join());
    expect(code).toBe(0);
    const tasks: { valid: boolean; checks: { check: string; outcome: string; expected: string }[] }[] =
      JSON.parse(stdout).tasks;
    expect(tasks.map(({ valid }) => valid)).toEqual(CASES.map(() => true));
    for (const { checks } of tasks) {
      expect(checks.map(({ outcome }) => outcome)).toEqual(checks.map(({ expected }) => expected));
      expect(checks.map(({ check }) => check)).toEqual(
        expect.arrayContaining([
          "clean",
          "smelly",
          "place",
          "gold",
          "patch lazy",
          "patch superficial",
          "patch destructive",
        ]),
      );
    }
  });

  it(`tells right solutions, lazy, superficial and destructive ones, others elsewhere and none apart${which}`, async () => {
    const asked = ["--judge", JUDGE];
    const { code, stdout } = await run("--agent", "scripted:gold", "--controls", ...asked, "--out", "gold");
    expect(code).toBe(0);
    const all = (grade: string) => CASES.map(() => grade);
    expect(gradesOf("gold", "scripted:gold")).toEqual(all("true true 1 1 0.9 0.9"));
    // The empty solution of a control is judged too: it is the floor.
    expect(gradesOf("gold", "scripted:noop")).toEqual(all("true false 0 0 0 0"));
    expect(stdout).toContain("it gives right solutions 95.0 % of the points on average, empty ones 0.0 %");
    const kinds = {
      lazy: "true true 0 0.1 0.2 0.4",
      superficial: "true true 0.3 0.4 0.4 0.6",
      destructive: "false true 0.7 0.2 0.3 0.6",
    };
    for (const [kind, grade] of Object.entries(kinds)) {
      expect((await run("--patches", at("patches", kind), ...asked, "--out", kind)).code).toBe(0);
      expect(gradesOf(kind)).toEqual(all(grade));
    }
    const elsewhere = ["suite", "run", "smellbench", "-q", "--condition", "targeted", "--task-id", FEW[0] ?? ""];
    expect((await probe(...elsewhere, "--patches", at("patches/elsewhere"), ...asked, "--out", "else")).code).toBe(0);
    expect(gradesOf("else")).toEqual(["true false 0 0 0.2 0.7"]);
  });

  it("tells one trial from its files alone, in the terminal, as JSON and as a page of text that cannot act", async () => {
    const [task = ""] = CASES;
    const told = await probe("suite", "show", "destructive", task);
    expect(told.code).toBe(0);
    expect(told.stdout).toMatch(/^Failed \(tpr_and_la\)\. First failing test: /m);
    const gold = JSON.parse((await probe("suite", "show", "gold", task, "--json", "--agent", "noop")).stdout);
    expect(gold).toMatchObject({ task_id: task, agent: "scripted:noop", passed: false, patch: "", status: "graded" });
    expect(gold.failure).toMatch(/^First failing rubric: The smell is gone\. \(0 of 10\)/);
    expect(gold.gold_patch).toContain("diff --git");
    expect((await probe("suite", "show", "destructive", task, "--page", "told.html")).code).toBe(0);
    expect(readFileSync(at("told.html"), "utf8")).toContain('<span class="removed">');
    const unknown = await probe("suite", "show", "destructive", "parcel");
    expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('found "parcel"')]);
    const report = await probe("report", "destructive", "--out", "told-report.html");
    expect(report.code).toBe(0);
    expect(readFileSync(at("told-report.html"), "utf8")).toContain('<details id="trial-');
  });

  it("has failed trials sorted by a model that is itself tried, beside their class by rule", async () => {
    const known = [
      ["timeout", "time limit"],
      ["broken", "The tests failed"],
      ["location", "was not changed"],
      ["incomplete", "still have the rate", "one of five"],
      ["other", "of the agent's own", "licence"],
    ].flatMap(([name, ...words]) => words.map((word) => ({ when: [word], says: JSON.stringify({ class: name }) })));
    const says = [...known, { says: '{"class": "wrong fix"}' }].map((line) => `${JSON.stringify(line)}\n`);
    writeFileSync(at("sorter.jsonl"), says.join(""));
    const classify = (name: string, ...rest: string[]) =>
      probe("suite", "classify", "smellbench", name, "--judge", `scripted:${at("sorter.jsonl")}`, ...rest);
    const { code, stdout } = await classify("lazy");
    expect(code).toBe(0);
    // Two of each of six classes.
    expect(stdout.replace(/\s+/g, " ")).toContain("12 of 12 failures of known class are sorted right, by chance 2");
    const classes = (name: string) =>
      readTable(at(name, "classes"), "failure_classes.csv").map((row) => [row["task_id"], row["class"], row["rule"]]);
    // Marks below 5 of 10 in the right place: by rule incomplete, whatever was done.
    expect(classes("lazy")).toEqual(CASES.map((name) => [name, "wrong fix", "incomplete"]));
    expect((await classify("destructive", "-q")).code).toBe(0);
    expect(classes("destructive")).toEqual(CASES.map((name) => [name, "broken", "broken"]));
    const { n, classes: counts } = JSON.parse((await classify("else", "--json")).stdout);
    expect(n).toBe(1);
    expect(counts).toContainEqual(expect.objectContaining({ id: "location", count: 1, by_rule: 1 }));
    expect(await classify("gold")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("Expected trials that fail"),
    });
  });

  it("makes cases of its own from a clean repository while there are places, and refuses one whose tests fail", async () => {
    const inject = (test: string, out: string, ...rest: readonly string[]) => {
      const tests = ["--test-cmd", "node --test", "--tests", test, "--out", out];
      return probe("suite", "inject", "smellbench", "--repo", join(OWN, "trees/parcel"), ...tests, ...rest);
    };
    const smell = ["--smell", "data_clumps", "--difficulty", "medium", "--count", "2"];
    const { code, stdout, stderr } = await inject("test/parcel.test.js", "injected", ...smell);
    // One function of the four files is given an object of which it reads members alone.
    expect([code, stdout]).toEqual([4, "1 case of 2 in injected\n"]);
    expect(stderr).toContain("no other place for it was found: data clump, medium");
    const [name = ""] = readdirSync(at("injected")).filter((each) => each !== "trees");
    const [smelly = "", right = ""] = ["smell", "gold"].map((kind) =>
      readFileSync(at("injected", name, `${kind}.patch`), "utf8"),
    );
    // What one adds the other removes, line by line.
    const changed = (patch: string, sign: string) =>
      patch
        .split("\n")
        .flatMap((line) => (line.startsWith(sign) && !line.startsWith(sign.repeat(3)) ? [line.slice(1)] : []));
    expect(changed(smelly, "+")).toEqual(changed(right, "-"));
    expect(changed(smelly, "-")).toEqual(changed(right, "+"));
    expect(smelly.match(/^diff --git /gm)).toHaveLength(2);
    const refused = await inject("test/none.test.js", "refused", "-q");
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("Expected tests that pass on")]);
  });

  it("tells the size of its own cases by project", async () => {
    const { code, stdout } = await probe("suite", "stats", "smellbench", OWN, "--json");
    expect(code).toBe(0);
    const { table2 } = JSON.parse(stdout) as { table2: { project: string; count: number; methods: number }[] };
    const overall = table2.at(-1);
    expect(overall?.project).toBe("Overall");
    // A case a folder, each with its code at hand.
    const cases = readdirSync(OWN).filter((name) => existsSync(join(OWN, name, "case.json"))).length;
    expect([overall?.count, (overall as { located?: number }).located]).toEqual([cases, cases]);
    expect(overall?.methods).toBeGreaterThan(1);
  });

  it("asks the judge once about a patch, and reads four marks from the reply", () => {
    // Of each case the right solution and the empty one.
    expect(lines("gold", "replies.jsonl").filter((line) => line.includes('"speaker":"judge"'))).toHaveLength(
      2 * CASES.length,
    );
    const rows = readTable(at("lazy"), "verdicts.csv");
    expect(rows.map((row) => row["criterion_id"]).slice(0, 4)).toEqual([...MARKS]);
    expect(rows[1]).toMatchObject({
      verdict: "1",
      score: "0.1",
      evaluable: "true",
      justification: "Only names were changed.",
    });
  });

  it("lists published cases that nobody can be judged by, each with its reason", async () => {
    const clone = at("clones/parcel");
    cpSync(join(OWN, "trees/parcel"), clone, { recursive: true });
    const git = (...args: readonly string[]) =>
      execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], { cwd: clone, encoding: "utf8" });
    git("init", "-q");
    git("add", "-A");
    git("commit", "-qm", "clean");
    const own = join(OWN, "parcel-data-clump-easy");
    const text = (name: string) => readFileSync(join(own, name), "utf8");
    const right = {
      ...JSON.parse(text("case.json")),
      commit_hash: git("rev-parse", "HEAD").trim(),
      smell_content: text("smell.patch"),
      gt_content: text("gold.patch"),
    };
    const cases = [
      { ...right, instance_id: "right" },
      { ...right, instance_id: "hardest", difficulty: "hardest" },
      { ...right, instance_id: "clean", smell_content: "" },
      { ...right, instance_id: "other-patch", smell_content: text("smell.patch").replaceAll("surcharge", "extra") },
      { ...right, instance_id: "no-method", smell_function: ["src/postage.js", null, "postage"] },
      { ...right, instance_id: "no-test", testsuites: ["test/none.test.js"] },
      { ...right, instance_id: "bad-gold", gt_content: text("destructive.patch") },
      { ...right, instance_id: "outside", smell_function: ["../postage.js", null, "postageFor"] },
      { ...right, instance_id: "no-commit", commit_hash: "0123456789" },
      { ...right, instance_id: "no-clone", project_name: "elsewhere" },
    ];
    writeFileSync(at("cases.json"), JSON.stringify(cases));
    const published = ["--data", at("cases.json"), "--repo", at("clones")];
    const { code, stdout } = await probe("suite", "check", "smellbench", ...published, "--json", "-q");
    // Two of them cannot be checked here.
    expect(code).toBe(4);
    const found: { task_id: string; valid: boolean | null; reason: string | null }[] = JSON.parse(stdout).tasks;
    const of = (id: string) => found.find(({ task_id }) => task_id === id);
    expect(of("right")).toMatchObject({ valid: true, reason: null });
    const invalid = {
      hardest: "difficulty",
      clean: "no smell_content: there is nothing to remove",
      "other-patch": "no tree: Expected `git apply --binary` to work",
      "no-method": "place: missing: no postage in src/postage.js",
      "no-test": "clean: fail: exit code 1",
      "bad-gold": "gold: fail: exit code 1",
      outside: "expected a path within the repository",
    };
    for (const [id, reason] of Object.entries(invalid))
      expect(of(id)).toMatchObject({ valid: false, reason: expect.stringContaining(reason) });
    expect(of("no-commit")).toMatchObject({ valid: null, reason: expect.stringContaining("no commit 0123456789") });
    expect(of("no-clone")).toMatchObject({ valid: null, reason: expect.stringContaining("no clone of elsewhere in") });
    const asked = ["--agent", "scripted:gold", "--condition", "guided", "-q", "--out", "published"];
    const some = ["--task-id", "right,hardest,clean,no-commit,no-clone"];
    expect((await probe("suite", "run", "smellbench", ...published, ...asked, ...some)).code).toBe(4);
    const rows = readTable(at("published"), "trials.csv");
    expect(rows.map((row) => row["status"])).toEqual([
      "graded",
      "invalid_task",
      "invalid_task",
      "unreachable",
      "unreachable",
    ]);
    const alone = await probe("suite", "check", "smellbench", "--data", at("cases.json"));
    expect([alone.code, alone.stderr]).toEqual([2, expect.stringContaining("Expected --repo DIR")]);
  });

  it("puts tests back that a patch changed, and says so", async () => {
    const emptied =
      "diff --git a/test/parcel.test.js b/test/parcel.test.js\n--- a/test/parcel.test.js\n+++ b/test/parcel.test.js\n";
    const lines = readFileSync(join(OWN, "trees/parcel/test/parcel.test.js"), "utf8").trimEnd().split("\n");
    const hunk = `@@ -1,${lines.length} +0,0 @@\n${lines.map((line) => `-${line}\n`).join("")}`;
    const broken = readFileSync(join(OWN, "parcel-data-clump-easy/destructive.patch"), "utf8");
    mkdirSync(at("patches/tampering"), { recursive: true });
    writeFileSync(at("patches/tampering/parcel-data-clump-easy.patch"), `${broken}${emptied}${hunk}`);
    const asked = [
      "--condition",
      "guided",
      "--task-id",
      "parcel-data-clump-easy",
      "--patches",
      at("patches/tampering"),
    ];
    expect((await probe("suite", "run", "smellbench", "-q", ...asked, "--out", "tampering")).code).toBe(0);
    expect(readTable(at("tampering"), "trials.csv")[0]).toMatchObject({ tpr: "false", la: "true", tampered: "true" });
  });

  it("says that cases for pytest cannot be reached where there is none", async () => {
    mkdirSync(at("bin"));
    writeFileSync(at("bin/python3"), "#!/bin/sh\nexit 1\n", { mode: 0o755 });
    const asked = [
      "suite",
      "run",
      "smellbench",
      "-q",
      "--agent",
      "scripted:gold",
      "--task-id",
      PYTHON.join(),
      "--out",
      "none",
    ];
    const without = { ...env, PATH: `${at("bin")}:${process.env["PATH"]}` };
    // A process of its own: which Python there is has been found by this one.
    const { code } = await spawnProbe(asked, { cwd: folder, env: without });
    expect(code).toBe(4);
    for (const row of readTable(at("none"), "trials.csv"))
      expect([row["status"], row["tpr"]]).toEqual(["unreachable", ""]);
    expect(readTable(at("none"), "validity.csv").map((row) => [row["check"], row["detail"]])).toEqual(
      PYTHON.map(() => ["environment", "no pytest for the python3 of the search path"]),
    );
  });

  // What pytest says of right and wrong code, forged-passes shows each time.
  it.skipIf(!hasPytest || !isWhole)(
    "judges cases for pytest where there is one (with PROBE_SLOW_TESTS=1)",
    async () => {
      const asked = ["suite", "run", "smellbench", "-q", "--agent", "scripted:gold", "--condition", "guided"];
      expect((await probe(...asked, "--task-id", PYTHON.join(), "--out", "pytest")).code).toBe(0);
      // Graded: its tests hold with and without the smell.
      expect(gradesOf("pytest", "scripted:gold")).toEqual(PYTHON.map(() => "true true    "));
    },
  );

  it("has no marks without a judge, and every table says so", async () => {
    const { code, stdout } = await runFew("--agent", "scripted:gold", "--out", "unjudged");
    expect(code).toBe(0);
    expect(stdout).toContain("Nobody judged");
    expect(gradesOf("unjudged", "scripted:gold")).toEqual(FEW.map(() => "true true    "));
    const marks = readTable(at("unjudged"), "summary.csv").filter(({ metric }) =>
      MARKS.some((mark) => mark === metric),
    );
    expect(marks.length).toBeGreaterThanOrEqual(4);
    for (const row of marks) expect([row["value"], row["n"]]).toEqual(["", "0"]);
    expect(readTable(at("unjudged"), "trials.csv").map((row) => row["tpr_and_la"])).toEqual(["true", "true"]);
  });

  it("has no marks where the judge does not answer as it should, which are no zeros", async () => {
    const says = JSON.stringify({
      smell_elimination: { score: 11, justification: "Too much." },
      cross_file_coordination: { justification: "No score." },
      structural_soundness: { score: "7", justification: "A text." },
      code_quality: { score: 7.5, justification: "Fine." },
    });
    writeFileSync(at("odd.jsonl"), `${JSON.stringify({ says })}\n`);
    const asked = ["--agent", "scripted:gold", "--judge", `scripted:${at("odd.jsonl")}`];
    expect((await runFew(...asked, "--out", "odd")).code).toBe(0);
    expect(gradesOf("odd", "scripted:gold")).toEqual(FEW.map(() => "true true    0.75"));
    const rows = readTable(at("odd"), "summary.csv").filter(({ group_by }) => group_by === "overall");
    const of = (metric: string) => rows.find((row) => row["metric"] === metric);
    expect(of("smell_elimination")).toMatchObject({ value: "", n: "0", excluded: "2" });
    expect(of("code_quality")).toMatchObject({ value: "0.75", n: "2", excluded: "0" });
  });

  it("has the judge describe the smell first where that is asked for, once a case", async () => {
    const asked = ["--agent", "scripted:gold", "--controls", "--judge", JUDGE, "--smell-analysis"];
    const { stdout } = await runFew(...asked, "--dry-run", "--json");
    // Two descriptions, and a patch of gold and of noop of each of two cases.
    expect(JSON.parse(stdout).judge.calls).toBe(6);
    expect((await runFew(...asked, "--out", "analysed")).code).toBe(0);
    const said = lines("analysed", "replies.jsonl").filter((line) => line.includes('"speaker":"judge"'));
    expect(said).toHaveLength(6);
    expect(said.filter((line) => line.includes("# The patch that put it in"))).toHaveLength(2);
    const judged = said.filter(
      (line) => line.includes("every duty has one place") && line.includes("# What is known of it"),
    );
    expect(judged).toHaveLength(4);
    expect(gradesOf("analysed", "scripted:gold")).toEqual(FEW.map(() => "true true 1 1 0.9 0.9"));
  });

  it("killed in the middle of its journals goes on to the same tables, and asks nothing twice", async () => {
    cpSync(at("analysed"), at("killed"), { recursive: true });
    for (const journal of ["trials.jsonl", "verdicts.jsonl"])
      truncateSync(at("killed", journal), Math.floor(readFileSync(at("killed", journal)).length / 2));
    expect((await runFew("--resume", "killed")).code).toBe(0);
    for (const table of ["trials.csv", "verdicts.csv", "control_verdicts.csv", "summary.csv"])
      expect(stable("killed", table)).toEqual(stable("analysed", table));
    expect(lines("killed", "replies.jsonl").filter((line) => line.includes('"speaker":"judge"'))).toHaveLength(6);
  });

  it("recomputes its tables from per_case.csv", async () => {
    const { code, stdout } = await probe(
      "suite",
      "stats",
      "smellbench",
      at("gold/per_case.csv"),
      at("lazy/per_case.csv"),
      "--json",
    );
    expect(code).toBe(0);
    const { trials, tables } = JSON.parse(stdout);
    expect(trials).toBe(3 * CASES.length);
    const agents: { agent: string; n: number; marks: number }[] = tables[0].rows;
    expect(agents.map(({ agent, n }) => [agent, n])).toEqual(
      ["scripted:gold", "scripted:noop", "patches"].map((agent) => [agent, CASES.length]),
    );
    // (1 + 1 + .9 + .9) / 4 and (0 + .1 + .2 + .4) / 4.
    expect(agents.map(({ marks }) => marks)).toEqual([expect.closeTo(0.95, 10), 0, expect.closeTo(0.175, 10)]);
    const page = await probe("suite", "stats", "smellbench", at("gold/per_case.csv"));
    expect(page.stdout).toContain("By agent, setting, difficulty");
    const rows = readTable(at("gold"), "summary.csv").filter(
      (row) => row["group_by"] === "difficulty" && row["metric"] === "tpr",
    );
    expect(rows.map(({ agent, group, n }) => [agent, group, n])).toContainEqual([
      "scripted:gold",
      "easy",
      String(CASES.filter((name) => name.endsWith("-easy")).length),
    ]);
  });
});
