import { expect, it } from "vitest";
import { floorsOfForm } from "../../../../src/question/floors/floors.js";
import { RULE_TEXTS } from "../../../../src/question/floors/rules.js";
import { METRICS } from "../../../../src/suites/codereviewqa/metric/metric-names.js";
import { summariseForm } from "../../../../src/suites/codereviewqa/metric/summary.js";
import type { SummaryRow } from "../../../../src/suites/codereviewqa/metric/summary-row.js";
import { summariseGenerations } from "../../../../src/suites/codereviewqa/metric/written/generation-summary.js";
import { makeScoredGeneration } from "../../../fixtures/generation.js";
import { makeFloors } from "../../../fixtures/question-floors.js";
import { makeScore } from "../../../fixtures/question-score.js";

it("every metric of the summary is described, in the order of its rows", () => {
  const probe = { task: "CTR", optionCount: 3, answerClass: () => "modify" };
  const names = (rows: readonly SummaryRow[]) =>
    rows.filter(({ groupBy }) => groupBy === "overall").map(({ metric }) => metric);
  // Every rule there is, one of them lexical; 50 questions, from which on rules are fitted together.
  const shares = Object.fromEntries(Object.keys(RULE_TEXTS).map((rule) => [rule, 1]));
  const ids = Array.from({ length: 50 }, (_, i) => `example-${i}`);
  const floors = ids.map((exampleId) =>
    makeFloors({ exampleId, answerClass: "modify", shares, lexical: ["keywords"] }),
  );
  const pairs = { pairs: 6, different: 0 };
  const repeated = { answered: 12, failed: 0, sameOrder: pairs, otherOrder: pairs };
  const trace = { answers: 6, settledAt: 1, switches: 0, leftRight: new Map(), rightAt: [1] };
  const scores = ids.map((exampleId) => makeScore({ exampleId, repeated, thinkingTokens: 9, trace }));
  const choice = names(summariseForm({ probe, difficulty: null }, scores, false, floorsOfForm(floors)));
  const generation = names(summariseGenerations("ACR", [makeScoredGeneration()]));
  // Both have the failure rate.
  const written = generation.filter((name) => !choice.includes(name));
  // Of runs with --ablate, and of CLO: their own tests have the rows.
  const gains = ["review", "code", "both"].flatMap((withheld) => [`${withheld}_gain`, `${withheld}_gain_p_value`]);
  const rules = ["floor_longest_line", "floor_middle_line", "floor_commonest_size"];
  expect(Object.keys(METRICS)).toEqual([...choice, ...gains, ...written, "jaccard", "no_answer_rate", ...rules]);
});
