import { describe, expect, it } from "vitest";
import { costOfRun, pageTests } from "../../../../../src/suites/codereviewqa/report/page/scores-section.js";
import { makeRunFile } from "../../../../fixtures/run-file.js";
import { makeJudgement } from "../../../../fixtures/verdicts.js";

it("says how many of a page's verdicts chance would pass, and corrects each p for their number", () => {
  // 72 models by five forms, all at their floor but three: 360 tests at .01, 3.6 by chance.
  const lucky = [0.001, 0.002, 0.004].map((pValue) => makeJudgement({ pValue }));
  const others = Array.from({ length: 357 }, () => makeJudgement({ state: "at_floor", pValue: 0.5 }));
  const untested = makeJudgement({ state: "unknown" });
  const { sentence, qText } = pageTests([...others, ...lucky, untested]);
  expect(sentence).toContain("Of 360 verdicts of this page that rest on a test, 3 are above");
  expect(sentence).toContain("up to 3.6 would be so by chance");
  // 360/1 · .001 = .36, 360/2 · .002 = .36, 360/3 · .004 = .48; the rest 360/360 · .5.
  expect(lucky.map(qText)).toEqual(["; q 0.3600", "; q 0.3600", "; q 0.4800"]);
  expect(qText(untested)).toBe("");
  expect(pageTests([makeJudgement()]).sentence).toBeNull();
});

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
