import { describe, expect, it } from "vitest";
import { probe } from "../../../../../probes/clo.js";
import { countNgrams } from "../../../../../src/suites/codereviewqa/metric/written/bleu.js";
import {
  judgeGenerations,
  judgeOpenAnswers,
  summariseOpenAnswers,
  WRITTEN_SENTENCES,
} from "../../../../../src/suites/codereviewqa/metric/written/written-judgement.js";
import { NO_NUMBERS } from "../../../../../src/verdict/judgement.js";
import { makeFailedGeneration, makeScoredGeneration } from "../../../../fixtures/generation.js";

const times = <T>(count: number, item: T): T[] => Array<T>(count).fill(item);

const COPY = "repeating the code unchanged";
const generation = (em: boolean, copy: boolean) => makeScoredGeneration({}, { em }, { em: copy });

describe("judgeGenerations", () => {
  it("is above the floor where more match than if the code were repeated, beyond chance", () => {
    // Eight match that the code does not: p = 2^−8 = 0.0039.
    expect(judgeGenerations(times(8, generation(true, false)))).toEqual({
      ...NO_NUMBERS,
      against: "copy",
      clusters: 8,
      state: "above_floor",
      score: 1,
      floor: 0,
      floorRule: "copy",
      pValue: 2 ** -8,
      sentence: WRITTEN_SENTENCES.above({ score: 1, floor: 0, rule: COPY, pValue: 2 ** -8 }),
    });
  });

  it("is at the floor where as many match, or hardly more", () => {
    // Four match that the code does not, of 20: p = 2^−4 = 0.0625.
    const few = [...times(4, generation(true, false)), ...times(16, generation(false, false))];
    expect(judgeGenerations(few)).toMatchObject({ state: "at_floor", score: 0.2, floor: 0, pValue: 2 ** -4 });
    const none = judgeGenerations(times(20, generation(false, false)));
    expect(none).toMatchObject({ state: "at_floor", score: 0, pValue: 1 });
    expect(none.sentence).toEqual(WRITTEN_SENTENCES.notAbove({ score: 0, floor: 0, rule: COPY, pValue: 1 }));
  });

  it.each([
    // 2^−6 = 0.016: not even this could be significant; 2^−7 = 0.0078.
    [6, "unknown"],
    [7, "above_floor"],
  ])("of %i generations, all of which match, is %s", (count, state) => {
    expect(judgeGenerations(times(count, generation(true, false))).state).toBe(state);
  });

  it("counts only those that repeating the code would not match as ones to win on", () => {
    const judged = judgeGenerations([...times(20, generation(true, true)), ...times(6, generation(true, false))]);
    expect(judged).toMatchObject({ state: "unknown", pValue: null, score: 1 });
    expect(judged.floor).toBeCloseTo(20 / 26, 12);
  });

  it("holds them against writing nothing too, which is right where a hunk is deleted whole", () => {
    // The code that was to be written has no tokens: an empty text is it, whatever is understood.
    const deleted = generation(true, false);
    const ngrams = countNgrams({ postReviewLines: [""], generation: "" });
    const emptied = { ...deleted, measured: { ...deleted.measured!, ngrams } };
    expect(judgeGenerations(times(20, emptied))).toMatchObject({
      state: "unknown",
      score: 1,
      floor: 1,
      floorRule: "nothing",
    });
    // Of 18 that match, nothing matches 10, the code none: 2^−8 against the harder of the two.
    const mixed = judgeGenerations([...times(10, emptied), ...times(8, generation(true, false))]);
    const found = { score: 1, floor: 10 / 18, rule: "writing nothing", pValue: 2 ** -8 };
    expect(mixed).toMatchObject({ state: "above_floor", against: "nothing", floor: 10 / 18, pValue: 2 ** -8 });
    expect(mixed.sentence).toEqual(WRITTEN_SENTENCES.above(found));
  });

  it("takes a failed generation for no match", () => {
    expect(judgeGenerations([...times(8, generation(true, false)), ...times(8, makeFailedGeneration())])).toMatchObject(
      {
        state: "above_floor",
        score: 0.5,
      },
    );
  });

  it("is unknown without generations, and where the code was not recorded", () => {
    expect(judgeGenerations([])).toMatchObject({ state: "unknown", score: null, floor: null, floorRule: null });
    const { measured, ...rest } = generation(true, false);
    const old = { ...rest, measured: { ...measured!, copy: null } };
    expect(judgeGenerations(times(8, old))).toMatchObject({ state: "unknown", score: 1, floor: null, pValue: null });
  });

  it("tests hunks of a task together", () => {
    // Eight match that the code does not, but all are hunks of two tasks: p = 2^−2 at best.
    const hunks = times(8, generation(true, false)).map((each, i) => ({ ...each, exampleId: `task-${i % 2}#${i}` }));
    expect(judgeGenerations(hunks, (id) => id.split("#")[0] ?? id)).toMatchObject({
      state: "unknown",
      pValue: null,
      clusters: 2,
    });
  });
});

describe("judgeOpenAnswers", () => {
  it("counts exact answers alone, against every rule in the answers' place", () => {
    const { scoring } = probe;
    if (scoring === undefined) throw new Error("CLO scores what is written itself.");
    // Line 1 of three is right; the longest is line 2, the middle one too. Of 16 answers 12 are exact: p = 2^−12.
    const answer = (em: boolean) => ({
      ...makeScoredGeneration({
        task: "CLO",
        open: { score: { em, graded: em ? 1 : 0 }, reference: "1", preReview: "a\nlong\nb" },
      }),
      measured: null,
    });
    const judged = judgeOpenAnswers(scoring, [...times(12, answer(true)), ...times(4, answer(false))]);
    expect(judged).toMatchObject({ state: "above_floor", score: 12 / 16, floor: 0, pValue: 2 ** -12 });
  });

  it("holds them against what each rule writes of the code", () => {
    if (scoring === undefined) throw new Error("CLO scores what is written itself.");
    // All 12 are right; so is the longest line in four of them: 2^−8 against it.
    const answer = (preReview: string) => ({
      ...makeScoredGeneration({ task: "CLO", open: { score: { em: true, graded: 1 }, reference: "1", preReview } }),
      measured: null,
    });
    const judged = judgeOpenAnswers(scoring, [...times(4, answer("long\na\nb")), ...times(8, answer("a\nlong\nb"))]);
    expect(judged).toMatchObject({ state: "above_floor", floor: 4 / 12, floorRule: "longest_line", pValue: 2 ** -8 });
  });
});

const { scoring } = probe;

it("has a row of each rule, with its mean of what is graded", () => {
  if (scoring === undefined) throw new Error("CLO scores what is written itself.");
  // The longest line is one of the two that are right, the only one, and neither: (1/2 + 1 + 0)/3.
  const members = (
    [
      ["1,2", "long\na\nb"],
      ["1", "long\na\nb"],
      ["3", "long\na\nb"],
    ] as const
  ).map(([reference, preReview], i) => ({
    ...makeScoredGeneration({ task: "CLO", exampleId: `w${i}`, open: { score: null, reference, preReview } }),
    measured: null,
  }));
  const row = summariseOpenAnswers("CLO", scoring, members).find(({ metric }) => metric === "floor_longest_line");
  expect(row).toMatchObject({ value: 1 / 3, n: 3, note: "always the longest line; Jaccard 50.0 %" });
  const none = summariseOpenAnswers("CLO", scoring, []).find(({ metric }) => metric === "floor_longest_line");
  expect(none).toMatchObject({ value: null, n: 0, note: "always the longest line; Jaccard unknown" });
});

it("is over one n: what was refused has nothing in common, as it is no match", () => {
  // Six of 198: two exact, one half right, one no list of lines, two refused.
  const open = (em: boolean, graded: number) => ({ score: { em, graded }, reference: "1", preReview: "a" });
  const unread = { score: null, reference: "1", preReview: "a" };
  const written = [open(true, 1), open(true, 1), open(false, 0.5), unread].map((each, i) => ({
    ...makeScoredGeneration({ task: "CLO", exampleId: `w${i}`, open: each }),
    measured: null,
  }));
  const refused = ["a", "b"].map((exampleId) => makeFailedGeneration({ task: "CLO", exampleId, open: unread }));
  if (scoring === undefined) throw new Error("CLO scores what is written itself.");
  const rows = summariseOpenAnswers("CLO", scoring, [...written, ...refused]);
  const found = ["em", "jaccard", "no_answer_rate", "failure_rate"].map((metric) => {
    const row = rows.find((each) => each.groupBy === "overall" && each.metric === metric);
    return [metric, row?.n, row?.value];
  });
  // 2/6; (1 + 1 + .5)/6; 1/6; 2/6.
  expect(found).toEqual([
    ["em", 6, 2 / 6],
    ["jaccard", 6, 2.5 / 6],
    ["no_answer_rate", 6, 1 / 6],
    ["failure_rate", 6, 2 / 6],
  ]);
});
