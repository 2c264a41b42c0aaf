import { describe, expect, it } from "vitest";
import { floorsOfForm } from "../../../../src/question/floors/floors.js";
import { CHOICE_SENTENCES, WRITTEN_SENTENCES } from "../../../../src/report/judgement-words.js";
import { judgeChoices, judgeGenerations } from "../../../../src/suites/codereviewqa/metric/form-judgement.js";
import type { QuestionScore } from "../../../../src/suites/codereviewqa/metric/question-score.js";
import { judgementText } from "../../../../src/verdict/judgement.js";
import { makeFailedGeneration, makeScoredGeneration } from "../../../fixtures/generation.js";
import { makeFloors } from "../../../fixtures/question-floors.js";
import { makeScore } from "../../../fixtures/question-score.js";
import { A, B, C } from "../../../fixtures/symbols.js";

const WRONG: Partial<QuestionScore> = { invariantCorrect: false, correctPermutations: 0 };
const ALWAYS_A: Partial<QuestionScore> = {
  ...WRONG,
  pluralityAgreement: 2 / 6,
  symbolCounts: new Map([
    [A, 6],
    [B, 0],
    [C, 0],
  ]),
};

/** A form whose questions have these scores, and of which the rules have these shares. */
function judge(
  members: readonly { readonly score?: Partial<QuestionScore>; readonly shares?: Readonly<Record<string, number>> }[],
  answerClass: string | null = null,
) {
  const floors = members.map(({ shares = { longest: 0 } }, i) =>
    makeFloors({ exampleId: `${i}`, shares, answerClass }),
  );
  return judgeChoices({
    optionCount: 3,
    scores: members.map(({ score }, i) => makeScore({ exampleId: `${i}`, ...score })),
    floors: floorsOfForm(floors),
  });
}

const times = <T>(count: number, item: T): T[] => Array<T>(count).fill(item);

describe("judgeChoices", () => {
  it("is above the floor where the best fixed rule is beaten beyond chance", () => {
    // Right in 10, longest in 2, 1/3 each in 3: (2 + 1)/10. Differences: 0 twice, 12 · 2/3 = 8 three times, 12 five
    // times: all of one sign, so p = 2^−8.
    const verdict = judge([
      ...times(2, { shares: { longest: 1, shortest: 0 } }),
      ...times(3, { shares: { longest: 1 / 3, shortest: 1 / 3 } }),
      ...times(5, { shares: { longest: 0, shortest: 0 } }),
    ]);
    expect(verdict).toEqual({
      state: "above_floor",
      score: 1,
      floor: 0.3,
      floorRule: "longest",
      pValue: 2 ** -8,
      sentence: CHOICE_SENTENCES.above(1, { rule: "longest", share: 0.3 }, { pValue: 2 ** -8, against: null }),
    });
  });

  it("is at the floor where a score is higher, but could be by chance", () => {
    // Right in 10 of 16, longest in the other 6.
    const verdict = judge([
      ...times(6, { score: WRONG, shares: { longest: 1 } }),
      ...times(10, { shares: { longest: 0 } }),
    ]);
    // p = Σ C(16, k >= 10) / 2^16 = (8008 + 4368 + 1820 + 560 + 120 + 16 + 1) / 65536
    expect(verdict).toMatchObject({ state: "at_floor", score: 0.625, floor: 0.375, pValue: 14893 / 65536 });
    const test = { pValue: 14893 / 65536, against: null };
    expect(verdict.sentence).toEqual(CHOICE_SENTENCES.notClearlyAbove(0.625, { rule: "longest", share: 0.375 }, test));
  });

  it("is at the floor where always giving the commonest answer is right as often", () => {
    const floors = [...times(30, "modify"), ...times(10, "add")].map((answerClass, i) =>
      makeFloors({ exampleId: `${i}`, answerClass, shares: { keywords: 0 }, lexical: ["keywords"] }),
    );
    // Right in 29 of the 30 and in none of the rest.
    const scores = floors.map(({ exampleId }, i) => makeScore({ exampleId, ...(i < 29 ? {} : WRONG) }));
    const verdict = judgeChoices({ optionCount: 3, scores, floors: floorsOfForm(floors) });
    expect(verdict).toMatchObject({ state: "at_floor", score: 0.725, floor: 0.75, floorRule: "majority", pValue: 1 });
    expect(verdict.sentence).toEqual(CHOICE_SENTENCES.notAbove(0.725, { rule: "majority", share: 0.75 }));
  });

  it("is at the floor below the fitted rule, whatever the test against the fixed ones says", () => {
    // The right option is the one that is least long: `longest` is right in 0 of 60, fitted in all.
    const verdict = judge([...times(59, { shares: { longest: 0 } }), { score: WRONG, shares: { longest: 0 } }]);
    expect(verdict).toMatchObject({ state: "at_floor", floor: 1, floorRule: "fitted" });
    expect(verdict.pValue).toBeLessThan(0.01);
  });

  it("names the test's rule where the fitted one is the floor", () => {
    // Right in all 60. Fitted: turned round, right in the 59 that `longest` misses.
    const verdict = judge([...times(59, { shares: { longest: 0 } }), { shares: { longest: 1 } }]);
    expect(verdict).toMatchObject({ state: "above_floor", floorRule: "fitted" });
    const test = { pValue: verdict.pValue!, against: { rule: "longest", share: 1 / 60 } };
    expect(test.pValue).toBeLessThan(0.0001);
    expect(verdict.sentence).toEqual(CHOICE_SENTENCES.above(1, { rule: "fitted", share: 59 / 60 }, test));
  });

  it.each([
    [3, "unknown"],
    // 2^−6 = 0.016: not even this could be significant.
    [6, "unknown"],
    // 2^−7 = 0.0078
    [7, "above_floor"],
  ])("of %i questions, all right and all missed by the rules, is %s", (count, state) => {
    expect(judge(times(count, {})).state).toBe(state);
  });

  it("is unknown where the rule leaves too few questions to beat it on, however many there are", () => {
    const verdict = judge([...times(94, { shares: { longest: 1 } }), ...times(6, { shares: { longest: 0 } })]);
    expect(verdict).toMatchObject({ state: "unknown", score: 1, floor: 0.94, pValue: null });
    expect(verdict.sentence).toEqual(CHOICE_SENTENCES.tooFew(100, { rule: "longest", share: 0.94 }));
  });

  it("is unreadable where letters are not bound to options, whatever the score", () => {
    const verdict = judge(times(20, { score: { ...ALWAYS_A, invariantCorrect: true } }));
    expect(verdict).toMatchObject({ state: "unreadable", score: 1, pValue: null });
    const guessed = { agreement: 2 / 6, guessing: 2358 / 729 / 6 };
    expect(judgementText(verdict)).toBe(
      judgementText({ sentence: CHOICE_SENTENCES.unreadable(guessed, { symbol: "A", share: 1 }) }),
    );
  });

  it("is barely readable where the agreement is hardly above guessing", () => {
    // Half of 300 questions with an agreement of 4/6, half with 3/6: 0.5833, which so many guessed ones do not reach.
    const scores = [...times(150, { pluralityAgreement: 4 / 6 }), ...times(150, { pluralityAgreement: 3 / 6 })];
    const verdict = judge(scores.map((score) => ({ score })));
    // (0.5833 − 0.5391)/(1 − 0.5391) = 0.096
    expect(verdict.state).toBe("barely");
    const found = { agreement: 3.5 / 6, guessing: 2358 / 729 / 6 };
    expect(judgementText(verdict)).toBe(judgementText({ sentence: CHOICE_SENTENCES.barely(found) }));
  });

  it("is unknown where agreement or floors were not measured, and without a question", () => {
    expect(judge(times(20, { score: { pluralityAgreement: null } }))).toMatchObject({
      ...{ state: "unknown", sentence: CHOICE_SENTENCES.noAgreement },
    });
    const scores = times(20, 0).map((_, i) => makeScore({ exampleId: `${i}` }));
    expect(judgeChoices({ optionCount: 3, scores, floors: null })).toMatchObject({
      state: "unknown",
      score: 1,
      floor: null,
    });
    // Rules for 19 of 20 questions are not the same questions.
    const some = floorsOfForm(scores.slice(1).map(({ exampleId }) => makeFloors({ exampleId })));
    expect(judgeChoices({ optionCount: 3, scores, floors: some })).toMatchObject({ state: "unknown", floor: null });
    expect(judgeChoices({ optionCount: 3, scores: [], floors: some })).toMatchObject({ state: "unknown", score: null });
  });
});

const COPY = "repeating the code unchanged";
const generation = (em: boolean, copy: boolean) => makeScoredGeneration({}, { em }, { em: copy });

describe("judgeGenerations", () => {
  it("is above the floor where more match than if the code were repeated, beyond chance", () => {
    // Eight match that the code does not: p = 2^−8 = 0.0039.
    expect(judgeGenerations(times(8, generation(true, false)))).toEqual({
      ...{ state: "above_floor", score: 1, floor: 0, floorRule: "copy", pValue: 2 ** -8 },
      sentence: WRITTEN_SENTENCES.above({ score: 1, floor: 0, rule: COPY }),
    });
  });

  it("is at the floor where as many match, or hardly more", () => {
    // Four match that the code does not, of 20: p = 2^−4 = 0.0625.
    const few = [...times(4, generation(true, false)), ...times(16, generation(false, false))];
    expect(judgeGenerations(few)).toMatchObject({ state: "at_floor", score: 0.2, floor: 0, pValue: 2 ** -4 });
    const none = judgeGenerations(times(20, generation(false, false)));
    expect(none).toMatchObject({ state: "at_floor", score: 0, pValue: 1 });
    expect(none.sentence).toEqual(WRITTEN_SENTENCES.notAbove({ score: 0, floor: 0, rule: COPY }));
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

  it("takes a failed generation for no match", () => {
    expect(judgeGenerations([...times(8, generation(true, false)), ...times(8, makeFailedGeneration())])).toMatchObject(
      {
        ...{ state: "above_floor", score: 0.5 },
      },
    );
  });

  it("is unknown without generations, and where the code was not recorded", () => {
    expect(judgeGenerations([])).toMatchObject({ state: "unknown", score: null, floor: null, floorRule: null });
    const { measured, ...rest } = generation(true, false);
    const old = { ...rest, measured: { ...measured!, copy: null } };
    expect(judgeGenerations(times(8, old))).toMatchObject({ state: "unknown", score: 1, floor: null, pValue: null });
  });
});
