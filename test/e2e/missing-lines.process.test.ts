import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { readRunFile, writeRunFile } from "../../src/suites/codereviewqa/record/run-file.js";
import { runProbe } from "../fixtures/cli.js";
import { journalRecords, rewriteJournal } from "../fixtures/journal-file.js";
import { MINI } from "../fixtures/reference.js";
import { readTable } from "../fixtures/tables.js";
import { temporaryFolder } from "../fixtures/temporary-folder.js";

const folder = temporaryFolder();
const at = (name: string) => join(folder, name);
const probe = (...args: readonly string[]) => runProbe(args, { cwd: folder });

// Three questions of six orders, and three generations.
beforeAll(async () => {
  const what = ["--dataset", MINI, "--task", "CTR,ACR", "--limit", "3", "-q", "--out", at("whole")];
  expect((await probe("run", "--model", "scripted:uniform", ...what)).code).toBe(0);
  expect((await probe("run", "--model", "scripted:oracle", ...what.slice(0, -1), at("other"))).code).toBe(0);
});

/** The run, in which the last lines of a journal are gone. */
function without(journal: string, lines: number): string {
  const name = `${journal}-${lines}`;
  cpSync(at("whole"), at(name), { recursive: true });
  const path = join(at(name), `${journal}.jsonl`);
  rewriteJournal(path, journalRecords(path).slice(0, -lines));
  return name;
}

it("the page of a run that asks each order twice tells what is left as score does: questions, whichever time they lack", async () => {
  const what = ["--dataset", MINI, "--task", "CTR", "--limit", "3", "--repeats", "2", "-q", "--out", at("twice")];
  expect((await probe("run", "--model", "scripted:uniform", ...what)).code).toBe(0);
  const path = join(at("twice"), "answers.jsonl");
  // Of the third question one order lacks its first time; of the second, one its second time.
  const records = journalRecords(path);
  const examples = [...new Set(records.map((record) => record["example_id"]))];
  const gone = [1, 2].map((question) =>
    records.findIndex(
      (record) => record["example_id"] === examples[question] && (record["repeat"] ?? 0) === 2 - question,
    ),
  );
  rewriteJournal(
    path,
    records.filter((_, i) => !gone.includes(i)),
  );
  const says =
    "Missing from the journals of a run that was complete: 2 of 3 questions with orders that have no answer yet";
  expect((await probe("score", "twice")).stdout.replace(/\s+/g, " ")).toContain(says);
  expect((await probe("report", "twice", "--out", "twice.html")).code).toBe(0);
  expect(readFileSync(at("twice.html"), "utf8")).toContain(says);
});

describe.each([
  ["answers", 7, "2 of 3 questions with orders that have no answer yet", "CTR", "7 of 18 are missing"],
  ["generations", 1, "1 of 3 generations missing", "ACR", "1 of 3 are missing"],
] as const)("a complete run whose %s.jsonl lacks %d lines", (journal, lines, found, task, note) => {
  const name = without.bind(null, journal, lines);
  const says = `Missing from the journals of a run that was complete: ${found}`;

  it("is told of on the terminal, as JSON and by the exit code, with the command that asks them again", async () => {
    const run = name();
    const scored = await probe("score", run);
    expect(scored.stdout.replace(/\s+/g, " ")).toContain(says);
    expect(scored.stdout.replace(/\s+/g, " ")).toContain(`probe run --resume ${run}`);
    expect(scored.code).toBe(4);
    const json = await probe("score", run, "--json");
    expect(JSON.parse(json.stdout).warnings).toEqual([expect.stringContaining(says)]);
  });

  it("is an error for a CI server, and told of in its summary", async () => {
    const files = ["--junit", at(`${journal}-${lines}.xml`), "--github-summary"];
    const summary = at(`${journal}-${lines}.md`);
    await runProbe(["score", name(), ...files], { cwd: folder, env: { GITHUB_STEP_SUMMARY: summary } });
    expect(readFileSync(at(`${journal}-${lines}.xml`), "utf8")).toMatch(
      /<error type="incomplete" message="\d+ of \d+ /,
    );
    expect(readFileSync(summary, "utf8")).toContain(says);
  });

  it("is told of on the page, in the table, and in the list of runs; it is not compared", async () => {
    const run = name();
    expect((await probe("report", run, "--out", `${run}.html`)).code).toBe(0);
    expect(readFileSync(at(`${run}.html`), "utf8")).toContain(says);
    await probe("score", run);
    const row = readTable(at(run), "summary.csv").find(
      (each) => each["metric"] === "failure_rate" && each["task"] === task && each["group_by"] === "overall",
    );
    expect(row?.["note"]).toContain(note);
    const { stdout: list } = await probe("runs", folder);
    const number = new RegExp(`^(\\d+): .*${run}$`, "m").exec(list)?.[1] ?? "none";
    expect(list).toMatch(new RegExp(`│ +${number} │.* unfinished `));
    const compared = await probe("compare", run, "other");
    expect([compared.code, compared.stderr]).toEqual([2, expect.stringContaining("Expected a finished run in")]);
  });
});

it("a run that was killed is no result: score says so and ends with 4, its page and every table of it with others call it unfinished", async () => {
  const run = without("answers", 7);
  await writeRunFile(at(run), { ...(await readRunFile(at(run))), status: "running" });
  const scored = await probe("score", run, "--fail-under", "CTR=0", "--fail-under", "ACR=0");
  expect(scored.stdout.replace(/\s+/g, " ")).toContain(
    `Incomplete: 11 of 18 answers. It goes on by: probe run --resume ${run}`,
  );
  expect(scored.code).toBe(4);
  const boards = ["--leaderboard-md", at("board.md"), "--leaderboard-csv", at("board.csv")];
  expect((await probe("report", run, "other", "--out", at("both.html"), ...boards)).code).toBe(0);
  for (const board of ["board.md", "board.csv"]) {
    expect(readFileSync(at(board), "utf8")).toContain("scripted:uniform (unfinished)");
    expect(readFileSync(at(board), "utf8")).not.toContain("scripted:oracle (unfinished)");
  }
  expect(readFileSync(at("both.html"), "utf8")).toContain(
    "(running): 11 of 18 answers and 3 of 3 generations. Scores are of the questions begun",
  );
  const { stdout: table } = await probe("report", run, "other", "--table", "scores", "--format", "csv");
  expect(table).toContain("scripted:uniform (unfinished)");
});

describe("a run of agents that lacks one of its two trials", () => {
  const goesOn = "probe suite run swe-atlas --resume ";

  it.each([
    ["complete", "Missing from the journal of a run that was complete: 1 of 2 trials."],
    ["interrupted", "The run is not finished (interrupted): 1 of 2 trials that are not made yet."],
  ])("and was %s says so where its scores are, and how it goes on", async (status, says) => {
    const run = `agents-${status}`;
    const what = ["--task-id", "task-spoiled-entries", "--condition", "qa", "--trials", "2", "--sandbox", "none", "-q"];
    const made = await probe("suite", "run", "swe-atlas", "--agent", "scripted:noop", ...what, "--out", run);
    expect(made).toMatchObject({ code: 0 });
    const journal = at(join(run, "trials.jsonl"));
    rewriteJournal(journal, journalRecords(journal).slice(0, 1));
    const record = JSON.parse(readFileSync(at(join(run, "run.json")), "utf8"));
    writeFileSync(at(join(run, "run.json")), JSON.stringify({ ...record, status, crc: undefined }));
    const { code, stdout } = await probe("score", run);
    expect([code, stdout.replace(/\s+/g, " ")]).toEqual([4, expect.stringContaining(says)]);
    expect((await probe("report", run, "--out", `${run}.html`)).code).toBe(0);
    const page = readFileSync(at(`${run}.html`), "utf8");
    expect(page).toContain(says);
    expect(page).toContain(`${goesOn}${run}`);
  });
});

it("a whole run is told to lack nothing", async () => {
  const { code, stdout } = await probe("score", "whole");
  expect([code, stdout]).toEqual([0, expect.not.stringContaining("issing from the journals")]);
  const notes = readTable(at("whole"), "summary.csv").map((row) => row["note"]);
  expect(notes.filter((note) => note?.includes("missing"))).toEqual([]);
});
