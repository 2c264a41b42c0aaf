import { writeFile } from "node:fs/promises";
import { parseHTML } from "linkedom";
import { afterEach, expect, it, vi } from "vitest";
import { ANSWER_JOURNAL } from "../../../../../../src/suites/codereviewqa/answer/answer.js";
import { THOUGHT_JOURNAL } from "../../../../../../src/suites/codereviewqa/answer/thoughts.js";
import { writeRunFile } from "../../../../../../src/suites/codereviewqa/record/run-file.js";
import { makeReport } from "../../../../../../src/suites/codereviewqa/report/make-report.js";
import { detailView } from "../../../../../../src/suites/codereviewqa/report/page/browser/detail-view.js";
import { Store } from "../../../../../../src/suites/codereviewqa/report/page/browser/store.js";
import { answersUnder, ORDERS_OF_THREE, pick } from "../../../../../fixtures/answer.js";
import { useFreshFolder } from "../../../../../fixtures/fresh-folder.js";
import { makeRunFile } from "../../../../../fixtures/run-file.js";

const folder = useFreshFolder();
afterEach(() => vi.unstubAllGlobals());

it("shows the thoughts before each answer, closed, as text and nothing else", async () => {
  const answers = answersUnder(ORDERS_OF_THREE, (order) => pick(order, 0));
  const hostile = "</script><img src=x onerror=alert(1)> <!-- ";
  const thoughts = answers.slice(0, 2).map(({ permutationIndex, ...place }) => {
    const text = permutationIndex === 0 ? hostile : "x".repeat(601);
    return THOUGHT_JOURNAL.encode({ ...place, permutationIndex, text, tokens: null, end: "closed" });
  });
  await writeRunFile(folder.path(), makeRunFile({ status: "complete" }));
  await writeFile(folder.path("answers.jsonl"), answers.map((answer) => `${ANSWER_JOURNAL.encode(answer)}\n`).join(""));
  await writeFile(folder.path("thoughts.jsonl"), thoughts.map((line) => `${line}\n`).join(""));

  const { html } = await makeReport({ runs: [folder.path()], audits: [], datasets: [] });
  expect(html).not.toContain("<img src=x");
  const { document } = parseHTML(html);
  vi.stubGlobal("document", document);
  const store = new Store(JSON.parse(document.getElementById("data")?.textContent ?? ""));
  const detail = document.createElement("article");
  detail.append(...detailView(store, 0, 0));

  const shown = [...detail.querySelectorAll("details:has(> blockquote)")];
  expect(shown.map((each) => each.querySelector("summary")?.textContent)).toEqual(["Order 012", "Order 021"]);
  expect(shown.map((each) => each.hasAttribute("open"))).toEqual([false, false]);
  expect(shown.map((each) => each.querySelector("blockquote")?.textContent)).toEqual([
    hostile,
    `${"x".repeat(600)}… (characters left out: 1; thoughts.jsonl has all)`,
  ]);
  expect(detail.querySelectorAll("img, script")).toHaveLength(0);
});
