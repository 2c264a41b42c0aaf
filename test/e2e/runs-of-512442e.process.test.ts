import { createHash } from "node:crypto";
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { type CliResult, runProbe } from "../fixtures/cli.js";
import type { ComparedDocument } from "../fixtures/comparison.js";
import { type JournalRecord, journalRecords, rewriteJournal } from "../fixtures/journal-file.js";
import { readTable, type TableRow } from "../fixtures/tables.js";
import { temporaryFolder } from "../fixtures/temporary-folder.js";
import { isRunnerMissing } from "../fixtures/test-runner.js";

/** Folders that commit 512442e wrote; README.md beside them has the commands. */
const RECORDED = join(import.meta.dirname, "../reference/runs-512442e");
/** Where the data that the records name are found. */
const ROOT = join(import.meta.dirname, "../..");
const folder = temporaryFolder();

const REVIEW_RUNS = ["early-stop", "every-order", "tiny", "shard-1"] as const;
const SUITE_RUNS = ["refactorbench", "swe-atlas", "codetaste", "smellbench"] as const;
type ReviewRun = (typeof REVIEW_RUNS)[number];
type SuiteRun = (typeof SUITE_RUNS)[number];
type Recorded = ReviewRun | SuiteRun | "shard-2" | "audit";

const probe = (...args: readonly string[]) => runProbe(args, { cwd: ROOT });

/** A copy to work on, its compressed table unpacked. */
function copyOf(name: Recorded, kind: "complete" | "interrupted", as: string): string {
  const out = join(folder, as);
  cpSync(join(RECORDED, name, kind), out, { recursive: true });
  for (const file of readdirSync(out).filter((each) => each.endsWith(".gz"))) {
    writeFileSync(join(out, file.slice(0, -3)), gunzipSync(readFileSync(join(out, file))));
    rmSync(join(out, file));
  }
  return out;
}

/** Columns that a resumed run and an uninterrupted one may differ in; the last five are of published tables. */
const MAY_DIFFER =
  /^(run_id|duration_ms|grading_ms|cached_tokens|duration_min|experiment_id|result_id|result_created_at|source_export)$/;
/** Relative; another processor computes other last digits of the bundled model's log probabilities. */
const TOLERANCE = 1e-4;

function isClose(now: string | undefined, then: string): boolean {
  if (now === then) return true;
  if (now === undefined || now === "" || then === "") return false;
  return Math.abs(Number(now) - Number(then)) <= TOLERANCE * Math.max(1, Math.abs(Number(then)));
}

/** Columns that have been made otherwise since: intervals by cluster, and a look at tampering in every suite. */
const SINCE = /^(ci_low|ci_high|interval|note|tampered)$/;

/** The columns that the table had then; what is close to a number of then is that number. */
function rowsLike(now: readonly TableRow[], then: readonly TableRow[]): TableRow[] {
  // Trials that are made now have scores that there were none of.
  const metrics = new Set(then.map((row) => row["metric"]));
  const known = now.filter((row) => metrics.has(row["metric"]));
  return known.map((row, i) => {
    if (row["metric"] === "tampered") return {};
    const columns = Object.keys(then[i] ?? row).filter((column) => !MAY_DIFFER.test(column) && !SINCE.test(column));
    return Object.fromEntries(
      columns.map((column) => {
        const [own, old] = [row[column], then[i]?.[column]];
        return [column, old !== undefined && isClose(own, old) ? old : (own ?? "no column")];
      }),
    );
  });
}

/** Makes sure that a folder has all tables that the complete run had. */
function expectTablesOf(name: Recorded, out: string): void {
  const complete = join(folder, `tables-${name}`);
  if (!existsSync(complete)) copyOf(name, "complete", `tables-${name}`);
  const tables = readdirSync(complete).filter((file) => file.endsWith(".csv"));
  expect(tables.length).toBeGreaterThan(2);
  for (const table of tables) {
    const then = readTable(complete, table);
    expect(rowsLike(readTable(out, table), then), table).toEqual(rowsLike(then, then));
  }
}

/**
 * A run of agents is resumed with the tools and the data that it began with; text of the refusal where these are others
 * (SmellBench's own cases are more than then), else null.
 */
function otherTools({ code, stderr }: CliResult): string | null {
  const found = stderr.match(
    /^ {2}(?:dataset (?:runtime )?sha256|judge answers_sha256|tool \S+|dataset tool \S+): the run has .*$/gm,
  );
  return code === 2 && found !== null ? found.join() : null;
}

const resumeSuite = (name: SuiteRun, out: string) =>
  probe("suite", "run", name, "--resume", out, "--sandbox", "none", "--quiet");

describe("an interrupted run that commit 512442e recorded is resumed", () => {
  it.each(REVIEW_RUNS)("%s: the tables of the complete one, and no answer asked twice", async (name) => {
    const out = copyOf(name, "interrupted", `resumed-${name}`);
    const lines = (path: string) => readFileSync(path, "utf8").trimEnd().split("\n");
    const before = lines(join(out, "answers.jsonl")).slice(0, -1);
    const { code, stderr } = await probe("run", "--resume", out);
    expect(stderr).toMatch(/\d+ of \d+ answers and [01] of \d generations? are there; asking the rest\./);
    expect(stderr).toContain("Dropped a torn last line of answers.jsonl");
    expect(code).toBe(0);
    expectTablesOf(name, out);
    const after = lines(join(out, "answers.jsonl"));
    expect(after.slice(0, before.length)).toEqual(before);
    expect(after).toHaveLength(lines(join(RECORDED, name, "complete/answers.jsonl")).length);
  });

  it.for(SUITE_RUNS)("%s: the tables of the complete one", async (name, { skip }) => {
    if (name === "refactorbench" && isRunnerMissing) skip("no test runner");
    const out = copyOf(name, "interrupted", `resumed-${name}`);
    const result = await resumeSuite(name, out);
    const tools = otherTools(result);
    if (tools !== null) skip(`recorded with other tools or data: ${tools}`);
    expect(result).toMatchObject({ code: 0, stderr: "" });
    expectTablesOf(name, out);
  });

  it("audit: the tables of the complete one", async () => {
    const out = copyOf("audit", "interrupted", "resumed-audit");
    expect(await probe("audit", "--resume", out, "--quiet")).toMatchObject({ code: 0, stderr: "" });
    expectTablesOf("audit", out);
  });

  it("a share is merged with one that was complete then", async () => {
    const [first, second] = [copyOf("shard-1", "interrupted", "first"), copyOf("shard-2", "complete", "second")];
    expect((await probe("run", "--resume", first, "--quiet")).code).toBe(0);
    const merged = join(folder, "merged");
    expect(await probe("merge", first, second, "--out", merged)).toMatchObject({ code: 0, stderr: "" });
    // Four examples, six orders.
    expect(readTable(merged, "answers.csv")).toHaveLength(24);
    expect(readTable(merged, "generations.csv")).toHaveLength(4);
  });
});

describe("a complete run that commit 512442e recorded", () => {
  it.each([...REVIEW_RUNS, ...SUITE_RUNS])("%s is scored to the same tables, without its data", async (name) => {
    const out = copyOf(name, "complete", `scored-${name}`);
    const tables = readdirSync(out).filter((file) => file.endsWith(".csv"));
    for (const table of tables) rmSync(join(out, table));
    expect(await runProbe(["score", out], { cwd: folder })).toMatchObject({ code: 0, stderr: "" });
    expectTablesOf(name, out);
  });

  it("is listed", async () => {
    const shelf = "listed";
    for (const name of [...REVIEW_RUNS, ...SUITE_RUNS]) copyOf(name, "complete", `${shelf}/${name}`);
    const { code, stdout } = await probe("runs", join(folder, shelf), "--json");
    expect(code).toBe(0);
    const { runs } = JSON.parse(stdout) as { readonly runs: readonly { readonly state: string }[] };
    expect(runs.map(({ state }) => state)).toEqual(Array.from({ length: 8 }, () => "complete"));
  });

  it("is shown on a page beside runs of other suites", async () => {
    const runs = [...REVIEW_RUNS, ...SUITE_RUNS].map((name) => copyOf(name, "complete", `shown-${name}`));
    const page = join(folder, "page.html");
    const { code } = await probe("report", ...runs, "--out", page);
    expect(code).toBe(0);
    for (const text of ["scripted:uniform", "scripted:gold", "task-spoiled-entries"])
      expect(readFileSync(page, "utf8")).toContain(text);
  });

  it.each(["early-stop", "every-order", "swe-atlas", "codetaste"] as const)(
    "%s is compared with the same run, recorded at another time: no difference",
    async (name) => {
      const [first, second] = [copyOf(name, "complete", `left-${name}`), copyOf(name, "complete", `right-${name}`)];
      const file = join(second, "run.json");
      // Else it would be the same run twice; the checksum is of a record that was not changed.
      const { crc: _, ...run } = JSON.parse(readFileSync(file, "utf8"));
      writeFileSync(file, JSON.stringify({ ...run, run_id: "another" }));
      const { code, stdout } = await probe("compare", first, second, "--json");
      expect(code).toBe(0);
      const rows = (JSON.parse(stdout) as ComparedDocument).comparisons.flatMap((each) => each.rows);
      expect(rows.length).toBeGreaterThan(0);
      for (const { p_value } of rows) expect(p_value ?? 1).toBe(1);
    },
  );
});

it("a run of refactorbench whose headline was made by the earlier rule is not held against one of today's without a word", async () => {
  const [then, now] = [copyOf("refactorbench", "complete", "then"), copyOf("refactorbench", "complete", "now")];
  const { crc: _, ...run } = JSON.parse(readFileSync(join(now, "run.json"), "utf8"));
  writeFileSync(join(now, "run.json"), JSON.stringify({ ...run, run_id: "another" }));
  const journal = join(now, "trials.jsonl");
  const judged = journalRecords(journal).map((trial) => {
    const scores = trial["scores"] as JournalRecord;
    return { ...trial, scores: { ...scores, decomposed_lenient: scores["decomposed"] } };
  });
  rewriteJournal(journal, judged);
  const { stdout } = await probe("compare", then, now);
  expect(stdout.replace(/\s+/g, " ")).toContain(
    'also differ in: rules of scores "a tenth shorter (decomposed_lenient of today)" / "a quarter less code, half of it in no other file"',
  );
  const page = join(folder, "rules.html");
  expect((await probe("report", then, now, "--out", page)).code).toBe(0);
  expect(readFileSync(page, "utf8")).toContain("Scores were made by different rules");
});

describe("a run recorded by a program that did not know a parameter", () => {
  /** Takes it out of the record, and out of the fingerprint in the heads of the journals. */
  function forget(out: string, name: string): void {
    const path = join(out, "run.json");
    const { crc: _, ...run } = JSON.parse(readFileSync(path, "utf8"));
    const { source: __, ...data } = run.dataset;
    const fingerprint = () =>
      createHash("sha256")
        .update(JSON.stringify([run.model.label, run.model.identity, data, run.parameters, run.prompts]))
        .digest("hex");
    const then = fingerprint();
    delete run.parameters[name];
    writeFileSync(path, JSON.stringify(run, null, 2));
    for (const file of readdirSync(out).filter((each) => each.endsWith(".jsonl"))) {
      const text = readFileSync(join(out, file), "utf8");
      expect(text, file).toContain(then);
      writeFileSync(join(out, file), text.replace(then, fingerprint()));
    }
  }

  it.each(["skip_invalid", "early_stop"])("is resumed: %s has its default", async (name) => {
    const out = copyOf("every-order", "interrupted", `unknown-${name}`);
    forget(out, name);
    const { code, stderr } = await probe("run", "--resume", out);
    expect(stderr).not.toContain(`parameter ${name}: the run has none`);
    expect(code).toBe(0);
    expectTablesOf("every-order", out);
  });
});
