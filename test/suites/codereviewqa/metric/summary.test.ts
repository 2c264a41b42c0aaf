import { isDeepStrictEqual } from "node:util";
import { describe, expect, it } from "vitest";
import { floorsOfForm } from "../../../../src/question/floors/floors.js";
import { summariseForm } from "../../../../src/suites/codereviewqa/metric/summary.js";
import type { SummaryRow } from "../../../../src/suites/codereviewqa/metric/summary-row.js";
import { makeFloors } from "../../../fixtures/question-floors.js";
import { makeScore } from "../../../fixtures/question-score.js";
import { A, B, C } from "../../../fixtures/symbols.js";

const CTR = {
  probe: {
    task: "CTR",
    optionCount: 3,
    answerClass: ({ changeType }: { readonly changeType: string }) => changeType,
  },
  difficulty: null,
};

const counts = (a: number, b: number, c: number) =>
  new Map([
    [A, a],
    [B, b],
    [C, c],
  ]);

const RIGHT = makeScore({ language: "python", meanSymbolMass: 0.5 });
/** Always A. */
const BIASED = makeScore({
  language: "go",
  correctPermutations: 2,
  invariantCorrect: false,
  pluralityAgreement: 2 / 6,
  meanAccuracy: 2 / 6,
  symbolCounts: counts(6, 0, 0),
});
const FAILED_ONCE = makeScore({
  language: "python",
  changeType: "add",
  answered: 5,
  failed: 1,
  correctPermutations: 5,
  invariantCorrect: false,
  lost: true,
  pluralityAgreement: null,
  meanAccuracy: null,
  symbolCounts: counts(2, 2, 1),
});
const UNDECIDED_ONCE = makeScore({
  language: "go",
  undecided: 1,
  correctPermutations: 5,
  invariantCorrect: false,
  lost: true,
  pluralityAgreement: 5 / 6,
  meanAccuracy: 5 / 6,
  symbolCounts: counts(1, 2, 2),
});
const SCORES = [RIGHT, BIASED, FAILED_ONCE, UNDECIDED_ONCE];

function overall(rows: readonly SummaryRow[], metric: string): SummaryRow | undefined {
  return rows.find((row) => row.groupBy === "overall" && row.metric === metric);
}

describe("summariseForm", () => {
  const rows = summariseForm(CTR, SCORES, false);

  it("counts the invariant-correct and the lost questions among all", () => {
    // 1 of 4; Wilson: centre (0.25 + 0.4801824)/1.9603647 = 0.3724727, half 0.3268849 (z = 1.9599640)
    const invariant = overall(rows, "invariant_accuracy");
    expect(invariant).toMatchObject({ value: 0.25, n: 4 });
    expect(invariant?.ciLow).toBeCloseTo(0.0455878, 5);
    expect(invariant?.ciHigh).toBeCloseTo(0.6993577, 5);
    expect(overall(rows, "invariant_lost_rate")).toMatchObject({ value: 0.5, n: 4 });
  });

  it("has intervals over tasks where questions are about hunks of these, and says so", () => {
    // Six questions about two tasks, alike within each: a task is one case.
    const caseOf = (exampleId: string) => exampleId.slice(0, 1);
    const hunks = ["a#1", "a#2", "a#3", "b#1", "b#2", "b#3"].map((exampleId) =>
      exampleId.startsWith("a") ? { ...RIGHT, exampleId } : { ...BIASED, exampleId },
    );
    const found = overall(summariseForm({ ...CTR, caseOf }, hunks, false), "invariant_accuracy");
    expect(found).toMatchObject({ value: 0.5, n: 6 });
    expect(found?.note).toBe(
      "Wilson 95 % interval at the effective number of questions, over 2 tasks: questions are about hunks of these",
    );
    // Without being told that they are hunks, they are questions of their own, whatever their ids look like.
    const apart = overall(summariseForm(CTR, hunks, false), "invariant_accuracy");
    expect(apart?.note).toBe("Wilson 95 % interval");
    expect(found?.ciHigh).toBeGreaterThan(apart?.ciHigh ?? 1);
    const alone = overall(summariseForm(CTR, [RIGHT, BIASED], false), "invariant_accuracy");
    expect(found?.ciHigh).toBeGreaterThan(alone?.ciHigh ?? 1);
    // x̄ ± 12.7062 · SE: both are cut at their ends.
    const mean = overall(summariseForm({ ...CTR, caseOf }, hunks, false), "mean_accuracy");
    expect(mean).toMatchObject({ ciLow: 0, ciHigh: 1, n: 6 });
  });

  it("takes mean accuracy and agreement over the complete questions", () => {
    // (6 + 2 + 5)/6/3 = 13/18
    expect(overall(rows, "mean_accuracy")?.value).toBeCloseTo(13 / 18, 12);
    expect(overall(rows, "mean_accuracy")?.n).toBe(3);
    expect(overall(rows, "plurality_agreement")?.value).toBeCloseTo(13 / 18, 12);
    expect(overall(rows, "plurality_agreement")?.n).toBe(3);
  });

  it("puts guessing, its p-value and the gate beside the agreement", () => {
    // Outcomes of 729 by k. Three questions reach a total of 13 or more with the probability summed here.
    const outcomes = [0, 0, 90, 420, 180, 36, 3];
    let p = 0;
    for (let i = 2; i <= 6; i++)
      for (let j = 2; j <= 6; j++)
        for (let k = 2; k <= 6; k++) if (i + j + k >= 13) p += (outcomes[i]! * outcomes[j]! * outcomes[k]!) / 729 ** 3;
    expect(overall(rows, "plurality_agreement_null")?.value).toBeCloseTo(2358 / 729 / 6, 12);
    expect(overall(rows, "mcsb_p_value")?.value).toBeCloseTo(p, 12);
    // p is about 0.03, not below 0.01
    expect(overall(rows, "mcsb_gate")).toMatchObject({ value: 0, note: expect.stringContaining("failed") });
  });

  it("adds up the symbols over questions for position bias", () => {
    // A 2+6+2+1 = 11, B 2+0+2+2 = 6, C 2+0+1+2 = 5 of 22; expected 22/3
    // chi-square ((11/3)² + (4/3)² + (7/3)²)/(22/3) = (186/9)/(22/3) = 31/11
    expect(overall(rows, "position_bias")).toMatchObject({ value: 0.5, ciLow: null, n: 22 });
    expect(overall(rows, "position_bias")?.note).toContain("symbol, A; 0.333 without bias");
    expect(overall(rows, "position_bias_chi_square")?.value).toBeCloseTo(31 / 11, 12);
  });

  it("takes undecided and failed as shares of answers", () => {
    // 6 + 6 + 5 + 6 = 23 replies, one undecided; 24 asked, one failed
    expect(overall(rows, "undecided_rate")).toMatchObject({ value: 1 / 23, n: 23 });
    expect(overall(rows, "failure_rate")).toMatchObject({ value: 1 / 24, n: 24 });
  });

  it("has no interval where one question has a symbol mass", () => {
    expect(overall(rows, "symbol_mass")).toMatchObject({ value: 0.5, ciLow: null, ciHigh: null, n: 1 });
  });

  it("puts the floors beside the scores", () => {
    expect(overall(rows, "floor_random")?.value).toBe(1 / 3);
    expect(overall(rows, "floor_invariant")?.value).toBeCloseTo(1 / 729, 15);
    // three of four are modify
    // Wilson's interval of 3 of 4.
    expect(overall(rows, "floor_majority")).toMatchObject({
      value: 0.75,
      ciLow: expect.closeTo(0.3006, 4),
      ciHigh: expect.closeTo(0.9544, 4),
      n: 4,
      note: 'always "modify"',
    });
  });

  it("has no majority floor for a probe without answer classes", () => {
    const probe = { ...CTR.probe, answerClass: () => null };
    expect(overall(summariseForm({ ...CTR, probe }, SCORES, false), "floor_majority")).toBeUndefined();
  });

  it("lists overall, then languages, then change types, in alphabetical order", () => {
    const groups = [...new Set(rows.map(({ groupBy, group }) => `${groupBy} ${group}`))];
    expect(groups).toEqual(["overall all", "language go", "language python", "change_type add", "change_type modify"]);
  });

  it("measures each group over its own questions", () => {
    const value = (group: string) =>
      rows.find((row) => row.group === group && row.metric === "invariant_accuracy")?.value;
    expect(value("python")).toBe(1 / 2);
    expect(value("go")).toBe(0);
    expect(value("modify")).toBe(1 / 3);
    expect(value("add")).toBe(0);
  });

  it("leaves what a group cannot tell absent, with n = 0, never 0 or NaN", () => {
    const add = rows.filter((row) => row.group === "add");
    for (const metric of ["mean_accuracy", "plurality_agreement", "mcsb_p_value", "mcsb_gate", "symbol_mass"]) {
      expect(add.find((row) => row.metric === metric)).toMatchObject({ value: null, ciLow: null, ciHigh: null, n: 0 });
    }
    expect(add.find(({ metric }) => metric === "mean_accuracy")?.note).toBe("questions with every order answered");
    expect(rows.some(({ value, ciLow, ciHigh }) => [value, ciLow, ciHigh].some(Number.isNaN))).toBe(false);
  });

  it("keeps invariant accuracy under early stopping, and leaves absent what stopping distorts", () => {
    const withoutMeans = SCORES.map((score) => ({ ...score, meanAccuracy: null }));
    const stopped = summariseForm(CTR, withoutMeans, true);
    expect(overall(stopped, "invariant_accuracy")).toMatchObject({ value: 0.25, n: 4 });
    for (const metric of [
      "mean_accuracy",
      "plurality_agreement",
      "plurality_agreement_null",
      "mcsb_p_value",
      "mcsb_gate",
      "position_bias",
      "position_bias_chi_square",
    ]) {
      expect(overall(stopped, metric)).toMatchObject({ value: null, n: 0, note: "not defined with --early-stop" });
    }
    // Where the first order of each was drawn, one of four being right under it.
    const drawn = withoutMeans.map((score, i) => ({ ...score, meanAccuracy: Number(i === 0) }));
    expect(overall(summariseForm(CTR, drawn, true), "mean_accuracy")).toMatchObject({
      value: 0.25,
      n: 4,
      note: "by the order asked first, drawn at random (--early-stop)",
    });
    // the same metrics in the same order, so that tables of both kinds line up
    expect(stopped.map(({ metric }) => metric)).toEqual(rows.map(({ metric }) => metric));
  });
});

describe("summariseForm with floors", () => {
  const scores = [
    makeScore({ exampleId: "a", language: "go", changeType: "add" }),
    makeScore({ exampleId: "b", language: "python", changeType: "modify" }),
  ];
  const floors = floorsOfForm([
    makeFloors({ exampleId: "a", answerClass: "add", shares: { keywords: 1, longest: 1 / 4 }, lexical: ["keywords"] }),
    makeFloors({
      exampleId: "b",
      answerClass: "modify",
      shares: { keywords: 0, longest: 1 / 4 },
      lexical: ["keywords"],
    }),
  ]);
  const plain = summariseForm(CTR, scores, false);
  const rows = summariseForm(CTR, scores, false, floors);
  const added = rows.filter((row) => !plain.some((old) => isDeepStrictEqual(old, row)));

  it("leaves all other rows and their order as they are", () => {
    expect(rows.filter((row) => !added.includes(row))).toEqual(plain);
  });

  it("adds a row a rule and one for the best of each kind, of every group", () => {
    const overallRows = added.filter(({ groupBy }) => groupBy === "overall");
    expect(overallRows.map(({ metric, value, n, note }) => [metric, value, n, note])).toEqual([
      ["floor_keywords", 0.5, 2, "lexical: matches words of the review"],
      ["floor_longest", 0.25, 2, "no-read: sees the options alone"],
      // Always "add" is right in 1 of 2.
      ["floor_no_read", 0.5, 2, 'majority: always "add"'],
      ["floor_lexical", 0.5, 2, "keywords: lexical: matches words of the review"],
    ]);
    const go = added.find(({ group, metric }) => group === "go" && metric === "floor_keywords");
    expect(go).toMatchObject({ value: 1, n: 1 });
  });

  it("adds none where the rules were not applied to every question", () => {
    const some = floorsOfForm([makeFloors({ exampleId: "a" })]);
    const metrics = summariseForm(CTR, scores, false, some).filter(({ groupBy }) => groupBy === "overall");
    expect(metrics.map(({ metric }) => metric)).not.toContain("floor_longest");
  });
});

describe("summariseForm by whether words suffice", () => {
  const ids = Array.from({ length: 60 }, (_, i) => `example ${i}`);
  // Keywords are right in the first 40, so the rule fitted over them picks as they do, and is wrong in the last 20.
  const floors = floorsOfForm(
    ids.map((exampleId, i) =>
      makeFloors({ exampleId, shares: { keywords: i < 40 ? 1 : 0, longest: 1 / 4 }, lexical: ["keywords"] }),
    ),
  );
  // The model is right in the first 50: in all 40 of those, and in 10 of the 20.
  const scores = ids.map((exampleId, i) => makeScore({ exampleId, invariantCorrect: i < 50 }));
  const rows = summariseForm(CTR, scores, false, floors).filter(({ groupBy }) => groupBy === "words");
  const of = (group: string, metric: string) => rows.find((row) => row.group === group && row.metric === metric);

  it("scores the questions that the fitted lexical rule gets wrong apart from the others", () => {
    expect(of("do_not_suffice", "invariant_accuracy")).toMatchObject({ value: 0.5, n: 20 });
    expect(of("suffice", "invariant_accuracy")).toMatchObject({ value: 1, n: 40 });
    expect(of("do_not_suffice", "floor_fitted_lexical")).toMatchObject({ value: 0, n: 20 });
  });

  it("counts a tie of the rule as sufficing", () => {
    const tied = ids.map((exampleId) => makeFloors({ exampleId, shares: { keywords: 1 / 4 }, lexical: ["keywords"] }));
    const groups = summariseForm(CTR, scores, false, floorsOfForm(tied)).filter(({ groupBy }) => groupBy === "words");
    expect([...new Set(groups.map(({ group }) => group))]).toEqual(["suffice"]);
  });

  it("has no such groups below 50 questions, where no rule is fitted", () => {
    const few = summariseForm(CTR, scores.slice(0, 40), false, floorsOfForm([makeFloors({ exampleId: "example 0" })]));
    expect(few.filter(({ groupBy }) => groupBy === "words")).toEqual([]);
  });
});
