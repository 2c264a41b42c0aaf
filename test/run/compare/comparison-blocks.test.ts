import { describe, expect, it } from "vitest";
import { WORTHLESS_DIFFERENCE } from "../../../src/report/judgement-words.js";
import { plainText } from "../../../src/report/terminal.js";
import type { ComparisonReport, RunComparison } from "../../../src/run/compare/compare-runs.js";
import { comparisonBlocks, comparisonMarkdown } from "../../../src/run/compare/comparison-blocks.js";
import { judgementText } from "../../../src/verdict/judgement.js";
import type { PairedRow } from "../../../src/verdict/paired-comparison.js";
import type { Verdict, VerdictForm } from "../../../src/verdict/verdict.js";
import { makeRunFile, makeRunModel } from "../../fixtures/run-file.js";
import { makeScoredRun } from "../../fixtures/scored-run.js";
import { makeForm, makeJudgement, makeRunVerdicts, makeVerdict, makeWrittenForm } from "../../fixtures/verdicts.js";

const MEANS = { n: 20, baseline: 0.4, candidate: 0.7, difference: 0.3, interval: { low: 0.1, high: 0.5 } };
const HARD = makeForm({ name: "CL hard", task: "CL", difficulty: "hard" });
const ACR = makeWrittenForm();
const ROW: PairedRow = {
  form: HARD,
  label: "CL hard",
  items: "questions",
  metric: "invariant_accuracy",
  examples: 20,
  share: MEANS,
  onlyBaseline: 1,
  onlyCandidate: 7,
  lost: { baseline: 0, candidate: 0 },
  test: "mcnemar_exact",
  pValue: 0.0703125,
  adjustedPValue: 0.140625,
  detectableDifference: 0.4321,
  values: { mean_accuracy: null, plurality_agreement: null },
  judgements: { baseline: makeJudgement(), candidate: makeJudgement() },
};
const WRITTEN: PairedRow = {
  ...ROW,
  form: ACR,
  label: "ACR",
  items: "generations",
  metric: "em",
  values: { edit_similarity: { ...MEANS, n: 19, baseline: 0.612 } },
};

const runOf = (name: string, forms: readonly VerdictForm[], changes: Parameters<typeof makeScoredRun>[2] = {}) =>
  makeScoredRun(name, makeRunVerdicts({ forms, verdicts: forms.map((form) => makeVerdict({ form: form.name })) }), {
    ...changes,
  });

function reportOf(rows: readonly PairedRow[], comparison: Partial<RunComparison> = {}): ComparisonReport {
  const forms = [...new Set(rows.flatMap(({ form }) => form ?? []))];
  const runs = { baseline: runOf("base", forms), candidate: runOf("new", forms) };
  return { comparisons: [{ ...runs, alsoDiffer: [], rows, ...comparison }], tests: 2, resamples: 10_000, seed: 5 };
}

const textOf = (row: Partial<PairedRow>, comparison: Partial<RunComparison> = {}) =>
  plainText(comparisonBlocks(reportOf([{ ...ROW, ...row }], comparison)));
const writtenText = (row: Partial<PairedRow> = {}) => plainText(comparisonBlocks(reportOf([{ ...WRITTEN, ...row }])));
const verdictOf = (text: string) => text.split("\n").find((line) => line.startsWith("  CL hard: "));
const even = (share: number): Partial<PairedRow> => ({
  onlyBaseline: 0,
  onlyCandidate: 0,
  pValue: 1,
  adjustedPValue: 1,
  share: { ...MEANS, baseline: share, candidate: share, difference: 0, interval: { low: 0, high: 0 } },
});

describe("comparisonBlocks", () => {
  it("shows shares, difference with interval, who alone passes, both p-values and what can be detected", () => {
    const cells = textOf({})
      .split("\n")
      .find((line) => line.startsWith("│ CL hard"))
      ?.split("│")
      .map((cell) => cell.trim());
    expect(cells?.slice(1, -1)).toEqual([
      "CL hard",
      "20",
      "40.0 %",
      "70.0 %",
      "+30.0 pp (+10.0 to +50.0)",
      "1 / 7",
      "0.0703",
      "0.1406",
      "43.2",
    ]);
    expect(textOf({})).toContain("10,000 resamples, seed 5");
    expect(textOf({})).toContain("Benjamini-Hochberg over the 2 tests");
  });

  it("tells examples that are hunks from the tasks that they are of, and trials from theirs", () => {
    const hunks = ["t1/a", "t1/b", "t2/a"].map((item) =>
      makeVerdict({ item, cluster: item.slice(0, 2), form: HARD.name }),
    );
    const shown = (form: VerdictForm, verdicts: Verdict[]) => {
      const run = (name: string) => makeScoredRun(name, makeRunVerdicts({ forms: [form], verdicts }));
      return textOf({ test: "sign_flip_by_example" }, { baseline: run("base"), candidate: run("new") });
    };
    const text = shown(HARD, hunks);
    expect(text).toContain("2 tasks, 3 examples, 3 questions, the same in both runs");
    expect(text).toContain("interval by task: bootstrap");
    expect(text).toContain("below 30 tasks by Student's t");
    expect(text).toContain("where a task has several items the exact sign-flip test by task");
    expect(shown({ ...HARD, kind: "trial" }, hunks)).toContain("\n2 tasks, 3 questions, the same");
    const whole = shown(HARD, [makeVerdict({ form: HARD.name })]);
    expect(whole).toContain("\n1 example, 1 question, the same");
    expect(whole).toContain("interval by example: bootstrap");
  });

  it("calls a difference by the adjusted p-value alone", () => {
    expect(verdictOf(textOf({ pValue: 0.01, adjustedPValue: 0.04 }))).toContain("the candidate is better by 30.0 pp");
    expect(verdictOf(textOf({ pValue: 0.03, adjustedPValue: 0.06 }))).toContain(
      "no difference shown, as all tests are counted",
    );
    expect(verdictOf(textOf({}))).toBe(
      "  CL hard: no difference shown; this many questions find differences from about 43.2 pp",
    );
    // Of a control more is not better.
    const control = { adjustedPValue: 0.04, form: { ...HARD, ablation: "review" } };
    expect(verdictOf(textOf(control))).toContain("the candidate is higher by 30.0 pp");
    const worse = { ...MEANS, difference: -0.3 };
    expect(verdictOf(textOf({ adjustedPValue: 0.04, share: worse }))).toContain("the baseline is better by 30.0 pp");
  });

  it("tells runs that pass the same questions from runs that pass none, or all", () => {
    expect(verdictOf(textOf(even(0)))).toContain("neither run passes any of the questions");
    expect(verdictOf(textOf(even(1)))).toContain("both runs pass all of the questions");
    expect(verdictOf(textOf(even(0.5)))).toContain("both runs pass the same questions");
  });

  it("shows no interval where there is none", () => {
    expect(textOf({ share: { ...MEANS, interval: null } })).toMatch(/│ +\+30\.0 pp │/);
  });

  it("shows p-values that would round to 0 as a bound", () => {
    expect(textOf({ pValue: 1e-9 })).toContain("<0.0001");
  });

  it("names lost questions, other differences of the runs and a forced check, where there are any", () => {
    const plain = textOf({});
    for (const absent of ["Lost only", "also differ", "FORCED", "–"]) expect(plain).not.toContain(absent);
    const lost = textOf({ lost: { baseline: 0, candidate: 3 } });
    expect(lost).toContain("Lost only because something failed");
    expect(lost).toContain("  CL hard: baseline 0, candidate 3");
    const alsoDiffer = [{ name: "prompt_mode", baseline: "chat", candidate: "completion" }];
    expect(textOf({}, { alsoDiffer })).toContain('also differ in: prompt_mode "chat" / "completion"');
    const forced = runOf("bad", [HARD], { model: { ...makeRunFile().model, check: { forced: true } } });
    expect(textOf({}, { candidate: forced })).toContain("FORCED: the check refused the server of results/bad");
  });

  it("names each run whose score is not above its floor: a difference there says nothing", () => {
    expect(textOf({})).not.toContain(WORTHLESS_DIFFERENCE);
    const candidate = makeJudgement({ state: "at_floor" });
    const text = textOf({ judgements: { baseline: makeJudgement(), candidate } });
    expect(text).toContain(WORTHLESS_DIFFERENCE);
    expect(text).toContain(`  CL hard, candidate: ${judgementText(candidate)}`);
    expect(text).not.toContain("CL hard, baseline:");
  });

  it("shows the means beside, or says that they are absent", () => {
    expect(textOf({})).toContain("Absent: mean accuracy and agreement");
    const text = textOf({ values: { mean_accuracy: { ...MEANS, baseline: 0.611 }, plurality_agreement: null } });
    expect(text).toContain("61.1 % / 70.0 %");
    expect(text).not.toContain("Absent");
  });

  it("shows hostile names as text", () => {
    const candidate = runOf("x", [HARD], { model: makeRunModel("m\u001b[2J", {}) });
    const text = textOf({}, { candidate: { ...candidate, folder: "f\u0007" } });
    expect(text).toContain("m\\u001b[2J · f\\u0007");
  });
});

describe("comparisonBlocks of generations", () => {
  it("has a row for exact matches in the same table, and the similarity beside", () => {
    const text = plainText(comparisonBlocks(reportOf([ROW, WRITTEN])));
    expect(text).toMatch(
      /│ ACR +│ 20 │ +40\.0 % │ +70\.0 % │ +\+30\.0 pp \(\+10\.0 to \+50\.0\) │ +1 \/ 7 │ 0\.0703 │/,
    );
    expect(text).toMatch(/│ ACR +│ 19 │ +61\.2 % \/ 70\.0 % │ +\+30\.0 pp \(\+10\.0 to \+50\.0\) │/);
    expect(text).toContain("Invariant accuracy; exact match");
    // What is said of the questions' means is not said of the generations.
    expect(text).toContain("Absent: mean accuracy and agreement");
    expect(text).not.toContain("Absent: edit similarity");
  });

  it("says nothing of questions where there are none", () => {
    const text = writtenText();
    expect(text).toContain("1 example, 1 generation, the same in both runs");
    expect(text).toContain("\nExact match\n");
    expect(text).not.toMatch(/mean accuracy/i);
    expect(text).toContain("ACR: no difference shown; this many generations find differences from about 43.2 pp");
  });

  it("says what generations amount to where no run alone matches", () => {
    expect(writtenText(even(0))).toContain("neither run passes any of the generations");
    expect(writtenText(even(1))).toContain("both runs pass all of the generations");
    expect(writtenText(even(0.5))).toContain("both runs pass the same generations");
  });

  it("names generations that failed, and a similarity that there is none of", () => {
    const text = writtenText({ lost: { baseline: 0, candidate: 2 }, values: { edit_similarity: null } });
    expect(text).toContain("they count as not passed:\n  ACR: baseline 0, candidate 2");
    expect(text).toContain("Absent: edit similarity (no item has them in both runs)");
  });
});

describe("comparisonMarkdown", () => {
  it("says of each row whether it keeps the threshold, and nothing without one", () => {
    const report = reportOf([ROW, WRITTEN]);
    const [row] = report.comparisons[0]!.rows;
    const markdown = comparisonMarkdown(report, { threshold: 0.4, below: [{ row: row! }] });
    expect(markdown).toContain("## probe: scripted:oracle against scripted:oracle");
    expect(markdown).toContain("| at least 0.4? |");
    expect(markdown).toMatch(/^\| CL hard \|.*\| \*\*NO\*\* \|$/m);
    expect(markdown).toMatch(/^\| ACR \| 20 \|.*\| yes \|$/m);
    expect(comparisonMarkdown(report, null)).not.toContain("at least");
  });
});
