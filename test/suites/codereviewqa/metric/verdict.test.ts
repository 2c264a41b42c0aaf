import { describe, expect, it } from "vitest";
import { floorsOfForm } from "../../../../src/question/floors/floors.js";
import type { QuestionScore } from "../../../../src/suites/codereviewqa/metric/question-score.js";
import { judgeForm } from "../../../../src/suites/codereviewqa/metric/verdict.js";
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
  return judgeForm({
    task: "CTR",
    difficulty: null,
    ablation: "none",
    optionCount: 3,
    scores: members.map(({ score }, i) => makeScore({ exampleId: `${i}`, ...score })),
    floors: floorsOfForm(floors),
  });
}

const times = <T>(count: number, item: T): T[] => Array<T>(count).fill(item);

describe("judgeForm", () => {
  it("is above the floor where the best fixed rule is beaten beyond chance", () => {
    // Right in 10, longest in 2, 1/3 each in 3: (2 + 1)/10. Differences: 0 twice, 12 · 2/3 = 8 three times, 12 five
    // times: all of one sign, so p = 2^−8.
    const verdict = judge([
      ...times(2, { shares: { longest: 1, shortest: 0 } }),
      ...times(3, { shares: { longest: 1 / 3, shortest: 1 / 3 } }),
      ...times(5, { shares: { longest: 0, shortest: 0 } }),
    ]);
    expect(verdict).toEqual({
      task: "CTR",
      difficulty: null,
      ablation: "none",
      state: "above_floor",
      score: 1,
      floor: 0.3,
      floorRule: "longest",
      pValue: 2 ** -8,
      text: "above its floor: 100.0 %, where the rule longest gets 30.0 % (p = 0.0039)",
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
    expect(verdict.text).toBe(
      "at its floor: 62.5 % is not clearly above what needs no comprehension: the rule longest gets 37.5 % (p = 0.2272)",
    );
  });

  it("is at the floor where always giving the commonest answer is right as often", () => {
    const floors = [...times(30, "modify"), ...times(10, "add")].map((answerClass, i) =>
      makeFloors({ exampleId: `${i}`, answerClass, shares: { keywords: 0 }, lexical: ["keywords"] }),
    );
    // Right in 29 of the 30 and in none of the rest.
    const scores = floors.map(({ exampleId }, i) => makeScore({ exampleId, ...(i < 29 ? {} : WRONG) }));
    const verdict = judgeForm({
      task: "CTR",
      difficulty: null,
      ablation: "none",
      optionCount: 3,
      scores,
      floors: floorsOfForm(floors),
    });
    expect(verdict).toMatchObject({ state: "at_floor", score: 0.725, floor: 0.75, floorRule: "majority", pValue: 1 });
    expect(verdict.text).toBe(
      "at its floor: 72.5 % is not above what needs no comprehension: the rule majority gets 75.0 %",
    );
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
    expect(verdict.text).toBe(
      "above its floor: 100.0 %, where the rule fitted gets 98.3 % (p < 0.0001; against longest, 1.7 %)",
    );
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
    expect(verdict.text).toBe(
      "unknown: on 100 questions, of which the rule longest gets 94.0 %, no score could be told from chance",
    );
  });

  it("is unreadable where letters are not bound to options, whatever the score", () => {
    const verdict = judge(times(20, { score: { ...ALWAYS_A, invariantCorrect: true } }));
    expect(verdict).toMatchObject({ state: "unreadable", score: 1, pValue: null });
    expect(verdict.text).toBe(
      "unreadable: the model does not bind letters to options (agreement 33.3 %, guessing 53.9 %; A is 100.0 % of its answers)",
    );
  });

  it("is barely readable where the agreement is hardly above guessing", () => {
    // Half of 300 questions with an agreement of 4/6, half with 3/6: 0.5833, which so many guessed ones do not reach.
    const scores = [...times(150, { pluralityAgreement: 4 / 6 }), ...times(150, { pluralityAgreement: 3 / 6 })];
    const verdict = judge(scores.map((score) => ({ score })));
    // (0.5833 − 0.5391)/(1 − 0.5391) = 0.096
    expect(verdict.state).toBe("barely");
    expect(verdict.text).toBe(
      "barely readable: the model hardly binds letters to options (agreement 58.3 %, guessing 53.9 %)",
    );
  });

  it("is unknown where agreement or floors were not measured, and without a question", () => {
    expect(judge(times(20, { score: { pluralityAgreement: null } })).text).toMatch(/^unknown: agreement/);
    const scores = times(20, 0).map((_, i) => makeScore({ exampleId: `${i}` }));
    const form = { task: "CTR", difficulty: null, ablation: "none", optionCount: 3 } as const;
    expect(judgeForm({ ...form, scores, floors: null })).toMatchObject({ state: "unknown", score: 1, floor: null });
    // Rules for 19 of 20 questions are not the same questions.
    const some = floorsOfForm(scores.slice(1).map(({ exampleId }) => makeFloors({ exampleId })));
    expect(judgeForm({ ...form, scores, floors: some })).toMatchObject({ state: "unknown", floor: null });
    expect(judgeForm({ ...form, scores: [], floors: some })).toMatchObject({ state: "unknown", score: null });
  });

  it("never says yes", () => {
    const texts = [times(20, {}), times(3, {}), times(20, { score: ALWAYS_A }), times(20, { score: WRONG })].map(
      (members) => judge(members).text,
    );
    for (const text of texts) expect(text).not.toMatch(/\byes\b/i);
  });
});
