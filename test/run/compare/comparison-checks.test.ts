import { describe, expect, it } from "vitest";
import type { ComparisonReport } from "../../../src/run/compare/compare-runs.js";
import { comparisonChecks } from "../../../src/run/compare/comparison-checks.js";
import type { PairedRow } from "../../../src/verdict/paired-comparison.js";
import { makeScoredRun } from "../../fixtures/scored-run.js";
import { makeForm, makeJudgement } from "../../fixtures/verdicts.js";

const ROW: PairedRow = {
  form: makeForm(),
  label: "CTR",
  items: "questions",
  metric: "invariant_accuracy",
  examples: 20,
  share: { n: 20, baseline: 0.75, candidate: 0.5, difference: -0.25, interval: { low: -0.5, high: 0 } },
  onlyBaseline: 5,
  onlyCandidate: 0,
  lost: { baseline: 0, candidate: 0 },
  test: "mcnemar_exact",
  pValue: 0.0625,
  adjustedPValue: 0.125,
  detectableDifference: null,
  values: {},
  judgements: { baseline: makeJudgement(), candidate: makeJudgement() },
};
const REPORT: ComparisonReport = {
  comparisons: [{ baseline: makeScoredRun("base"), candidate: makeScoredRun("new"), alsoDiffer: [], rows: [ROW] }],
  tests: 1,
  resamples: 10_000,
  seed: 0,
};
const TEXT =
  "baseline 0.7500, candidate 0.5000, 20 questions\n" +
  "difference -0.2500, 95 % interval -0.5000 to 0.0000, adjusted p 0.125";

describe("comparisonChecks", () => {
  it("judge nothing without a least difference", () => {
    const [suite] = comparisonChecks(REPORT, null).suites;
    expect(suite).toMatchObject({
      name: "scripted:oracle (results/new) against scripted:oracle (results/base)",
      checks: [{ name: "share right, CTR", result: { status: "skipped" } }],
    });
    expect(Object.fromEntries(suite!.properties)).toEqual({ baseline: "base", candidate: "new" });
  });

  it("tell a difference just below it by all of its digits, not rounded up to it", () => {
    // 14 of 108 fewer.
    const row = { ...ROW, share: { ...ROW.share, difference: -14 / 108 } };
    const report = { ...REPORT, comparisons: [{ ...REPORT.comparisons[0]!, rows: [row] }] };
    const [suite] = comparisonChecks(report, { threshold: -0.1296, below: [{ row }] }).suites;
    expect(suite!.checks[0]!.result).toMatchObject({
      message: `The difference ${-14 / 108} is under -0.1296 (--fail-under).`,
    });
  });

  it("judge no control", () => {
    const row = { ...ROW, form: makeForm({ ablation: "review" }) };
    const report = { ...REPORT, comparisons: [{ ...REPORT.comparisons[0]!, rows: [row] }] };
    const [suite] = comparisonChecks(report, { threshold: 0, below: [] }).suites;
    expect(suite!.checks[0]!.result.status).toBe("skipped");
  });

  it("fail a row below it, with the numbers", () => {
    const [suite] = comparisonChecks(REPORT, { threshold: -0.1, below: [{ row: ROW }] }).suites;
    expect(suite!.properties.get("fail_under")).toBe("-0.1");
    expect(suite!.checks[0]!.result).toEqual({
      status: "failed",
      kind: "fail_under",
      text: TEXT,
      message: "The difference -0.2500 is under -0.1 (--fail-under).",
    });
  });

  it("pass a row that is not", () => {
    const [suite] = comparisonChecks(REPORT, { threshold: -0.3, below: [] }).suites;
    expect(suite!.checks[0]!.result).toEqual({ status: "passed", text: TEXT });
  });
});
