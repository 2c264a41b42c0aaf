import { describe, expect, it } from "vitest";
import { costOfRun } from "../../../../../src/suites/codereviewqa/report/page/score-charts.js";
import { makeRunFile } from "../../../../fixtures/run-file.js";

const PRICE = { currency: "USD", input: 1, output: 2, as_of: "2026-01-01" };

describe("what a run cost", () => {
  const run = makeRunFile({ questions: 30, generations: 10 });

  it("is money for 1,000 questions and generations where the price is known", () => {
    // 0.2 for 40 is 0.005 each, 5 for 1,000.
    const paid = { ...run, cost: 0.2, price: PRICE };
    expect(costOfRun({ run: paid }, "money")).toEqual({ unit: "USD", amount: 5 });
    expect(costOfRun({ run: { ...run, cost: null } }, "money")).toBeNull();
  });

  it("is tokens of each else, those written among them, and nothing where they are not told", () => {
    const tokens = { prompt: 3000, cached: null, completion: 1000, evaluated: null };
    // (3000 + 1000) / 40.
    expect(costOfRun({ run: { ...run, tokens } }, "tokens")).toEqual({ unit: "tokens", amount: 100 });
    expect(costOfRun({ run: { ...run, tokens: { ...tokens, prompt: null } } }, "tokens")).toBeNull();
  });
});
