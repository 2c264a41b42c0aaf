import { readdir, readFile, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { readScore, scoreFolder, storedRun } from "../../src/run/score-folder.js";
import { ANSWER_JOURNAL } from "../../src/suites/codereviewqa/answer/answer.js";
import { GENERATION_JOURNAL } from "../../src/suites/codereviewqa/answer/generation.js";
import { readRunFile, writeRunFile } from "../../src/suites/codereviewqa/record/run-file.js";
import { suite } from "../../src/suites/codereviewqa/suite/questions-suite.js";
import { answersUnder, ORDERS_OF_THREE, pick } from "../fixtures/answer.js";
import { collect } from "../fixtures/collect.js";
import { useFreshFolder } from "../fixtures/fresh-folder.js";
import { makeRunFile } from "../fixtures/run-file.js";
import { readTable } from "../fixtures/tables.js";

const folder = useFreshFolder();
const ANSWERS = answersUnder(ORDERS_OF_THREE, (permutation) => pick(permutation, 0));

async function writeRun(answers = ANSWERS): Promise<string> {
  await writeRunFile(folder.path(), makeRunFile({ status: "complete" }));
  await writeFile(folder.path("answers.jsonl"), answers.map((answer) => `${ANSWER_JOURNAL.encode(answer)}\n`).join(""));
  return folder.path();
}

describe("scoreFolder", () => {
  it("writes the tables of a run, its counts, and a data package that describes them", async () => {
    const { run, score } = await scoreFolder(suite, await writeRun());
    expect(score).toMatchObject({ failed: 0, unfinished: null, facts: ["1 example", "6 answers"] });
    expect(run).toMatchObject({ counts: { chosen: 6, undecided: 0, failed: 0, failures: {} } });
    expect(await readRunFile(folder.path())).toEqual(run);
    expect(readTable(folder.path(), "answers.csv")).toHaveLength(6);
    expect(readTable(folder.path(), "questions.csv")).toHaveLength(1);
    const { resources } = JSON.parse(await readFile(folder.path("datapackage.json"), "utf8")) as {
      resources: { path: string }[];
    };
    expect(resources.map(({ path }) => path)).toEqual(["answers.csv", "questions.csv", "summary.csv"]);
  });

  it("says what is left to ask of a run whose journal lacks lines", async () => {
    const { score } = await scoreFolder(suite, await writeRun(ANSWERS.slice(0, 4)));
    expect(score.unfinished).toBe("1 of 1 questions with orders that have no answer yet");
    expect(score.verdicts.isUnfinished).toBe(true);
    expect(score.verdicts.warnings).toHaveLength(1);
    expect(score.verdicts.warnings[0]).toContain("Missing from the journals of a run that was complete");
  });
});

describe("readScore", () => {
  it("comes to the same, and writes nothing", async () => {
    const path = await writeRun();
    const before = (await readdir(path)).sort();
    const read = await readScore(suite, path);
    expect((await readdir(path)).sort()).toEqual(before);
    const scored = await scoreFolder(suite, path);
    expect(read.run).toEqual(scored.run);
    expect(read.score.verdicts).toEqual(scored.score.verdicts);
    expect(read.score.document).toEqual(scored.score.document);
    expect(read.score.tables.map(({ file }) => file)).toEqual(scored.score.tables.map(({ file }) => file));
  });
});

describe("storedRun", () => {
  it("streams the records of a planned journal item by item, and none of a journal that was not planned", async () => {
    const { records } = await storedRun(suite, await writeRun());
    expect(await collect(records(ANSWER_JOURNAL))).toEqual([ANSWERS]);
    expect(await collect(records(GENERATION_JOURNAL))).toEqual([]);
  });
});
