import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runProbe } from "../fixtures/cli.js";
import type { ComparedDocument } from "../fixtures/comparison.js";
import { readTable, type TableRow } from "../fixtures/tables.js";
import { temporaryFolder } from "../fixtures/temporary-folder.js";

/**
 * Folders that commit 09071af wrote: journals without a header and without checksums, no floors.jsonl. The command:
 * `run --model scripted:uniform --seed 1 --limit 2 --task CTR,CL,ACR --difficulty hard --language python,go
 * --dataset test/reference/mini.jsonl`. 2 examples: 2 CTR and 2 CL questions, 2 · 6 + 2 · 24 = 60 answers, 2 generations.
 * `interrupted` is the same run with 40 answers and 100 bytes of the 41st, and no generation.
 */
const OLD = join(import.meta.dirname, "../reference/old-run");
/** Where the dataset that `run.json` names is found. */
const ROOT = join(import.meta.dirname, "../..");
const ANSWERS = 60;
const folder = temporaryFolder();

function copyOf(name: "complete" | "interrupted", as: string): string {
  const out = join(folder, as);
  cpSync(join(OLD, name), out, { recursive: true });
  return out;
}

const linesOf = (path: string) => readFileSync(path, "utf8").trimEnd().split("\n");

/** Since then computed in another order of additions, so not to the last bit. */
const NOT_TO_THE_BIT = ["plurality_agreement_null", "mcsb_p_value"];

/** What names a row of `summary.csv`. */
const keyOf = ({ task, difficulty, group_by: by, group, metric }: TableRow) =>
  [task, difficulty, by, group, metric].join(" ");

/** A table now, as far as the old program had its columns. */
function oldColumns(out: string, table: string): TableRow[] {
  const names = Object.keys(readTable(join(OLD, "complete"), table)[0] ?? {});
  return readTable(out, table).map((row) => Object.fromEntries(names.map((name) => [name, row[name] ?? "no column"])));
}

/** Intervals are by cluster since, and Student's where questions are few. */
const withoutInterval = (row: TableRow | undefined) => row && { ...row, ci_low: "", ci_high: "" };

/** Makes sure that all tables of the old program are there, with new columns and rows beside theirs. */
function expectOldTables(out: string): void {
  for (const table of ["answers.csv", "questions.csv", "generations.csv"]) {
    const withoutTime = (rows: readonly TableRow[]) => rows.map((row) => ({ ...row, duration_ms: "" }));
    expect(withoutTime(oldColumns(out, table))).toEqual(withoutTime(readTable(join(OLD, "complete"), table)));
  }
  // Intervals have been taken by cluster since then: the values are as they were.
  const withoutIntervals = (rows: readonly TableRow[]) =>
    rows.map((row): TableRow => ({ ...row, ci_low: "", ci_high: "", note: "" }));
  const then = withoutIntervals(readTable(join(OLD, "complete"), "summary.csv"));
  const now = withoutIntervals(oldColumns(out, "summary.csv"));
  const found = new Map(now.map((row) => [keyOf(row), row]));
  for (const row of then) {
    const own = found.get(keyOf(row));
    if (!NOT_TO_THE_BIT.includes(row["metric"] ?? "")) {
      expect(withoutInterval(own)).toEqual(withoutInterval(row));
      continue;
    }
    expect({ ...withoutInterval(own), value: "" }).toEqual({ ...withoutInterval(row), value: "" });
    expect(Number(own?.["value"])).toBeCloseTo(Number(row["value"]), 12);
  }
}

describe("a complete run that an earlier version recorded", () => {
  it("is scored to the tables of that version, without a model and without its data", async () => {
    const out = copyOf("complete", "scored");
    const { code, stderr } = await runProbe(["score", out], { cwd: folder });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expectOldTables(out);
  });

  it("keeps its journals as they are when it is asked for again: nothing is left to ask", async () => {
    const out = copyOf("complete", "again");
    const { code, stderr } = await runProbe(["run", "--resume", out], { cwd: ROOT });
    expect(stderr).toContain("nothing is left to ask");
    expect(code).toBe(0);
    for (const journal of ["answers.jsonl", "generations.jsonl"]) {
      expect(readFileSync(join(out, journal))).toEqual(readFileSync(join(OLD, "complete", journal)));
    }
    expectOldTables(out);
    // The floors are measured now: one line a question besides the header.
    expect(linesOf(join(out, "floors.jsonl"))).toHaveLength(1 + 4);
    expect(readTable(out, "summary.csv").map(({ metric }) => metric)).toContain("floor_medoid");
  });

  it("is shown on a page", async () => {
    const page = join(folder, "old.html");
    const { code, stderr } = await runProbe(["report", copyOf("complete", "shown"), "--out", page]);
    expect({ code, stderr: stderr.replace(/^.*old\.html.*\n/, "") }).toEqual({ code: 0, stderr: "" });
    expect(readFileSync(page, "utf8")).toContain("scripted:uniform");
  });

  it("is compared with a run of today: the same answers, no difference", async () => {
    const out = copyOf("complete", "compared");
    const [files, now] = [readdirSync(out), join(folder, "now")];
    const questions = ["--task", "CTR,CL,ACR", "--difficulty", "hard", "--language", "python,go", "--limit", "2"];
    const data = ["--dataset", "test/reference/mini.jsonl", "--seed", "1", "--out", now, "--quiet"];
    const run = await runProbe(["run", "--model", "scripted:uniform", ...questions, ...data], { cwd: ROOT });
    expect({ code: run.code, stderr: run.stderr }).toEqual({ code: 0, stderr: "" });
    const { code, stdout } = await runProbe(["compare", out, now, "--json"]);
    expect(code).toBe(0);
    const { rows } = (JSON.parse(stdout) as ComparedDocument).comparisons[0]!;
    // CTR, CL hard, both; ACR. No question is right in one run alone.
    expect(rows.map(({ task, scope }) => task ?? scope)).toEqual(["CTR", "CL", "overall", "ACR"]);
    for (const row of rows) expect(row).toMatchObject({ only_baseline: 0, only_candidate: 0, p_value: 1 });
    expect(readdirSync(out)).toEqual(files);
  });
});

describe("an interrupted run that an earlier version recorded", () => {
  it("is finished, and nothing is asked twice: the tables of the uninterrupted run", async () => {
    const out = copyOf("interrupted", "resumed");
    const { code, stderr } = await runProbe(["run", "--resume", out], { cwd: ROOT });
    expect(stderr).toContain("40 of 60 answers and 0 of 2 generations are there; asking the rest.");
    expect(stderr).toContain("Dropped a torn last line of answers.jsonl (100 bytes)");
    expect(code).toBe(0);
    expectOldTables(out);
    // A journal goes on in the form that it has: no header, no checksums.
    const [answers, then] = [linesOf(join(out, "answers.jsonl")), linesOf(join(OLD, "complete/answers.jsonl"))];
    expect(answers).toHaveLength(ANSWERS);
    expect(answers.slice(0, 40)).toEqual(then.slice(0, 40));
    // One begun now has a header.
    expect(linesOf(join(out, "generations.jsonl"))).toHaveLength(1 + 2);
  });

  it("goes on between its generations too", async () => {
    const out = copyOf("complete", "between");
    const journal = join(out, "generations.jsonl");
    const [first] = linesOf(journal);
    writeFileSync(journal, `${first}\n`);
    const { code, stderr } = await runProbe(["run", "--resume", out], { cwd: ROOT });
    expect(stderr).toContain("60 of 60 answers and 1 of 2 generations are there; asking the rest.");
    expect(code).toBe(0);
    expectOldTables(out);
    expect(linesOf(journal)).toHaveLength(2);
    expect(linesOf(journal)[0]).toBe(first);
  });

  it("is finished by the command that began it", async () => {
    const out = copyOf("interrupted", "same");
    const args = ["--model", "scripted:uniform", "--seed", "1", "--limit", "2", "--task", "CTR,CL,ACR"];
    const data = ["--difficulty", "hard", "--language", "python,go", "--dataset", "test/reference/mini.jsonl"];
    const { code } = await runProbe(["run", ...args, ...data, "--out", out], { cwd: ROOT });
    expect(code).toBe(0);
    expectOldTables(out);
  });

  it("is not finished with another seed: the difference is named", async () => {
    const out = copyOf("interrupted", "other");
    const { code, stderr } = await runProbe(["run", "--resume", out, "--seed", "2"], { cwd: ROOT });
    expect(stderr).toContain("parameter seed: the run has 1, this command 2");
    expect(code).toBe(2);
    expect(readFileSync(join(out, "answers.jsonl"))).toEqual(readFileSync(join(OLD, "interrupted/answers.jsonl")));
  });

  it("is not compared: it is said how to go on", async () => {
    const out = copyOf("interrupted", "cut");
    const file = join(out, "run.json");
    // Else it would be the same run twice.
    writeFileSync(file, readFileSync(file, "utf8").replace(/"run_id": "[^"]+"/, '"run_id": "another"'));
    const { code, stdout, stderr } = await runProbe(["compare", copyOf("complete", "whole"), out]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(`probe run --resume ${out}`);
  });
});
