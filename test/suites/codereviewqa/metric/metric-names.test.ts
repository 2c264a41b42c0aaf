import { expect, it } from "vitest";
import { summariseGenerations } from "../../../../src/suites/codereviewqa/metric/generation-summary.js";
import { METRICS } from "../../../../src/suites/codereviewqa/metric/metric-names.js";
import { summariseForm } from "../../../../src/suites/codereviewqa/metric/summary.js";
import type { SummaryRow } from "../../../../src/suites/codereviewqa/metric/summary-row.js";
import { makeScoredGeneration } from "../../../fixtures/generation.js";
import { makeScore } from "../../../fixtures/question-score.js";

it("every metric of the summary is described, in the order of its rows", () => {
  const probe = { task: "CTR", optionCount: 3, answerClass: () => "modify" };
  const names = (rows: readonly SummaryRow[]) =>
    rows.filter(({ groupBy }) => groupBy === "overall").map(({ metric }) => metric);
  const choice = names(summariseForm({ probe, difficulty: null }, [makeScore()], false));
  const generation = names(summariseGenerations("ACR", [makeScoredGeneration()]));
  // Both have the failure rate.
  expect(Object.keys(METRICS)).toEqual([...choice, ...generation.filter((name) => !choice.includes(name))]);
});
