import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runProbe } from "../fixtures/cli.js";
import { MINI } from "../fixtures/reference.js";
import { comparableTable, readTable } from "../fixtures/tables.js";
import { temporaryFolder } from "../fixtures/temporary-folder.js";

const folder = temporaryFolder();
const at = (name: string) => join(folder, name);
const probe = (...args: readonly string[]) => runProbe(args, { cwd: folder });

/** What the page of these runs says at its head. */
async function headOf(...runs: readonly string[]): Promise<string> {
  const page = `${runs.join("-")}.html`;
  expect(await probe("report", ...runs, "--out", page)).toMatchObject({ code: 0 });
  return /<header.*<\/header>/.exec(readFileSync(at(page), "utf8"))?.[0] ?? "";
}

describe("probe run --shard and probe merge", () => {
  const asked = ["run", "--model", "tiny", "--dataset", MINI, "--task", "CTR", "--limit", "4", "--quiet"];

  it("two shares of the bundled model, merged, have the tables of one run, and can be compared with it", async () => {
    expect(await probe(...asked, "--out", "whole")).toMatchObject({ code: 0 });
    for (const share of [1, 2]) {
      const { code, stdout } = await probe(...asked, "--shard", `${share}/2`, "--out", `share-${share}`);
      expect(code).toBe(0);
      expect(stdout).toContain(`tiny · share ${share}/2 · 2 examples · 12 answers`);
    }
    expect(await headOf("share-1")).toContain(" · share 1/2 · 2 examples · ");
    expect(await headOf("whole", "share-2")).toMatch(/ · tiny · [^ ]+: share 2\/2 · /);
    const { code, stdout } = await probe("merge", "share-2", "share-1", "--out", "merged", "--json");
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ folder: "merged", run: { status: "complete", planned_answers: 24 } });
    for (const table of ["answers.csv", "questions.csv", "summary.csv"])
      expect(comparableTable(at("merged"), table)).toEqual(comparableTable(at("whole"), table));
    expect((await probe("compare", "merged", "whole")).stdout).toContain(
      "4 examples, 4 questions, the same in both runs",
    );
    expect(await headOf("merged")).not.toContain("share");
    expect((await probe("merge", "share-1", "--out", "half")).stderr).toContain("found no share 2/2");
  });

  it("goes on with a share as a share, and takes it for no other", async () => {
    const other = await probe(...asked, "--shard", "2/2", "--out", "share-1");
    expect(other).toMatchObject({ code: 2 });
    expect(other.stderr).toMatch(/shard: the run has "1\/2", this command "2\/2"/);
    const again = await probe("run", "--resume", "share-1");
    expect(again.stderr).toContain("12 of 12 answers are there; nothing is left to ask.");
    expect(again.code).toBe(0);
  });

  it("refuses what is no share", async () => {
    for (const shard of ["0/2", "3/2"]) {
      const { code, stderr } = await probe(...asked, "--shard", shard, "--out", "none");
      expect(code).toBe(2);
      expect(stderr).toContain(`Expected i/n, such as 2/4 for --shard, found "${shard}".`);
    }
  });
});

describe("probe suite run --shard", () => {
  const TIMES = ["run_id", "duration_ms", "grading_ms"];
  const withoutTimes = (name: string, table: string) =>
    readTable(at(name), table).map((row) =>
      Object.fromEntries(Object.entries(row).filter(([column]) => !TIMES.includes(column))),
    );
  const asked = [
    "suite",
    "run",
    "swe-atlas",
    "--agent",
    "scripted:noop",
    "--task-id",
    "task-spoiled-entries,task-sweep-tests",
    "--trials",
    "2",
    "--sandbox",
    "none",
    "--quiet",
  ];

  it("two shares have whole tasks, and merged the tables and artifacts of one run", async () => {
    expect(await probe(...asked, "--out", "suite-whole")).toMatchObject({ code: 0 });
    for (const share of [1, 2]) {
      expect(await probe(...asked, "--shard", `${share}/2`, "--out", `suite-${share}`)).toMatchObject({ code: 0 });
      // One of the two tasks, both of its trials.
      expect(readTable(at(`suite-${share}`), "trials.csv")).toHaveLength(2);
    }
    expect(await probe("report", "suite-1", "--out", "suite-1.html")).toMatchObject({ code: 0 });
    expect(readFileSync(at("suite-1.html"), "utf8")).toContain("scripted:noop · share 1/2 · 1 task");
    expect(await probe("merge", "suite-1", "suite-2", "--out", "suite-merged")).toMatchObject({ code: 0 });
    for (const table of ["trials.csv", "validity.csv", "summary.csv"])
      expect(withoutTimes("suite-merged", table)).toEqual(withoutTimes("suite-whole", table));
    const artifacts = (name: string) => readdirSync(join(at(name), "artifacts"), { recursive: true }).toSorted();
    expect(artifacts("suite-merged")).toEqual(artifacts("suite-whole"));
    expect((await probe("merge", "suite-1", "share-2", "--out", "mixed")).stderr).toMatch(/suite: .*swe-atlas/);
    const fine = await probe(...asked, "--shard", "3/3", "--out", "fine");
    expect(fine.stderr).toContain("Expected --shard i/n with n up to 2, as many as there are tasks, found 3");
  });
});
