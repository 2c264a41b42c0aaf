import { mkdir, writeFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { ANSWER_JOURNAL } from "../../../../src/suites/codereviewqa/answer/answer.js";
import { writeRunFile } from "../../../../src/suites/codereviewqa/record/run-file.js";
import { makeReport } from "../../../../src/suites/codereviewqa/report/make-report.js";
import { answersUnder, choice, ORDERS_OF_THREE, pick } from "../../../fixtures/answer.js";
import { useFreshFolder } from "../../../fixtures/fresh-folder.js";
import { makeRunFile } from "../../../fixtures/run-file.js";
import { A } from "../../../fixtures/symbols.js";

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

it("draws no letters of questions that ended at their first wrong order, and says so", async () => {
  const page = async (name: string, isEarly: boolean) => {
    const first = answersUnder(ORDERS_OF_THREE.slice(0, 2), (order) => choice(order, A, 1));
    const parameters = { ...makeRunFile().parameters, early_stop: isEarly };
    await mkdir(folder.path(name));
    await writeRunFile(folder.path(name), makeRunFile({ run_id: name, status: "complete", parameters }));
    const lines = first.map((answer) => `${ANSWER_JOURNAL.encode(answer)}\n`);
    await writeFile(folder.path(`${name}/answers.jsonl`), lines.join(""));
    return (await makeReport({ runs: [folder.path(name)], audits: [], datasets: [] })).html;
  };
  const drawn = ["CTR: letters chosen", "CTR: orders answered right", "in nats"];
  const whole = await page("whole", false);
  for (const title of drawn) expect(whole).toContain(title);
  const early = await page("early", true);
  for (const title of drawn) expect(early).not.toContain(title);
  expect(early.match(/Not shown of scripted:oracle: with an early stop/g)).toHaveLength(2);
});

it("refuses a folder without a run", async () => {
  await expect(makeReport({ runs: [folder.path()], audits: [], datasets: [] })).rejects.toThrow(/found no run\.json/);
});
