import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { mergeRuns } from "../../../src/run/folder/merge-runs.js";
import type { ScoredRun } from "../../../src/run/score-folder.js";
import { readRunFile, writeRunFile } from "../../../src/suites/codereviewqa/record/run-file.js";
import { newSession, type RunOptions, runProbes } from "../../../src/suites/codereviewqa/suite/review-library.js";
import { SUITES } from "../../../src/suites/registry.js";
import { journalLines, journalRecords, rewriteJournal } from "../../fixtures/journal-file.js";
import { MINI } from "../../fixtures/reference.js";
import { comparableTable, readTable } from "../../fixtures/tables.js";
import { temporaryFolder } from "../../fixtures/temporary-folder.js";

const folder = temporaryFolder();
const at = (name: string) => join(folder, name);
const NOW = new Date("2026-11-22T12:00:00Z");
const QUESTIONS: Partial<RunOptions> = { tasks: ["CTR", "CL", "ACR"], difficulties: ["easy"], ablate: ["review"] };

async function run(name: string, options: Partial<RunOptions> = {}): Promise<void> {
  const asked = { model: "scripted:uniform", dataset: MINI, folder: at(name), ...QUESTIONS, ...options };
  expect(await runProbes(await newSession(asked))).toMatchObject({ status: "complete" });
}

const merge = (out: string, ...names: readonly string[]): Promise<ScoredRun> =>
  mergeRuns(SUITES, { folders: names.map(at), out: at(out), now: () => NOW });

beforeAll(async () => {
  await run("whole");
  for (const index of [1, 2, 3]) await run(`share-${index}`, { shard: { index, count: 3 } });
});

describe("shares of a run", () => {
  it("have whole examples, each in one share, at their places in the whole run", () => {
    const examples = [1, 2, 3].map((index) => [
      ...new Set(readTable(at(`share-${index}`), "answers.csv").map(({ example_id }) => example_id)),
    ]);
    const whole = [...new Set(readTable(at("whole"), "answers.csv").map(({ example_id }) => example_id))];
    expect(examples.flat().toSorted()).toEqual(whole.toSorted());
    // Dealt out in turn: the first share has the first, the fourth, … of the whole.
    expect(examples[0]).toEqual(whole.filter((_, i) => i % 3 === 0));
    const places = journalRecords(join(at("share-2"), "answers.jsonl")).map(({ question_index }) =>
      Number(question_index),
    );
    // Four questions an example (CTR, CL easy, and both without the review): the second example has 4 to 7.
    expect([...new Set(places)].slice(0, 4)).toEqual([4, 5, 6, 7]);
  });

  it("are whole runs of their own: they say what they asked, and nothing is left", async () => {
    const [share, whole] = [await readRunFile(at("share-1")), await readRunFile(at("whole"))];
    expect(share.status).toBe("complete");
    expect(share.shard).toMatchObject({ index: 1, count: 3, whole: { questions: whole.questions } });
    expect(share.questions).toBe(readTable(at("share-1"), "questions.csv").length);
    expect(share.run_id).toMatch(/-shard-1-of-3-/);
  });
});

describe("mergeRuns", () => {
  it("gives what one run would have given: every table but for the columns that name the run or a time", async () => {
    const { run: merged, score } = await merge("merged", "share-3", "share-1", "share-2");
    expect(score.unfinished).toBeNull();
    for (const table of ["answers.csv", "questions.csv", "summary.csv", "generations.csv"]) {
      expect(comparableTable(at("merged"), table)).toEqual(comparableTable(at("whole"), table));
      expect(comparableTable(at("merged"), table).length).toBeGreaterThan(0);
    }
    const files = (name: string) => readdirSync(at(name)).toSorted();
    expect(files("merged")).toEqual(files("whole"));
    expect(readFileSync(at("merged/floors.jsonl"))).toEqual(readFileSync(at("whole/floors.jsonl")));
    expect(journalLines(at("merged/answers.jsonl"))[0]).toBe(journalLines(at("whole/answers.jsonl"))[0]);
    const { run_id, merged: parts, times, ...same } = merged;
    const { run_id: _, times: __, ...whole } = await readRunFile(at("whole"));
    expect(same).toEqual(whole);
    expect(parts).toHaveLength(3);
    expect(times.sessions).toBe(3);
    expect(run_id).toMatch(/^20261122T120000Z-scripted-uniform-[0-9a-f]{8}$/);
  });

  it("goes on with its run once that was resumed, and leaves it with all its files where it is not whole", async () => {
    const shares = ["share-1", "share-2", "share-3"];
    const { run: first } = await merge("kept", ...shares);
    await run("kept");
    expect((await readRunFile(at("kept"))).times.sessions).toBe(4);
    expect((await merge("kept", ...shares)).run.run_id).toBe(first.run_id);
    writeFileSync(at("kept/notes.txt"), "mine");
    const journal = at("kept/answers.jsonl");
    rewriteJournal(journal, journalRecords(journal).slice(0, -1));
    await expect(merge("kept", ...shares)).rejects.toThrow(
      /merged run in .*kept to be whole, found 1 of \d+ questions .* probe run --resume .*kept/,
    );
    expect(readFileSync(at("kept/notes.txt"), "utf8")).toBe("mine");
  });

  it("refuses a missing share by its name, and writes nothing", async () => {
    await expect(merge("none", "share-1", "share-3")).rejects.toThrow("found no share 2/3. Name its folder too");
    expect(existsSync(at("none"))).toBe(false);
  });

  it("refuses a share that is there twice, by one folder or two", async () => {
    await expect(merge("none", "share-1", "share-1", "share-2")).rejects.toThrow("which are one folder");
    cpSync(at("share-1"), at("copy"), { recursive: true });
    await expect(merge("none", "share-1", "copy", "share-2", "share-3")).rejects.toThrow(
      /share 1\/3 twice: .*share-1 and .*copy/,
    );
  });

  it("refuses a share of another run, naming what differs", async () => {
    await run("seed-1", { shard: { index: 2, count: 3 }, selection: { seed: 1 } });
    await expect(merge("none", "share-1", "seed-1", "share-3")).rejects.toThrow(
      /are of different runs:\n {2}model seed: .*\n {2}parameter seed: .*share-1 has 0, .*seed-1 1\nLeave out/,
    );
    await run("other-model", { shard: { index: 2, count: 3 }, model: "scripted:oracle" });
    await expect(merge("none", "share-1", "other-model", "share-3")).rejects.toThrow(/model: .*scripted:uniform/);
    await run("of-two", { shard: { index: 2, count: 2 } });
    await expect(merge("none", "share-1", "of-two", "share-3")).rejects.toThrow(/shards: .*share-1 has 3, .*of-two 2/);
  });

  it("refuses a share that another version of the program made", async () => {
    cpSync(at("share-2"), at("older"), { recursive: true });
    const record = await readRunFile(at("older"));
    await writeRunFile(at("older"), { ...record, program: { ...record.program, version: "0.0.1" } });
    await expect(merge("none", "share-1", "older", "share-3")).rejects.toThrow(
      /program: .*older "code-review-probe 0.0.1"/,
    );
  });

  it("refuses a whole run, and one that was merged", async () => {
    await expect(merge("none", "whole")).rejects.toThrow("found a whole run");
    await merge("again", "share-1", "share-2", "share-3");
    await expect(merge("none", "again")).rejects.toThrow("found a run that was merged already");
  });

  it("refuses a share that is not finished, with the command that finishes it", async () => {
    cpSync(at("share-2"), at("torn"), { recursive: true });
    const journal = at("torn/answers.jsonl");
    rewriteJournal(journal, journalRecords(journal).slice(0, -1));
    await expect(merge("none", "share-1", "torn", "share-3")).rejects.toThrow(
      /share 2\/3 in .*torn not finished: 1 of \d+ questions .*probe run --resume .*torn/,
    );
  });

  it("refuses a folder whose records are those of another share than its run.json says", async () => {
    cpSync(at("share-2"), at("forged"), { recursive: true });
    for (const file of ["answers.jsonl", "generations.jsonl"]) cpSync(at(`share-1/${file}`), at(`forged/${file}`));
    const [own, other] = [await readRunFile(at("forged")), await readRunFile(at("share-1"))];
    const { questions, planned_answers, generations, forms, dataset } = other;
    await writeRunFile(at("forged"), { ...own, questions, planned_answers, generations, forms, dataset });
    await expect(merge("none", "share-1", "forged", "share-3")).rejects.toThrow(/item 1 of answers\.jsonl in two/);
    expect(existsSync(at("none"))).toBe(false);
  });

  it("refuses a folder that is not empty, and a damaged share", async () => {
    await expect(merge("share-1", "share-1", "share-2", "share-3")).rejects.toThrow(
      /share-1 to be new or empty, found another run \(.*-shard-1-of-3-.*\)/,
    );
    cpSync(at("share-2"), at("damaged"), { recursive: true });
    const text = readFileSync(at("damaged/answers.jsonl"), "utf8");
    writeFileSync(at("damaged/answers.jsonl"), text.replace('"correct_symbol":"A"', '"correct_symbol":"B"'));
    await expect(merge("none", "share-1", "damaged", "share-3")).rejects.toThrow(/damaged line/);
    rmSync(at("damaged"), { recursive: true });
  });
});

describe("a split that is too fine", () => {
  it("is refused: no share would be empty", async () => {
    await expect(run("fine", { shard: { index: 1, count: 500 } })).rejects.toThrow(
      /Expected --shard i\/n with n up to \d+, as many as there are examples to ask about, found 500/,
    );
  });
});
