import { appendFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { countsText, JournalCounts, total } from "../../../src/run/folder/journal-counts.js";
import { ANSWER_JOURNAL } from "../../../src/suites/codereviewqa/answer/answer.js";
import { choice, makeAnswer, UNAVAILABLE } from "../../fixtures/answer.js";
import { useFreshFolder } from "../../fixtures/fresh-folder.js";
import { A } from "../../fixtures/symbols.js";

const folder = useFreshFolder();

const line = (permutationIndex: number, outcome = choice("012", A)) =>
  `${ANSWER_JOURNAL.encode(makeAnswer({ questionIndex: 0, permutationIndex, outcome }))}\n`;

/** Of a run of one question in six orders. */
const countsOf = (path: string) =>
  new JournalCounts(
    path,
    [{ codec: ANSWER_JOURNAL, plan: { items: 1, places: 6 }, records: 6, name: "answers" }],
    "f".repeat(64),
  );

describe("the counts of a run's journals", () => {
  it("follow a journal that another process writes, and count what was asked again once", async () => {
    const counts = countsOf(folder.path());
    const read = async () => (await counts.read()).map(({ done, failed }) => [done, failed]);
    expect(await read()).toEqual([[0, 0]]);
    writeFileSync(folder.path("answers.jsonl"), line(0) + line(1, UNAVAILABLE) + line(2).slice(0, 20));
    expect(await read()).toEqual([[1, 1]]);
    // The rest of the third line, and the second order again.
    appendFileSync(folder.path("answers.jsonl"), line(2).slice(20) + line(1));
    expect(await read()).toEqual([[3, 0]]);
    expect(await read()).toEqual([[3, 0]]);
    expect(total(await counts.read(), "planned")).toBe(6);
  });

  it("refuse a line that is damaged, wherever it comes", async () => {
    const counts = countsOf(folder.path());
    writeFileSync(folder.path("answers.jsonl"), line(0));
    await counts.read();
    appendFileSync(folder.path("answers.jsonl"), "{}\n");
    await expect(counts.read()).rejects.toThrow(/answers.jsonl:2: expected an answer of a run, found a damaged line/);
  });
});

describe("countsText", () => {
  it("leaves out what was not planned", () => {
    const counts = [
      { name: "answers", planned: 36, done: 5, failed: 1 },
      { name: "generations", planned: 0, done: 0, failed: 0 },
    ];
    expect(countsText(counts)).toBe("5 of 36 answers");
  });
});
