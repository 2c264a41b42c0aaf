import { expect, it } from "vitest";
import { METRICS } from "../../src/metric/metric-names.js";
import { summariseForm } from "../../src/metric/summary.js";
import { makeScore } from "../fixtures/question-score.js";

it("every metric of the summary is described, in the order of its rows", () => {
  const probe = { task: "CTR", optionCount: 3, answerClass: () => "modify" };
  const rows = summariseForm({ probe, difficulty: null }, [makeScore()], false);
  const overall = rows.filter(({ groupBy }) => groupBy === "overall").map(({ metric }) => metric);
  expect(overall).toEqual(Object.keys(METRICS));
});
