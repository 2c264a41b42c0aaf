import { appendFileSync, cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { type CliResult, runProbe } from "../fixtures/cli.js";
import { failingModel, type ScriptedExample } from "../fixtures/failing-model.js";
import { journalRecords, rewriteJournal } from "../fixtures/journal-file.js";
import { readTable } from "../fixtures/tables.js";
import { temporaryFolder } from "../fixtures/temporary-folder.js";

const folder = temporaryFolder();
const path = (name: string) => join(folder, name);

/** The first 8 examples of the starter set: one addition, two deletions (not asked SI), five modifications. */
const EXAMPLES: readonly ScriptedExample[] = [
  { generation: "right", probes: "rrrrr" },
  { generation: "right", probes: "rrw" },
  { generation: "wrong", probes: "rrr" },
  { generation: "wrong", probes: "wrrrr" },
  { generation: "wrong", probes: "rwwrr" },
  { generation: "none", probes: "rrwrw" },
  { generation: "right", probes: "rrrwr" },
  { generation: "wrong", probes: "rrrrl" },
];

interface Cell {
  readonly fails: string;
  readonly value: number | null;
  readonly ci_low: number | null;
  readonly ci_high: number | null;
  readonly count: number;
  readonly n: number;
  readonly lost: number;
  readonly example_ids: readonly string[];
}

interface Share {
  readonly count: number;
  readonly n: number;
}

interface Group {
  readonly group_by: string;
  readonly group: string;
  readonly failures: readonly { acr: string; examples: number; failed_generations: number; cells: readonly Cell[] }[];
  readonly chain: readonly { step: string; overall: Share; after_right: Share | null; after_wrong: Share | null }[];
}

interface FailuresJson {
  readonly match: string;
  readonly analyses: readonly {
    readonly model: string;
    readonly runs: readonly { folder: string; forms: readonly string[] }[];
    readonly examples: number;
    readonly groups: readonly Group[];
  }[];
}

let model = "";

async function ask(name: string, ...more: string[]): Promise<void> {
  const args = ["run", "--model", model, "--limit", "8", ...more, "--out", path(name), "--quiet"];
  const { code, stderr } = await runProbe(args);
  expect(stderr).toBe("");
  // The scripted model leaves out an answer and a generation.
  expect(code).toBe(4);
}

const failures = (...args: string[]): Promise<CliResult> => runProbe(["failures", ...args], { cwd: folder });

async function failuresJson(...args: string[]): Promise<FailuresJson> {
  const { code, stdout, stderr } = await failures(...args, "--json");
  expect(stderr).toBe("");
  expect(code).toBe(0);
  return JSON.parse(stdout) as FailuresJson;
}

/** The files of a run. */
const contentOf = (name: string) =>
  readdirSync(path(name)).map((file) => [file, readFileSync(join(path(name), file), "utf8")]);

let before: ReturnType<typeof contentOf>;

const countsOf = (group: Group) =>
  Object.fromEntries(
    group.failures.map(({ acr, cells }) => [
      acr,
      Object.fromEntries(cells.map(({ fails, count, n }) => [fails, `${count}/${n}`])),
    ]),
  );

beforeAll(async () => {
  model = await failingModel(folder, EXAMPLES);
  await ask("whole", "--task", "ACR,CTR,CL,SI");
  before = contentOf("whole");
});

describe("probe failures of a run with known failures", () => {
  let document: FailuresJson;
  let overall: Group;

  beforeAll(async () => {
    document = await failuresJson("whole");
    overall = document.analyses[0]!.groups[0]!;
  });

  it("gives Table 3 and its mirror, worked out by hand", () => {
    expect(document).toMatchObject({ match: "em", analyses: [{ examples: 8, runs: [{ folder: "whole" }] }] });
    expect(countsOf(overall)).toEqual({
      // Examples 2, 3, 4, 5, 7; SI was asked of 3, 4, 5, 7.
      non_match: {
        CTR: "1/5",
        CL_easy: "1/5",
        CL_hard: "2/5",
        CL: "2/5",
        SI_easy: "0/4",
        SI_hard: "2/4",
        SI: "2/4",
        any: "4/5",
        none: "1/5",
      },
      // Examples 0, 1, 6; SI was asked of 0 and 6.
      match: {
        CTR: "0/3",
        CL_easy: "0/3",
        CL_hard: "1/3",
        CL: "1/3",
        SI_easy: "1/2",
        SI_hard: "0/2",
        SI: "1/2",
        any: "2/3",
        none: "1/3",
      },
      all: {
        CTR: "1/8",
        CL_easy: "1/8",
        CL_hard: "3/8",
        CL: "3/8",
        SI_easy: "1/6",
        SI_hard: "2/6",
        SI: "3/6",
        any: "6/8",
        none: "2/8",
      },
    });
  });

  it("has intervals, and counts the generations and questions that were lost", () => {
    const [nonMatch, match] = overall.failures;
    expect([nonMatch!.failed_generations, match!.failed_generations]).toEqual([1, 0]);
    const cell = (name: string) => nonMatch!.cells.find(({ fails }) => fails === name)!;
    // Wilson, 2 of 5: 0.1176 to 0.7693.
    expect(cell("CL").value).toBe(0.4);
    expect(cell("CL").ci_low).toBeCloseTo(0.1176, 4);
    expect(cell("CL").ci_high).toBeCloseTo(0.7693, 4);
    expect([cell("SI_hard").lost, cell("any").lost, cell("CL").lost]).toEqual([1, 1, 0]);
  });

  it("names the examples behind each cell", () => {
    const ids = readTable(path("whole"), "generations.csv").map((row) => row["example_id"]!);
    const cell = (acr: string, name: string) =>
      overall.failures.find((row) => row.acr === acr)!.cells.find(({ fails }) => fails === name)!.example_ids;
    expect(cell("non_match", "SI")).toEqual([ids[5], ids[7]]);
    expect(cell("match", "any")).toEqual([ids[1], ids[6]]);
    expect(cell("non_match", "none")).toEqual([ids[2]]);
  });

  it("conditions the accuracy of each step on the earlier ones", () => {
    const shown = (share: Share | null) => (share === null ? null : `${share.count}/${share.n}`);
    expect(
      overall.chain.map(({ step, ...of }) => [step, shown(of.overall), shown(of.after_right), shown(of.after_wrong)]),
    ).toEqual([
      ["CTR", "7/8", null, null],
      // Wrong: 1, 4, 5. CTR is wrong on 3.
      ["CL", "5/8", "4/7", "1/1"],
      // Asked of 0, 3-7; wrong: 5, 6, 7. CTR and CL are right on 0, 6, 7 of them.
      ["SI", "3/6", "1/3", "2/3"],
      // Matches: 0, 1, 6. All asked is right on 0 and 2.
      ["ACR", "3/8", "1/2", "2/6"],
    ]);
  });

  it("prints the same for a reader", async () => {
    const { code, stdout, stderr } = await failures("whole", "--by", "language");
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toContain("ACR matches (em): 37.5 % (13.7–69.4) 3/8; failed generations, counted as non-matches: 1");
    expect(stdout).toMatch(/│ CL, either +│ +40\.0 % \(11\.8–76\.9\) 2\/5 │ +33\.3 % \(6\.1–79\.2\) 1\/3 │/);
    expect(stdout).toContain("lost only because orders failed or were undecided: SI hard 1, SI, either 1");
    expect(stdout).toMatch(/│ c +│ ACR matches +│ +3 │ +66\.7 %/);
    expect(stdout).toMatch(/ {2}match\.any +\S+ \S+\n/);
    expect(stdout).toMatch(/│ ACR +│ +37\.5 % .* 3\/8 │ +50\.0 % .* 1\/2 │ +33\.3 % .* 2\/6 │/);
  });

  it("groups by change type", async () => {
    const groups = (await failuresJson("whole", "--by", "change_type")).analyses[0]!.groups;
    expect(groups.map(({ group }) => group)).toEqual(["all", "add", "delete", "modify"]);
    // Deletions: example 1 matches and fails CL, 2 does not match and fails nothing; SI was not asked.
    expect(countsOf(groups[2]!)).toMatchObject({
      non_match: { CL: "0/1", SI: "0/0", any: "0/1" },
      match: { CL: "1/1", SI: "0/0", any: "1/1" },
    });
  });

  it("lists the examples of one cell as CSV", async () => {
    const { code, stdout, stderr } = await failures("whole", "--list", "match.any");
    expect([code, stderr]).toEqual([0, ""]);
    writeFileSync(path("list.csv"), stdout);
    const rows = readTable(folder, "list.csv");
    expect(rows.map((row) => [row["change_type"], row["cl_failed"], row["si_failed"], row["any_failed"]])).toEqual([
      ["delete", "true", "", "true"],
      ["modify", "false", "true", "true"],
    ]);
  });

  it("writes a row an example, and never over an existing file unless told to", async () => {
    const { stderr } = await failures("whole", "--out", "failures.csv");
    expect(stderr).toBe("Wrote 8 examples to failures.csv.\n");
    const rows = readTable(folder, "failures.csv");
    expect(rows.map((row) => row["acr_match"])).toEqual(
      EXAMPLES.map(({ generation }) => String(generation === "right")),
    );
    expect(rows[5]).toMatchObject({ acr_status: "failed", cl_easy_failed: "false", cl_hard_failed: "true" });
    expect(rows[7]).toMatchObject({ si_hard_failed: "true", lost_questions: "1" });
    const again = await failures("whole", "--out", "failures.csv");
    expect([again.code, again.stderr]).toEqual([2, expect.stringContaining("add --overwrite")]);
    expect((await failures("whole", "--out", "failures.csv", "--overwrite")).code).toBe(0);
  });

  it("judges by another match when told to", async () => {
    // The paper's script drops two characters of every line: only a line-numbered generation can match. None is.
    const paper = await failuresJson("whole", "--match", "paper_em");
    expect(paper.match).toBe("paper_em");
    expect(paper.analyses[0]!.groups[0]!.failures.map(({ examples }) => examples)).toEqual([8, 0, 8]);
  });
});

describe("runs that lack something", () => {
  beforeAll(async () => {
    await ask("acr", "--task", "ACR");
    await ask("probes", "--task", "CTR,CL,SI");
  });

  it("are refused with the command that asks for the rest, which works", async () => {
    const { code, stdout, stderr } = await failures("acr");
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain("found acr without CTR, CL easy, CL hard, SI easy, SI hard.");
    const command = /^ {2}probe (run .*)$/m.exec(stderr)![1]!;
    expect(command).toBe(`run --model ${model} --task CTR,CL,SI --dataset starter --limit 8 --out acr-rest`);
    expect((await runProbe([...command.split(" "), "--quiet"], { cwd: folder })).code).toBe(4);
    expect((await failures("acr", "acr-rest")).code).toBe(0);
  });

  it("are joined when they are of the same model and examples, and give what one run gives", async () => {
    const joined = (await failuresJson("acr", "probes")).analyses;
    const whole = (await failuresJson("whole")).analyses;
    expect(joined).toHaveLength(1);
    expect(joined[0]!.groups).toEqual(whole[0]!.groups);
    expect(joined[0]!.runs.map(({ forms }) => forms)).toEqual([
      ["ACR"],
      ["CTR", "CL easy", "CL hard", "SI easy", "SI hard"],
    ]);
  });

  it("stand side by side with others", async () => {
    const { code, stdout } = await failures("whole", "oracle", "acr", "probes");
    expect(code).toBe(0);
    const [nonMatches, matches] = stdout
      .slice(stdout.indexOf("Share of ACR non-matches that fails"))
      .split("\nShare of ");
    expect(nonMatches).toMatch(/│ whole +│ +5 │ +80\.0 │/);
    expect(nonMatches).toMatch(/│ oracle +│ +0 │ +– │/);
    expect(matches).toMatch(/│ acr \+ probes +│ +3 │ +66\.7 │/);
  });

  it("are refused while they are unfinished", async () => {
    const copy = path("unfinished");
    cpSync(path("whole"), copy, { recursive: true });
    const journal = join(copy, "generations.jsonl");
    rewriteJournal(journal, journalRecords(journal).slice(0, 6));
    const { code, stderr } = await failures("unfinished");
    expect(code).toBe(2);
    expect(stderr).toContain("found 2 of 8 generations missing. Finish it first: probe run --resume unfinished");
    appendFileSync(journal, "nonsense\n");
    // Behind the header and six generations.
    expect((await failures("unfinished")).stderr).toContain("generations.jsonl:8: expected a generation of a run");
  });

  it("leaves a run as it was", () => {
    expect(contentOf("whole")).toEqual(before);
  });
});
