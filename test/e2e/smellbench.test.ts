import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { runProbe } from "../fixtures/cli.js";
import { readTable } from "../fixtures/tables.js";
import { temporaryFolder } from "../fixtures/temporary-folder.js";

const folder = temporaryFolder();
const OWN = join(import.meta.dirname, "../../datasets/suites/smellbench");
/** Knows the solutions that come with the cases, by a line of each. */
const JUDGE = `scripted:${join(OWN, "judge.jsonl")}`;
const env = { XDG_CACHE_HOME: join(folder, "cache") };

const probe = (...args: readonly string[]) => runProbe(args, { cwd: folder, env });
const at = (...path: readonly string[]) => join(folder, ...path);

/** Cases whose tests need Node alone. */
const CASES = readdirSync(OWN).filter((name) => {
  const file = join(OWN, name, "case.json");
  return existsSync(file) && readFileSync(file, "utf8").includes('"node"');
});
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
  it("finds every case valid, and every wrong solution graded as it was made to be", async () => {
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
  }, 240_000);

  it("tells right solutions, lazy, superficial and destructive ones, others elsewhere and none apart", async () => {
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
  }, 480_000);

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
  }, 120_000);

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
  }, 120_000);

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
  }, 120_000);

  it.each([0.2, 0.7])(
    "killed at %s of its journals goes on to the same tables, and asks nothing twice",
    async (part) => {
      const name = `killed-${part}`;
      cpSync(at("analysed"), at(name), { recursive: true });
      for (const journal of ["trials.jsonl", "verdicts.jsonl"])
        truncateSync(at(name, journal), Math.floor(readFileSync(at(name, journal)).length * part));
      expect((await runFew("--resume", name)).code).toBe(0);
      for (const table of ["trials.csv", "verdicts.csv", "control_verdicts.csv", "summary.csv"])
        expect(stable(name, table)).toEqual(stable("analysed", table));
      expect(lines(name, "replies.jsonl").filter((line) => line.includes('"speaker":"judge"'))).toHaveLength(6);
    },
    120_000,
  );
});
