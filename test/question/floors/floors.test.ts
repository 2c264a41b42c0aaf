import { describe, expect, it } from "vitest";
import {
  floorsOfExampleIds,
  floorsOfForm,
  sharesOfRule,
  summariseFloors,
} from "../../../src/question/floors/floors.js";
import { makeFloors } from "../../fixtures/question-floors.js";

const QUESTIONS = [
  makeFloors({
    exampleId: "a",
    answerClass: "add",
    shares: { longest: 1, shortest: 0, keywords: 1 },
    lexical: ["keywords"],
  }),
  makeFloors({
    exampleId: "b",
    answerClass: "modify",
    shares: { longest: 1 / 4, shortest: 0, keywords: 1 },
    lexical: ["keywords"],
  }),
  makeFloors({
    exampleId: "c",
    answerClass: "modify",
    shares: { longest: 0, shortest: 1, keywords: 0 },
    lexical: ["keywords"],
  }),
  makeFloors({
    exampleId: "d",
    answerClass: "delete",
    shares: { longest: 1 / 4, shortest: 0, keywords: 1 },
    lexical: ["keywords"],
  }),
];

describe("summariseFloors", () => {
  const floors = summariseFloors(floorsOfForm(QUESTIONS));

  it("gives each rule the mean of its shares, with Wilson's interval of the expected right picks", () => {
    // majority: modify, 2 of 4. longest: 1.5 of 4. shortest: 1 of 4. keywords: 3 of 4.
    expect(floors.rules.map(({ rule, sees, share, n }) => [rule, sees, share.value, n])).toEqual([
      ["majority", "options", 0.5, 4],
      ["longest", "options", 0.375, 4],
      ["shortest", "options", 0.25, 4],
      ["keywords", "lexical", 0.75, 4],
    ]);
    // 1 of 4: as in summary.test.ts
    expect(floors.rules[2]?.share.low).toBeCloseTo(0.0455878, 5);
    expect(floors.rules[2]?.share.high).toBeCloseTo(0.6993577, 5);
  });

  it("takes hunks of one task for one case: of two tasks, always wrong and always right, nothing is known", () => {
    const hunks = [0, 0, 1, 1].map((longest, i) =>
      makeFloors({ exampleId: `t${longest}#${i}`, cluster: `t${longest}`, shares: { longest } }),
    );
    const longest = summariseFloors(floorsOfForm(hunks)).rules.find(({ rule }) => rule === "longest");
    expect(longest?.share.value).toBe(0.5);
    // Four independent questions: 0.15 to 0.85.
    expect(longest?.share.low).toBeLessThan(0.02);
    expect(longest?.share.high).toBeGreaterThan(0.98);
  });

  it("names the best that does not read, the best lexical one and the highest of all", () => {
    expect(floors.noRead?.rule).toBe("majority");
    expect(floors.noRead?.note).toBe('always "modify"');
    expect(floors.lexical?.rule).toBe("keywords");
    expect(floors.highest?.rule).toBe("keywords");
  });

  it("takes a group's own majority, and the fitted rule of the whole form", () => {
    const form = floorsOfForm(
      Array.from({ length: 50 }, (_, i) =>
        makeFloors({ exampleId: `${i}`, answerClass: i < 2 ? "add" : "modify", shares: { longest: 0 } }),
      ),
    );
    const group = summariseFloors(floorsOfExampleIds(form, new Set(["0", "1", "nowhere"])));
    expect(group.n).toBe(2);
    expect(group.noRead).toMatchObject({ rule: "majority", note: 'always "add"', share: { value: 1 } });
    const fitted = group.rules.find(({ rule }) => rule === "fitted_no_read");
    expect(fitted).toMatchObject({ sees: "options", n: 2, share: { value: 1 } });
    expect(fitted?.note).toBe("no-read rules together, cross-validated; most weight on −longest");
    // Equal to the fitted one: the first goes first.
    expect(group.highest?.rule).toBe("majority");
  });

  it("leaves out a rule that not all questions were measured by: it came while the run was under way", () => {
    const [first = makeFloors({})] = QUESTIONS;
    const older = {
      ...first,
      shares: { longest: 1, keywords: 1 },
      sees: { longest: "options", keywords: "lexical" },
    } as const;
    const mixed = summariseFloors(floorsOfForm([older, ...QUESTIONS.slice(1)]));
    expect(mixed.rules.map(({ rule }) => rule)).toEqual(["majority", "longest", "keywords"]);
  });

  it("has no number without a question", () => {
    expect(summariseFloors(floorsOfForm([]))).toEqual({
      n: 0,
      rules: [],
      noRead: null,
      lexical: null,
      highest: null,
    });
  });
});

describe("sharesOfRule", () => {
  it("gives the probability of each question, of the majority that of these very questions", () => {
    expect(sharesOfRule(QUESTIONS, "longest")).toEqual([1, 1 / 4, 0, 1 / 4]);
    expect(sharesOfRule(QUESTIONS, "majority")).toEqual([0, 1, 1, 0]);
    expect(sharesOfRule(QUESTIONS.slice(0, 1), "majority")).toEqual([1]);
  });
});
