import { describe, expect, it } from "vitest";
import { fitRules, foldOf, scoredQuestion } from "../../../src/question/floors/fitted-rule.js";
import { makeFloors } from "../../fixtures/question-floors.js";

const ids = Array.from({ length: 60 }, (_, i) => `example-${i}`);
const questions = (shares: (id: string) => Readonly<Record<string, number>>, count = ids.length) =>
  ids.slice(0, count).map((exampleId) => scoredQuestion(makeFloors({ exampleId, shares: shares(exampleId) })));

describe("fitRules", () => {
  it("finds the rule that tells, whichever way it tells", () => {
    const found = fitRules(questions(() => ({ longest: 0, medoid: 1 / 4 })));
    // The right option is always the shortest: the fitted rule turns `longest` round.
    expect(found?.shares).toEqual(ids.map(() => 1));
    expect(found?.feature.rule).toBe("longest");
    expect(found?.feature.weight).toBeLessThan(0);
  });

  it("names the first of rules that weigh the same", () => {
    // One rule under three names: a third of the weight each, but for rounding.
    const share = (id: string) => Number(id.endsWith("7"));
    const same = (id: string) => ({ first: share(id), second: share(id), third: share(id) });
    expect(fitRules(questions(same))?.feature.rule).toBe("first");
  });

  it("takes a rule that does not score a question to say nothing about it", () => {
    // `first` always finds the right option where it is asked, `second` never tells; half of the questions have each.
    const half = (id: string) => Number.parseInt(id.slice("example-".length), 10) % 2;
    const mixed = questions((id) => (half(id) === 0 ? { first: 1 } : { second: 1 / 4 }));
    expect(fitRules(mixed)?.shares).toEqual(ids.map((id) => (half(id) === 0 ? 1 : 1 / 4)));
  });

  it("splits ties", () => {
    expect(fitRules(questions(() => ({ longest: 1 / 4 })))?.shares).toEqual(ids.map(() => 1 / 4));
  });

  it("never learns from the questions that it picks for", () => {
    // The longest is right in one fold alone, and wrong in all others. Fitted on the others, it is wrong there; and
    // where it is right most often, what is learnt from the rest is wrong too.
    const inFold = (id: string) => Number(foldOf(id) === 0);
    const found = fitRules(questions((id) => ({ longest: inFold(id) })));
    expect(ids.filter((id) => inFold(id) === 1).length).toBeGreaterThan(0);
    expect(found?.shares).toEqual(ids.map((id) => 1 - inFold(id)));
  });

  it("is absent below 50 questions, and where no rule is a no-read one", () => {
    expect(fitRules(questions(() => ({ longest: 1 }), 49))).toBeNull();
    expect(fitRules(questions(() => ({ longest: 1 }), 50))).not.toBeNull();
    expect(
      fitRules(
        ids.map((exampleId) =>
          scoredQuestion(makeFloors({ exampleId, shares: { keywords: 1 }, lexical: ["keywords"] })),
        ),
      ),
    ).toBeNull();
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
