import { describe, expect, it } from "vitest";
import { COMPARE_OPTIONS } from "../../../src/cli/command-options.js";
import { failUnderText, judgeFailUnder } from "../../../src/cli/report/compare-handler.js";
import type { ComparisonReport } from "../../../src/run/compare/compare-runs.js";
import type { PairedRow } from "../../../src/verdict/paired-comparison.js";
import { makeScoredRun } from "../../fixtures/scored-run.js";
import { makeForm } from "../../fixtures/verdicts.js";

describe("--fail-under of probe compare", () => {
  const { failUnder } = COMPARE_OPTIONS;
  const parsed = (given: string | string[] | undefined) => failUnder.parse(given, "fail-under");

  it("takes a difference from -1 to 1", () => {
    expect(["-0.02", "0", "1", "-1", ".5"].map(parsed)).toEqual([-0.02, 0, 1, -1, 0.5]);
    expect(parsed(undefined)).toBeNull();
  });

  it.each([["2"], ["-1.01"], ["two"], [" "], ["NaN"], ["5%"]])("refuses %j", (text) => {
    expect(() => parsed(text)).toThrow(/Expected a difference from -1 to 1 for --fail-under/);
  });

  it("refuses an empty text and two thresholds", () => {
    expect(() => parsed("")).toThrow(/Expected a value for --fail-under, found none/);
    expect(() => parsed(["0", "0.1"])).toThrow(/Expected one value for --fail-under, found 2/);
  });
});

describe("judgeFailUnder", () => {
  const row = (label: string, difference: number): PairedRow => ({
    form: null,
    label,
    items: "questions",
    metric: "invariant_accuracy",
    examples: 20,
    test: "mcnemar_exact",
    share: { n: 20, baseline: 0.5, candidate: 0.5 + difference, difference, interval: { low: -1, high: 1 } },
    onlyBaseline: 0,
    onlyCandidate: 0,
    lost: { baseline: 0, candidate: 0 },
    pValue: 1,
    adjustedPValue: 1,
    detectableDifference: null,
    values: {},
    judgements: null,
  });
  const report: ComparisonReport = {
    comparisons: [
      {
        baseline: makeScoredRun("base"),
        candidate: makeScoredRun("new"),
        alsoDiffer: [],
        rows: [row("CTR", -0.25), row("CL hard", -0.02), row("SI", 0.1)],
      },
    ],
    tests: 3,
    resamples: 10_000,
    seed: 0,
  };

  it("finds the rows below the threshold by the difference itself; the threshold is allowed", () => {
    expect(judgeFailUnder(report, -0.02).below.map(({ row: { label } }) => label)).toEqual(["CTR"]);
    expect(judgeFailUnder(report, -0.01).below.map(({ row: { label } }) => label)).toEqual(["CTR", "CL hard"]);
  });

  it("lets controls be: less without the review is no loss", () => {
    const control = { ...row("CL −review", -1), form: makeForm({ ablation: "review" }) };
    const [comparison] = report.comparisons;
    const ablated = { ...report, comparisons: [{ ...comparison!, rows: [row("CL", 0), control] }] };
    expect(judgeFailUnder(ablated, 0).below).toEqual([]);
  });

  it("has a line for each, and none where there is none", () => {
    expect(failUnderText(judgeFailUnder(report, -0.1))).toBe(
      "results/new, CTR: difference -0.2500 is under -0.1 (--fail-under)\n",
    );
    expect(failUnderText(judgeFailUnder(report, -0.5))).toBe("");
  });
});
