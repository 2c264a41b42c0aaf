import { describe, expect, it } from "vitest";
import { floorsOfForm } from "../../../../src/question/floors/floors.js";
import { CHOICE_SENTENCES } from "../../../../src/report/judgement-words.js";
import { judgeChoices } from "../../../../src/suites/codereviewqa/metric/form-judgement.js";
import type { QuestionScore } from "../../../../src/suites/codereviewqa/metric/question-score.js";
import { isReadable, judgementText } from "../../../../src/verdict/judgement.js";
import { formOf, LEXICAL, type Member, right, times, WRONG } from "../../../fixtures/judged-form.js";
import { makeFloors } from "../../../fixtures/question-floors.js";
import { makeScore } from "../../../fixtures/question-score.js";
import { A, B, C } from "../../../fixtures/symbols.js";

/** Always A: right under two orders of six. */
const ALWAYS_A: Partial<QuestionScore> = {
  ...right(2),
  pluralityAgreement: 2 / 6,
  symbolCounts: new Map([
    [A, 6],
    [B, 0],
    [C, 0],
  ]),
};

const judge = (members: readonly Member[], answerClass: string | null = null) =>
  judgeChoices(formOf(members, answerClass));

describe("judgeChoices", () => {
  it("is above the floor where being right under every order is above every rule", () => {
    // Right in 12, longest in 2, 1/3 each in 3: (2 + 1)/12. Differences of longest: 0 twice, 2/3 three times, 1 seven
    // times: all of one sign, so p = 2^−10. Guessing: 2/3 twelve times.
    const found = judge([
      ...times(2, { shares: { longest: 1, keywords: 0 } }),
      ...times(3, { shares: { longest: 1 / 3, keywords: 1 } }),
      ...times(7, { shares: { longest: 0, keywords: 0 } }),
    ]);
    // Keywords: right in 3, so p = 2^−9 there: the hardest.
    expect(found).toMatchObject({
      state: "above_floor",
      score: 1,
      meanAccuracy: 1,
      clusters: 12,
      floor: 0.25,
      floorRule: "longest",
      wordsFloor: 0.25,
      wordsFloorRule: "keywords",
      pValue: 2 ** -9,
      against: "keywords",
    });
    // Guessing gets the most, 1/3, and is one of the rules.
    expect(judgementText(found)).toBe(
      "above its floor: 100.0 % are right under every order, above every rule (random 33.3 %; p = 0.0020 against keywords, 25.0 %)",
    );
  });

  it("is unsteady where mean accuracy is above every rule, but being right under every order is not", () => {
    // Right in 5 of 6 orders of 20 questions. Longest: right in 4.
    const members = [
      ...times(4, { score: right(5), shares: { longest: 1 } }),
      ...times(16, { score: right(5), shares: { longest: 0 } }),
    ];
    const found = judge(members);
    // Differences in sixths: −1 four times, 5 sixteen times, together 76 of 84. A sign pattern that gets as much lacks at
    // most 4: none or some of the four small ones turned (2 each, from −4 on): P = 2^−16 · P(at least 0 of them minus).
    expect(found).toMatchObject({ state: "unsteady", score: 0, clusters: 20 });
    expect(found.meanAccuracy).toBeCloseTo(5 / 6, 12);
    expect(found.pValue).toBeCloseTo(2 ** -16, 12);
    expect(found.against).toBe("longest");
    expect(judgementText(found)).toMatch(
      /^unsteady: mean accuracy 83\.3 % is above every rule .* but 0\.0 % are right/,
    );
  });

  it("matches words where a rule that matches words is not beaten", () => {
    // Right in 10 of 16; so is the rule, in others of them: 4 to 4.
    const members = [
      ...times(6, { shares: { longest: 0, keywords: 1 } }),
      ...times(4, { shares: { longest: 0, keywords: 0 } }),
      ...times(4, { score: WRONG, shares: { longest: 0, keywords: 1 } }),
      ...times(2, { score: WRONG, shares: { longest: 0, keywords: 0 } }),
    ];
    const found = judge(members);
    expect(found).toMatchObject({ state: "at_floor", against: "random" });
    // With ten more that both answer, guessing is beaten, and the words still are not: C(8, k >= 4)/2^8 = 163/256.
    const more = judge([...members, ...times(10, { shares: { longest: 0, keywords: 1 } })]);
    expect(more).toMatchObject({ state: "matches_words", wordsFloorRule: "keywords", against: "random" });
    expect(more.pValue).toBeLessThan(0.01);
    expect(judgementText(more)).toContain("matches its words: keywords gets 76.9 % (p = 0.6367)");
  });

  it("is at the floor where a score is higher, but could be by chance", () => {
    // Right in 10 of 16, longest in the other 6.
    const found = judge([
      ...times(6, { score: WRONG, shares: { longest: 1 } }),
      ...times(10, { shares: { longest: 0 } }),
    ]);
    // p = Σ C(16, k >= 10) / 2^16 = (8008 + 4368 + 1820 + 560 + 120 + 16 + 1) / 65536
    expect(found).toMatchObject({ state: "at_floor", score: 0.625, floor: 0.375, pValue: 14893 / 65536 });
    expect(judgementText(found)).toBe(
      "at its floor: mean accuracy 62.5 % is not shown to be above every rule that does not read the review: longest gets 37.5 % (p = 0.2272)",
    );
  });

  it("is at the floor where one rule is beaten and another is not", () => {
    // Right in all 20 that longest misses, and so is shortest.
    const found = judge(
      times(20, { shares: { longest: 0, shortest: 1 } }).map((each, i) =>
        i < 12
          ? each
          : {
              shares: { longest: 0, shortest: 0 },
              score: WRONG,
            },
      ),
    );
    expect(found).toMatchObject({ state: "at_floor", against: "shortest", pValue: 1 });
  });

  it("is at the floor where always giving the commonest answer is right as often", () => {
    const floors = [...times(30, "modify"), ...times(10, "add")].map((answerClass, i) =>
      makeFloors({ exampleId: `${i}`, answerClass, shares: { keywords: 0 }, lexical: LEXICAL }),
    );
    // Right in 29 of the 30 and in none of the rest.
    const scores = floors.map(({ exampleId }, i) => makeScore({ exampleId, ...(i < 29 ? {} : WRONG) }));
    const found = judgeChoices({ optionCount: 3, scores, floors: floorsOfForm(floors) });
    expect(found).toMatchObject({ state: "at_floor", score: 0.725, floor: 0.75, floorRule: "majority", pValue: 1 });
  });

  it("tests against the fitted rule as against any other", () => {
    // The right option is the one that is least long: `longest` is right in 0 of 60, fitted in all.
    const found = judge([...times(59, { shares: { longest: 0 } }), { score: WRONG, shares: { longest: 0 } }]);
    expect(found).toMatchObject({ floor: 1, floorRule: "fitted_no_read" });
    // A rule that is right in all leaves nothing to be better at.
    expect(found).toMatchObject({ state: "unknown", pValue: null });
    expect(found.sentence).toEqual(CHOICE_SENTENCES.tooFew(60, "fitted_no_read"));
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

  it("is unknown where questions are asked until the verdict is decided, and so few could not decide it", () => {
    const sequential = (members: readonly Member[]) => judgeChoices({ ...formOf(members), isSequential: true });
    // Guessing is right in a third: of seven, (1 + 0.95 · 2/3)^7 = 31 is the most that is won, and 300 are needed.
    const few = sequential(times(7, {}));
    expect(few).toMatchObject({ state: "unknown", pValue: null, against: null, clusters: 7 });
    expect(few.sentence).toEqual(CHOICE_SENTENCES.tooFew(7, null));
    expect(sequential(times(40, {})).state).toBe("above_floor");
    expect(sequential(times(40, { score: WRONG })).state).toBe("at_floor");
    // Wrong wherever a rule is right: 1.95^12 / 10 = 302 for it being worse, though none could be above that rule.
    expect(sequential(times(12, { score: WRONG, shares: { longest: 1 } })).state).toBe("at_floor");
    expect(sequential(times(12, { shares: { longest: 1 } })).sentence).toEqual(CHOICE_SENTENCES.tooFew(12, null));
  });

  it("tests hunks of a task together", () => {
    const form = formOf(times(60, {}));
    expect(judgeChoices(form)).toMatchObject({ state: "unknown" });
    const task = (tasks: number) => (exampleId: string) => `task-${Number(exampleId) % tasks}`;
    const few = formOf(times(40, {}));
    expect(judgeChoices({ ...few, caseOf: task(6) })).toMatchObject({ state: "unknown", clusters: 6 });
    expect(judgeChoices({ ...few, caseOf: task(7) })).toMatchObject({ state: "above_floor", pValue: 2 ** -7 });
  });

  it("is unknown where the rule leaves too few questions to beat it on, however many there are", () => {
    const found = judge([...times(42, { shares: { longest: 1 } }), ...times(6, { shares: { longest: 0 } })]);
    expect(found).toMatchObject({ state: "unknown", score: 1, floor: 0.875, pValue: null });
    expect(found.sentence).toEqual(CHOICE_SENTENCES.tooFew(48, "longest"));
  });

  it("is unreadable where letters are not bound to options and mean accuracy is not above the rules", () => {
    const found = judge(times(20, { score: ALWAYS_A }));
    expect(found).toMatchObject({ state: "unreadable", score: 0, against: "random", pValue: 1 });
    expect(judgementText(found)).toContain("A is 100.0 % of its answers");
  });

  it("reads mean accuracy that is above every rule, however little the letters agree", () => {
    // Each question right in five orders of six, with agreements that guessing gives.
    const found = judge(times(20, { score: { ...right(5), pluralityAgreement: 3 / 6 } }));
    expect(found.state).toBe("unsteady");
  });

  it("counts orders that were lost as wrong", () => {
    // Three of six orders right, the others failed: mean accuracy 1/2 where longest is right in half.
    const lost = { ...right(3), answered: 3, failed: 3, lost: true, meanAccuracy: null, pluralityAgreement: null };
    const found = judge([
      ...times(10, { score: lost, shares: { longest: 1 } }),
      ...times(10, { score: lost, shares: { longest: 0 } }),
    ]);
    expect(found).toMatchObject({ state: "at_floor", meanAccuracy: 0.5 });
  });

  it("does not know whether answers at the floor can be read where no question was answered under all its orders", () => {
    // Always A, with two of six orders lost.
    const lost = { ...right(1), answered: 4, failed: 2, meanAccuracy: null, pluralityAgreement: null };
    const found = judge(times(20, { score: lost }));
    expect(found).toMatchObject({ state: "at_floor", isBindingUnknown: true });
    expect(isReadable(found)).toBeNull();
    expect(judgementText(found)).toContain("binds letters to options is not known");
    // The same wrong option under all orders of 20 questions.
    expect(isReadable(judge(times(20, { score: WRONG })))).toBe(true);
  });

  it("tells of a form that is unsteady whether orders were lost", () => {
    const lost = { ...right(5), answered: 5, failed: 1, lost: true, meanAccuracy: null, pluralityAgreement: null };
    expect(judge(times(20, { score: lost }))).toMatchObject({ state: "unsteady", hasLostOrders: true });
    expect(judge(times(20, { score: right(5) }))).not.toHaveProperty("hasLostOrders");
  });

  it("is unknown where nothing was answered", () => {
    const lost = { ...WRONG, answered: 0, failed: 6, lost: true, meanAccuracy: null, pluralityAgreement: null };
    const found = judge(times(20, { score: lost }));
    expect(found).toMatchObject({ state: "unknown", meanAccuracy: null, pValue: null, clusters: null });
    expect(found.sentence).toEqual(CHOICE_SENTENCES.noAnswer);
    expect(judge([{ score: WRONG }, ...times(19, { score: lost })]).state).toBe("at_floor");
  });

  it("takes the first order alone where questions stopped early, and says so", () => {
    // Right under the first order in all 20, wrong under a later one.
    const stopped = { ...right(1), meanAccuracy: 1, pluralityAgreement: null };
    const form = { ...formOf(times(20, { score: stopped })), isEarlyStop: true };
    const found = judgeChoices(form);
    expect(found).toMatchObject({ state: "unsteady", score: 0, meanAccuracy: 1 });
    expect(judgementText(found)).toContain("mean accuracy (one order a question, drawn at random) 100.0 % is above");
    // Runs of earlier versions always asked the same order first.
    const older = formOf(times(20, { score: { ...stopped, meanAccuracy: null } }));
    expect(judgeChoices({ ...older, isEarlyStop: true })).toMatchObject({
      state: "unknown",
      meanAccuracy: null,
      sentence: CHOICE_SENTENCES.noMean,
    });
  });

  it("is unknown where floors were not measured, and without a question", () => {
    const scores = times(20, 0).map((_, i) => makeScore({ exampleId: `${i}` }));
    const none = judgeChoices({ optionCount: 3, scores, floors: null });
    expect(none).toMatchObject({ state: "unknown", score: 1, floor: null, clusters: null });
    expect(none.sentence).toEqual(CHOICE_SENTENCES.noFloor);
    // Rules for 19 of 20 questions are not the same questions.
    const some = floorsOfForm(scores.slice(1).map(({ exampleId }) => makeFloors({ exampleId })));
    expect(judgeChoices({ optionCount: 3, scores, floors: some })).toMatchObject({ state: "unknown", floor: null });
    expect(judgeChoices({ optionCount: 3, scores: [], floors: some })).toMatchObject({ state: "unknown", score: null });
  });
});
