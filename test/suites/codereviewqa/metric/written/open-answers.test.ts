import { expect, it } from "vitest";
import { probe } from "../../../../../probes/clo.js";
import { summariseOpenAnswers } from "../../../../../src/suites/codereviewqa/metric/written/open-answers.js";
import { makeFailedGeneration, makeScoredGeneration } from "../../../../fixtures/generation.js";

const { scoring } = probe;

it("is over one n: what was refused has nothing in common, as it is no match", () => {
  // Six of 198: two exact, one half right, one no list of lines, two refused.
  const open = (em: boolean, graded: number) => ({ score: { em, graded }, reference: "1", preReview: "a" });
  const unread = { score: null, reference: "1", preReview: "a" };
  const written = [open(true, 1), open(true, 1), open(false, 0.5), unread].map((each, i) => ({
    ...makeScoredGeneration({ task: "CLO", exampleId: `w${i}`, open: each }),
    measured: null,
  }));
  const refused = ["a", "b"].map((exampleId) => makeFailedGeneration({ task: "CLO", exampleId, open: unread }));
  if (scoring === undefined) throw new Error("CLO scores what is written itself.");
  const rows = summariseOpenAnswers("CLO", scoring, [...written, ...refused]);
  const found = ["em", "jaccard", "no_answer_rate", "failure_rate"].map((metric) => {
    const row = rows.find((each) => each.groupBy === "overall" && each.metric === metric);
    return [metric, row?.n, row?.value];
  });
  // 2/6; (1 + 1 + .5)/6; 1/6; 2/6.
  expect(found).toEqual([
    ["em", 6, 2 / 6],
    ["jaccard", 6, 2.5 / 6],
    ["no_answer_rate", 6, 1 / 6],
    ["failure_rate", 6, 2 / 6],
  ]);
});
