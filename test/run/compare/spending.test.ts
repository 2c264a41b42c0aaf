import { describe, expect, it } from "vitest";
import { plainText } from "../../../src/report/terminal.js";
import { pricedGain, spendingBlocks } from "../../../src/run/compare/spending.js";
import type { PairedRow } from "../../../src/verdict/paired-comparison.js";
import { makeScoredRun } from "../../fixtures/scored-run.js";
import { makeForm, makeRunVerdicts, makeVerdict } from "../../fixtures/verdicts.js";

const FORM = makeForm({ name: "CL hard" });
const PRICE = { currency: "USD", input: 1, output: 1, as_of: "2026-01-01" };

/** A run of two items. */
function runOf(prompt: number | null, completion: number | null, cost: number | null = null) {
  const verdicts = makeRunVerdicts({ forms: [FORM], verdicts: ["a", "b"].map((item) => makeVerdict({ item })) });
  const run = makeScoredRun("run", verdicts);
  const tokens = { prompt, cached: null, completion, evaluated: null };
  return { ...run, run: { ...run.run, tokens, cost, price: cost === null ? null : PRICE } };
}

function rowOf(difference: number): PairedRow {
  const share = { n: 2, baseline: 0, candidate: difference, difference, interval: null };
  return {
    form: FORM,
    label: "CL hard",
    items: "questions",
    metric: "invariant_accuracy",
    examples: 2,
    share,
    onlyBaseline: 0,
    onlyCandidate: 0,
    lost: { baseline: 0, candidate: 0 },
    test: "mcnemar_exact",
    pValue: 1,
    adjustedPValue: 1,
    detectableDifference: null,
    values: {},
    judgements: null,
  };
}

describe("what a gain costs", () => {
  const baseline = runOf(200, null, 0.02);
  const candidate = runOf(200, 1800, 0.22);

  it("is more tokens and money an item for each point of the mean difference", () => {
    // Items: 2. 100 tokens against 1,000, 0.01 against 0.11; .2 and .1 are 15 points on the mean: 900/15, .1/15.
    const found = pricedGain({ baseline, candidate, rows: [rowOf(0.2), rowOf(0.1), { ...rowOf(0.9), form: null }] });
    expect(found).toMatchObject({ gain: expect.closeTo(0.15, 12), tokensAPoint: expect.closeTo(60, 9) });
    expect(found?.costAPoint).toBeCloseTo(0.1 / 15, 12);
  });

  it("counts no control in the mean difference", () => {
    const control = { ...rowOf(-0.9), form: makeForm({ ablation: "review" }) };
    expect(pricedGain({ baseline, candidate, rows: [rowOf(0.2), control] })?.gain).toBeCloseTo(0.2, 12);
  });

  it("has no price where nothing was gained, or in two currencies", () => {
    expect(pricedGain({ baseline, candidate, rows: [rowOf(-0.1)] })).toMatchObject({
      tokensAPoint: null,
      costAPoint: null,
    });
    const other = { ...candidate, run: { ...candidate.run, price: { ...PRICE, currency: "EUR" } } };
    expect(pricedGain({ baseline, candidate: other, rows: [rowOf(0.1)] })?.costAPoint).toBeNull();
  });

  it("is nothing where a run does not tell its tokens", () => {
    const comparison = { baseline: runOf(null, null), candidate, rows: [rowOf(0.1)] };
    expect(pricedGain(comparison)).toBeNull();
    expect(spendingBlocks(comparison)).toEqual([]);
  });

  it("is said in a sentence", () => {
    const text = plainText(spendingBlocks({ baseline, candidate, rows: [rowOf(0.1)] }));
    expect(text.replace(/\s+/g, " ").trim()).toBe(
      "Spent on each item: 100 / 1,000 tokens (USD 0.01) / (USD 0.11); mean difference of the scores +10.0 pp: each point takes 90 tokens an item, USD 0.01",
    );
  });
});
