import { describe, expect, it } from "vitest";
import { symbolsFor } from "../../../../src/base/symbol.js";
import { scriptedThinker } from "../../../../src/model/scripted/scripted-model.js";
import { designedOrders, orderName, permutationsOf } from "../../../../src/question/permutations.js";
import type { AnswerPlace } from "../../../../src/suites/codereviewqa/answer/answer.js";
import { assembleAnswer, correctSymbol } from "../../../../src/suites/codereviewqa/answer/assemble-answer.js";
import { type QuestionScore, scoreQuestionOf } from "../../../../src/suites/codereviewqa/metric/question-score.js";
import { summariseForm } from "../../../../src/suites/codereviewqa/metric/summary.js";
import { makeAnswer, pick, UNAVAILABLE } from "../../../fixtures/answer.js";

const PROBE = { task: "CL", optionCount: 4, answerClass: () => null };
const rowsOf = (scores: readonly QuestionScore[]) =>
  new Map(
    summariseForm({ probe: PROBE, difficulty: "easy" }, scores, false)
      .filter(({ groupBy }) => groupBy === "overall")
      .map((row) => [row.metric, row]),
  );

/** Answers of a scripted thinker to 300 questions under their four cyclic orders, five times each. */
function thinkerScores(effects: string): QuestionScore[] {
  const run = { parameters: { orders: "cyclic", repeats: 5 } };
  const script = scriptedThinker(`thinker?${effects}`, 1)!;
  const symbols = symbolsFor(4);
  return Array.from({ length: 300 }, (_, i) => {
    const about = { task: "CL", difficulty: "easy", exampleId: `x${i}`, language: "go", changeType: "add" } as const;
    const orders = designedOrders(about, 4, "cyclic", 1);
    const answers = orders.flatMap((permutationIndex) =>
      Array.from({ length: 5 }, (__, repeat) => {
        const order = permutationsOf(4)[permutationIndex]!;
        const shown = { symbols, order };
        const permutation = orderName(order);
        const place: AnswerPlace = {
          questionIndex: i,
          ...about,
          permutationIndex,
          permutation,
          correctSymbol: correctSymbol(shown),
          repeat,
        };
        return assembleAnswer(place, shown, script.answer({ prompt: "?", symbols, key: place, repeat }), "ab");
      }),
    );
    return scoreQuestionOf(run, answers);
  });
}

describe("a question whose orders were asked several times", () => {
  const run = { parameters: { orders: 2, repeats: 2 } };
  const at = (permutationIndex: number, repeat: number, option: number) => {
    const permutation = ["012", "120"][permutationIndex]!;
    return makeAnswer({ permutationIndex, permutation, repeat, outcome: pick(permutation, option) });
  };

  it("is scored by the first time, and its pairs of choices are counted over all", () => {
    // First time 0 and 0, second time 0 and 1: pairs under one order 00, 01; under two 00, 01, 00, 01.
    const score = scoreQuestionOf(run, [at(0, 0, 0), at(1, 0, 0), at(0, 1, 0), at(1, 1, 1)]);
    expect(score).toMatchObject({ permutations: 2, answered: 2, invariantCorrect: true, meanAccuracy: 1 });
    expect(score.repeated).toEqual({
      answered: 4,
      failed: 0,
      sameOrder: { pairs: 2, different: 1 },
      otherOrder: { pairs: 4, different: 2 },
    });
    // 2/4 − 1/2: the order does nothing that chance does not.
    expect(rowsOf([score]).get("order_effect")?.value).toBe(0);
  });

  it("has no pair with an answer that failed, and is scored where only the second time is recorded", () => {
    const failed = makeAnswer({ repeat: 1, outcome: UNAVAILABLE });
    const score = scoreQuestionOf(run, [failed, at(1, 1, 1)]);
    expect(score).toMatchObject({ answered: 0, invariantCorrect: false, meanAccuracy: null });
    expect(score.repeated).toMatchObject({ answered: 1, failed: 1, otherOrder: { pairs: 0 } });
    expect(rowsOf([score]).get("order_effect")).toMatchObject({ value: null, n: 0 });
    // Asked twice under one order alone: 1 of 1 pair differs, and there is no other order.
    const one = rowsOf([scoreQuestionOf(run, [at(0, 0, 0), at(0, 1, 1)])]);
    expect(one.get("repeat_disagreement")).toMatchObject({ value: 1, n: 1 });
    expect(one.get("order_effect")).toMatchObject({ value: null, n: 0 });
  });

  it("under fewer orders is named with their number, and has the guess of so few as its floor", () => {
    const rows = rowsOf(thinkerScores(""));
    expect(rows.get("invariant_accuracy")?.note).toContain("under 4 of 24 orders, not comparable with all");
    expect(rows.get("invariant_accuracy")?.detail).toEqual({ orders: { asked: 4, all: 24 } });
    // (1/4)^4
    expect(rows.get("floor_invariant")).toMatchObject({ value: 1 / 256, note: "(1/N)^4: all orders guessed right" });
    // E[max count]/4 of four draws from four: 1 of 256 ways × 4 is 4, 48 are 3, 180 are 2, 24 are 1:
    // (4·4 + 3·48 + 2·180 + 1·24)/256/4
    expect(rows.get("plurality_agreement_null")?.value).toBeCloseTo(0.53125, 10);
  });
});

describe("known effects of a scripted thinker are found again", () => {
  // Two times agree where both follow what it believes, or by one in four: chance c and order o give, under one order,
  // (1 − (1−c)²)·¾, and under two, (1 − ((1−c)(1−o))²)·¾.
  it.each([
    ["order and chance", "order=0.3&chance=0.2", 0.27, 0.5148],
    ["chance alone: no effect of the order", "chance=0.5", 0.5625, 0.5625],
    ["order alone", "order=0.4", 0, 0.48],
  ])("%s", (_, effects, within, between) => {
    const rows = rowsOf(thinkerScores(effects));
    const expectNear = (metric: "order_disagreement" | "repeat_disagreement" | "order_effect", value: number) => {
      const row = rows.get(metric);
      expect(row?.ciLow ?? 1, metric).toBeLessThanOrEqual(value + 1e-12);
      expect(row?.ciHigh ?? -1, metric).toBeGreaterThanOrEqual(value - 1e-12);
      expect(Math.abs((row?.value ?? 9) - value)).toBeLessThan(0.05);
    };
    expectNear("repeat_disagreement", within);
    expectNear("order_disagreement", between);
    expectNear("order_effect", between - within);
  });
});
