import { describe, expect, it } from "vitest";
import type {
  AdjustedRow,
  ComparisonReport,
  RunComparison,
} from "../../../../src/suites/codereviewqa/compare/compare.js";
import { compareText } from "../../../../src/suites/codereviewqa/report/comparison.js";
import { makeRunFile, makeRunModel } from "../../../fixtures/run-file.js";
import { makeStoredRun } from "../../../fixtures/stored-run.js";

const MEANS = { n: 20, baseline: 0.4, candidate: 0.7, difference: 0.3, interval: { low: 0.1, high: 0.5 } };
const ROW: AdjustedRow & { kind: "questions" } = {
  kind: "questions",
  form: { task: "CL", difficulty: "hard" },
  examples: 20,
  invariantAccuracy: MEANS,
  onlyBaseline: 1,
  onlyCandidate: 7,
  lost: { baseline: 0, candidate: 0 },
  test: "mcnemar_exact",
  pValue: 0.0703125,
  adjustedPValue: 0.140625,
  detectableDifference: 0.4321,
  meanAccuracy: null,
  pluralityAgreement: null,
};

function textOf(row: Partial<typeof ROW>, comparison: Partial<RunComparison> = {}): string {
  const rows = [{ ...ROW, ...row }];
  const runs = { baseline: makeStoredRun("base"), candidate: makeStoredRun("new") };
  const report: ComparisonReport = {
    comparisons: [{ ...runs, alsoDiffer: [], rows, ...comparison }],
    tests: 2,
    resamples: 10_000,
    seed: 5,
  };
  return compareText(report);
}

const verdictOf = (text: string) => text.split("\n").find((line) => line.startsWith("  CL hard: "));
const even = (share: number): Partial<typeof ROW> => ({
  onlyBaseline: 0,
  onlyCandidate: 0,
  pValue: 1,
  adjustedPValue: 1,
  invariantAccuracy: { ...MEANS, baseline: share, candidate: share, difference: 0, interval: { low: 0, high: 0 } },
});

describe("compareText", () => {
  it("shows accuracies, difference with interval, who alone is right, both p-values and what can be detected", () => {
    const cells = textOf({})
      .split("\n")
      .find((line) => line.startsWith("│ CL hard"))
      ?.split("│")
      .map((cell) => cell.trim());
    expect(cells?.slice(1, -1)).toEqual([
      "CL hard",
      "20",
      "0.400",
      "0.700",
      "+0.300 (+0.100 to +0.500)",
      "1 / 7",
      "0.0703",
      "0.1406",
      "0.432",
    ]);
    expect(textOf({})).toContain("10,000 resamples, seed 5");
    expect(textOf({})).toContain("Benjamini-Hochberg over the 2 tests");
  });

  it("calls a difference by the adjusted p-value alone", () => {
    expect(verdictOf(textOf({ pValue: 0.01, adjustedPValue: 0.04 }))).toContain("the candidate is better by 0.300");
    expect(verdictOf(textOf({ pValue: 0.03, adjustedPValue: 0.06 }))).toContain(
      "no difference shown, as all tests are counted",
    );
    expect(verdictOf(textOf({}))).toBe(
      "  CL hard: no difference shown; this many questions find differences from about 0.432",
    );
    const worse = { ...MEANS, difference: -0.3 };
    expect(verdictOf(textOf({ adjustedPValue: 0.04, invariantAccuracy: worse }))).toContain(
      "the baseline is better by 0.300",
    );
  });

  it("tells runs that are right on the same questions from runs that are right on none, or on all", () => {
    expect(verdictOf(textOf(even(0)))).toContain("neither run is right on any question");
    expect(verdictOf(textOf(even(1)))).toContain("both runs are right on every question");
    expect(verdictOf(textOf(even(0.5)))).toContain("both runs are right on the same questions");
  });

  it("shows no interval where there is none, or where it has no width", () => {
    expect(textOf({ invariantAccuracy: { ...MEANS, interval: null } })).toMatch(/│ +\+0\.300 │/);
    expect(textOf(even(0.5))).toContain("0.000 (no spread)");
  });

  it("shows p-values that would round to 0 as a bound", () => {
    expect(textOf({ pValue: 1e-9 })).toContain("<0.0001");
  });

  it("names lost questions, other differences of the runs and a forced check, where there are any", () => {
    const plain = textOf({});
    for (const absent of ["lost only", "also differ", "FORCED", "–"]) expect(plain).not.toContain(absent);
    expect(textOf({ lost: { baseline: 0, candidate: 3 } })).toContain("  CL hard: baseline 0, candidate 3");
    const alsoDiffer = [{ name: "prompt_mode", baseline: "chat", candidate: "completion" }];
    expect(textOf({}, { alsoDiffer })).toContain('also differ in: prompt_mode "chat" / "completion"');
    const forced = makeStoredRun("bad", undefined, { model: { ...makeRunFile().model, check: { forced: true } } });
    expect(textOf({}, { candidate: forced })).toContain("FORCED: the check refused the server of results/bad");
  });

  it("shows mean accuracy and agreement, or says that they are absent", () => {
    expect(textOf({})).toContain("Mean accuracy and agreement: absent");
    const text = textOf({ meanAccuracy: { ...MEANS, baseline: 0.611 } });
    expect(text).toContain("0.611 / 0.700");
    expect(text).not.toContain("absent");
  });

  it("shows hostile names as text", () => {
    const candidate = makeStoredRun("x", undefined, { model: makeRunModel("m\u001b[2J", {}) });
    const text = textOf({}, { candidate: { ...candidate, folder: "f\u0007" } });
    expect(text).toContain("m\\u001b[2J · f\\u0007");
  });
});

describe("compareText of generations", () => {
  const SCORE = { task: "ACR", exampleId: "0123456789ab", em: true, editSimilarity: 1, lost: false };
  const written = (name: string) => ({
    ...makeStoredRun(name, []),
    generations: [{ promptSha256: "ab".repeat(32), score: SCORE }],
  });
  const { meanAccuracy: _, pluralityAgreement: __, ...rest } = ROW;
  const ACR: AdjustedRow & { kind: "generations" } = {
    ...rest,
    kind: "generations",
    form: { task: "ACR", difficulty: null },
    editSimilarity: { ...MEANS, n: 19, baseline: 0.612 },
  };
  const only = (changes: Partial<typeof ACR> = {}) =>
    textOf({}, { baseline: written("base"), candidate: written("new"), rows: [{ ...ACR, ...changes }] });

  it("has a row for exact matches in the same table, and the similarity beside", () => {
    const text = textOf({}, { rows: [ROW, ACR] });
    expect(text).toMatch(
      /│ ACR em +│ 20 │ +0\.400 │ +0\.700 │ +\+0\.300 \(\+0\.100 to \+0\.500\) │ +1 \/ 7 │ 0\.0703 │/,
    );
    expect(text).toMatch(/│ ACR +│ 19 │ +0\.612 \/ 0\.700 │ \+0\.300 \(\+0\.100 to \+0\.500\) │/);
    expect(text).toContain("Invariant accuracy (right under all orders); exact match (em) of the generated revision");
    // What is said of the questions' means is not said of the generations.
    expect(text).toContain("Mean accuracy and agreement: absent");
  });

  it("says nothing of questions where there are none", () => {
    const text = only();
    expect(text).toContain("1 examples, 1 generations, the same in both runs");
    expect(text).toContain("\nExact match (em) of the generated revision\n");
    expect(text).not.toContain("Mean accuracy");
    expect(text).toContain("ACR em: no difference shown; this many generations find differences from about 0.432");
  });

  it("says what generations amount to where no run alone matches", () => {
    const same = { onlyBaseline: 0, onlyCandidate: 0, pValue: 1, adjustedPValue: 1 };
    const share = (value: number) => ({ ...MEANS, baseline: value, candidate: value, difference: 0 });
    expect(only({ ...same, invariantAccuracy: share(0) })).toContain("neither run matches any revision");
    expect(only({ ...same, invariantAccuracy: share(1) })).toContain("both runs match every revision");
    expect(only({ ...same, invariantAccuracy: share(0.5) })).toContain("both runs match the same revisions");
  });

  it("names generations that failed apart from questions that were lost, and a similarity that there is none of", () => {
    const text = only({ lost: { baseline: 0, candidate: 2 }, editSimilarity: null });
    expect(text).toContain(
      "Generations lost because they failed; they count as not matched:\n  ACR em: baseline 0, candidate 2",
    );
    expect(text).not.toContain("orders failed");
    expect(text).toMatch(/│ ACR +│ 0 │ +– │ +– │/);
  });
});
