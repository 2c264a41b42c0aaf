import { describe, expect, it } from "vitest";
import { fitRules, foldOf, scoredQuestion } from "../../../src/question/floors/fitted-rule.js";
import { makeFloors } from "../../fixtures/question-floors.js";

const ids = Array.from({ length: 60 }, (_, i) => `example-${i}`);
const questions = (shares: (id: string) => Readonly<Record<string, number>>, count = ids.length) =>
  ids.slice(0, count).map((exampleId) => scoredQuestion(makeFloors({ exampleId, shares: shares(exampleId) })));

/** The fitted rule of these questions, where no rule is lexical. */
const fitted = (of: ReturnType<typeof questions>) => fitRules(of, {})[0];

describe("fitRules", () => {
  it("finds the rule that tells, whichever way it tells", () => {
    const found = fitted(questions(() => ({ longest: 0, medoid: 1 / 4 })));
    // The right option is always the shortest: the fitted rule turns `longest` round.
    expect(found?.shares).toEqual(ids.map(() => 1));
    expect(found?.feature.rule).toBe("longest");
    expect(found?.feature.weight).toBeLessThan(0);
  });

  it("names the first of rules that weigh the same", () => {
    // One rule under three names: a third of the weight each, but for rounding.
    const share = (id: string) => Number(id.endsWith("7"));
    const same = (id: string) => ({ first: share(id), second: share(id), third: share(id) });
    expect(fitted(questions(same))?.feature.rule).toBe("first");
  });

  it("takes a rule that does not score a question to say nothing about it", () => {
    // `first` always finds the right option where it is asked, `second` never tells; half of the questions have each.
    const half = (id: string) => Number.parseInt(id.slice("example-".length), 10) % 2;
    const mixed = questions((id) => (half(id) === 0 ? { first: 1 } : { second: 1 / 4 }));
    expect(fitted(mixed)?.shares).toEqual(ids.map((id) => (half(id) === 0 ? 1 : 1 / 4)));
  });

  it("splits ties", () => {
    expect(fitted(questions(() => ({ longest: 1 / 4 })))?.shares).toEqual(ids.map(() => 1 / 4));
  });

  it("never learns from the questions that it picks for", () => {
    // The longest is right in one fold alone, and wrong in all others. Fitted on the others, it is wrong there; and
    // where it is right most often, what is learnt from the rest is wrong too.
    const inFold = (id: string) => Number(foldOf(id) === 0);
    const found = fitted(questions((id) => ({ longest: inFold(id) })));
    expect(ids.filter((id) => inFold(id) === 1).length).toBeGreaterThan(0);
    expect(found?.shares).toEqual(ids.map((id) => 1 - inFold(id)));
  });

  it("learns nothing from other questions of a cluster", () => {
    // The longest is always right in one of two tasks of 30 hunks each, never in the other: each teaches what is wrong.
    const hunks = ids.map((exampleId, i) =>
      scoredQuestion(makeFloors({ exampleId, cluster: `task-${i % 2}`, shares: { longest: i % 2 } })),
    );
    expect(foldOf("task-0")).not.toBe(foldOf("task-1"));
    expect(fitted(hunks)?.shares).toEqual(ids.map(() => 0));
  });

  it("is absent below 50 questions, and without rules", () => {
    expect(fitted(questions(() => ({ longest: 1 }), 49))).toBeUndefined();
    expect(fitted(questions(() => ({ longest: 1 }), 50))).toMatchObject({ rule: "fitted_no_read", sees: "options" });
    expect(fitted(questions(() => ({})))).toBeUndefined();
  });

  it("has one over the rules that do not read, and one over all", () => {
    const both = questions(() => ({ longest: 1 / 4, keywords: 1 }));
    const found = fitRules(both, { longest: "options+code", keywords: "lexical" });
    // The longest never tells, the words always do.
    expect(found.map(({ rule, sees, shares }) => [rule, sees, shares[0]])).toEqual([
      ["fitted_no_read", "options+code", 1 / 4],
      ["fitted_lexical", "lexical", 1],
    ]);
    // Runs of earlier versions have no scores of lexical rules.
    const older = questions(() => ({ longest: 1 }));
    expect(fitRules(older, { longest: "options", keywords: "lexical" }).map(({ rule }) => rule)).toEqual([
      "fitted_no_read",
    ]);
  });
});

describe("foldOf", () => {
  it("puts examples into five folds of about the same size", () => {
    const many = Array.from({ length: 1000 }, (_, i) => foldOf(`example-${i}`));
    for (const fold of [0, 1, 2, 3, 4]) {
      // 200 expected, deviation √(1000 · 1/5 · 4/5) = 12.6; within five of them.
      expect(Math.abs(many.filter((each) => each === fold).length - 200)).toBeLessThan(64);
    }
    expect(Math.max(...many)).toBe(4);
  });
});
