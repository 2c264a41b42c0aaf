import { writeFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import type { Answer } from "../../../../src/suites/codereviewqa/answer/answer.js";
import { ANSWER_JOURNAL } from "../../../../src/suites/codereviewqa/answer/answer.js";
import { type RunFile, writeRunFile } from "../../../../src/suites/codereviewqa/record/run-file.js";
import { findNamedRun, readStoredRun, type StoredRun } from "../../../../src/suites/codereviewqa/record/stored-run.js";
import { answersUnder, ORDERS_OF_THREE, pick, UNAVAILABLE } from "../../../fixtures/answer.js";
import { useFreshFolder } from "../../../fixtures/fresh-folder.js";
import { makeRunFile } from "../../../fixtures/run-file.js";

const folder = useFreshFolder();
const right = answersUnder(ORDERS_OF_THREE, (permutation) => pick(permutation, 0));
const EARLY_STOP: Partial<RunFile> = { parameters: { early_stop: true } };

/** Reads a run of one question with these answers. */
async function read(answers: readonly Answer[], changes: Partial<RunFile> = {}, rest = ""): Promise<StoredRun> {
  await writeRunFile(folder.path(), makeRunFile(changes));
  writeFileSync(
    folder.path("answers.jsonl"),
    answers.map((answer) => `${ANSWER_JOURNAL.encode(answer)}\n`).join("") + rest,
  );
  return await readStoredRun(await findNamedRun(folder.path()));
}

describe("readStoredRun", () => {
  it("scores the questions from the journal, without tables, and writes nothing", async () => {
    const { questions } = await read(right);
    expect(questions).toMatchObject([
      { promptSha256: "ab".repeat(32), score: { invariantCorrect: true, meanAccuracy: 1 } },
    ]);
    expect((await readdir(folder.path())).sort()).toEqual(["answers.jsonl", "run.json"]);
  });

  it("counts a failed order as not right, and the question as lost", async () => {
    const answers = answersUnder(ORDERS_OF_THREE, (permutation, i) => (i === 4 ? UNAVAILABLE : pick(permutation, 0)));
    const { questions } = await read(answers);
    expect(questions[0]?.score).toMatchObject({ invariantCorrect: false, lost: true, meanAccuracy: null });
  });

  it("refuses a question with an order missing, saying how to go on", async () => {
    await expect(read(right.slice(0, 5))).rejects.toThrow(
      /found 1 of 1 questions with orders that have no answer yet\. Finish it first: probe run --resume /,
    );
  });

  it("refuses a question without any answer, and one whose last answer is torn", async () => {
    await expect(read([], { questions: 3 })).rejects.toThrow(/found 3 of 3 questions/);
    await expect(read(right.slice(0, 5), {}, ANSWER_JOURNAL.encode(right[5]!))).rejects.toThrow(
      /found 1 of 1 questions/,
    );
  });

  it("takes a question that --early-stop ended at a miss for finished, without agreement", async () => {
    const stopped = [right[0]!, ...answersUnder(["021"], (permutation) => pick(permutation, 1))].map(
      (answer, permutationIndex) => ({ ...answer, permutationIndex }),
    );
    const { questions } = await read(stopped, EARLY_STOP);
    expect(questions[0]?.score).toMatchObject({
      invariantCorrect: false,
      meanAccuracy: null,
      pluralityAgreement: null,
    });
    expect((await read(right, EARLY_STOP)).questions[0]?.score).toMatchObject({
      invariantCorrect: true,
      pluralityAgreement: null,
    });
  });

  it("refuses a question that was stopped before any miss", async () => {
    await expect(read(right.slice(0, 2), EARLY_STOP)).rejects.toThrow(/Expected a finished run/);
  });

  it("refuses a folder without a run", async () => {
    await expect(findNamedRun(folder.path("nothing"))).rejects.toThrow(/found no run\.json/);
  });
});
