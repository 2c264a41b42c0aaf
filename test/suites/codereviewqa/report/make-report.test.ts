import { writeFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { ANSWER_JOURNAL } from "../../../../src/suites/codereviewqa/answer/answer.js";
import { writeRunFile } from "../../../../src/suites/codereviewqa/record/run-file.js";
import { makeReport } from "../../../../src/suites/codereviewqa/report/make-report.js";
import { answersUnder, ORDERS_OF_THREE, pick } from "../../../fixtures/answer.js";
import { useFreshFolder } from "../../../fixtures/fresh-folder.js";
import { makeRunFile } from "../../../fixtures/run-file.js";

const folder = useFreshFolder();

it("makes the page and the leaderboards of a run from its journal", async () => {
  const right = answersUnder(ORDERS_OF_THREE, (permutation) => pick(permutation, 0));
  await writeRunFile(folder.path(), makeRunFile({ status: "complete" }));
  await writeFile(folder.path("answers.jsonl"), right.map((answer) => `${ANSWER_JOURNAL.encode(answer)}\n`).join(""));
  const { html, leaderboards, differences } = await makeReport({ runs: [folder.path()], audits: [], datasets: [] });
  expect(html).toMatch(/^<!doctype html>[\s\S]*scripted:oracle[\s\S]*<\/html>\s*$/);
  expect(leaderboards).toMatchObject([
    {
      form: { name: "CTR" },
      rows: [{ model: "scripted:oracle", n: 1, columns: [{ id: "plurality_agreement", value: 1 }] }],
    },
  ]);
  expect(differences).toEqual([]);
});

it("refuses a folder without a run", async () => {
  await expect(makeReport({ runs: [folder.path()], audits: [], datasets: [] })).rejects.toThrow(/found no run\.json/);
});
