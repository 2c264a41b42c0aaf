import { describe, expect, it } from "vitest";
import type { Example } from "../../../src/dataset/example.js";
import type { QuestionFloors } from "../../../src/question/floors/floor-record.js";
import { floorsOf, floorsOfExamples } from "../../../src/question/floors/rules.js";
import { loadProbes } from "../../../src/question/probes.js";
import type { ChoiceProbe } from "../../../src/question/question.js";
import { probeForms } from "../../../src/question/question-build.js";
import { DELETION, exampleWith } from "../../fixtures/example.js";

const OWN: Pick<ChoiceProbe, "answerClass" | "rules"> = {
  answerClass: () => null,
  rules: [
    {
      name: "names_the_language",
      sees: "lexical",
      score: ({ options }) => options.map((text) => Number(/py/.test(text))),
    },
  ],
};
const QUESTION = {
  task: "OWN",
  difficulty: null,
  exampleId: "shout",
  language: "python",
  options: ["pypy", "b", "c", "dddd"],
} as const;

async function allFloors(...examples: Example[]): Promise<QuestionFloors[]> {
  const forms = probeForms([...(await loadProbes()).values()], ["easy", "hard"]);
  const found: QuestionFloors[] = [];
  for await (const { floors } of floorsOfExamples(examples, forms)) found.push(floors);
  return found;
}

describe("floorsOf", () => {
  it("applies the rules of texts and those that the probe defines", () => {
    const floors = floorsOf(QUESTION, exampleWith(), OWN);
    expect(floors).toMatchObject({ task: "OWN", exampleId: "shout", language: "python", answerClass: null });
    // Lengths 4, 1, 1, 4: two share the top, and the right one is not among the shortest. All tokens differ.
    expect(floors.shares).toEqual({ longest: 1 / 2, shortest: 0, medoid_tokens: 1 / 4, names_the_language: 1 });
    expect(floors.sees).toMatchObject({ longest: "options", names_the_language: "lexical" });
  });

  it("keeps the scores of the rules, standardised within the question", () => {
    // Mean 2.5, population deviation 1.5: z = ±1. Where all are alike, 0.
    expect(floorsOf(QUESTION, exampleWith(), OWN).scores).toEqual({
      longest: [1, -1, -1, 1],
      shortest: [-1, 1, 1, -1],
      medoid_tokens: [0, 0, 0, 0],
      // 1 for the right one alone: mean 1/4, deviation √3/4.
      names_the_language: [1.7321, -0.5774, -0.5774, -0.5774],
    });
  });

  it.each([
    ["too few", [1, 2]],
    ["what is no number", [1, 2, 3, Number.NaN]],
  ])("refuses %s of a rule of one's own", (_, scores) => {
    const probe = { ...OWN, rules: [{ name: "broken", sees: "options" as const, score: () => scores }] };
    expect(() => floorsOf(QUESTION, exampleWith(), probe)).toThrow(
      /^Expected 4 finite numbers of the rule broken of OWN for example shout, found/,
    );
  });
});

describe("floorsOfExamples", () => {
  it("gives one record a multiple-choice question, in the order of asking", async () => {
    const asked = (await allFloors(exampleWith(), DELETION)).map(({ task, difficulty, exampleId }) => [
      task,
      difficulty,
      exampleId,
    ]);
    expect(asked).toEqual([
      ["CTR", null, "shout"],
      ["CL", "easy", "shout"],
      ["CL", "hard", "shout"],
      ["SI", "easy", "shout"],
      ["SI", "hard", "shout"],
      ["CTR", null, "hush"],
      ["CL", "easy", "hush"],
      ["CL", "hard", "hush"],
    ]);
  });

  it("shows each rule the options of its own form", async () => {
    const [ctr, easy, hard, si] = await allFloors(exampleWith());
    // "Please shout the even lines." asks for neither less nor more: modify, which is right.
    expect(ctr).toMatchObject({ answerClass: "modify", shares: { keywords: 1 } });
    // Means 3 | 2, 5.5, 3.5 and 3 | 2.5, 2.5, 4.5.
    expect([easy?.shares["highest_lines"], hard?.shares["highest_lines"]]).toEqual([0, 0]);
    // 2, 4 | 1, 3 | 5, 6 | 1, 6: spans 2, 2, 1, 5. 2, 4 | 2, 3 | 1, 4 | 4, 5: medoid is {2, 4}: 1/3 each.
    expect(easy?.shares["smallest_span"]).toBe(0);
    expect(hard?.shares["medoid"]).toBe(1);
    // "2 + TWO" has 15 characters, as "2 + 1" 13.
    expect(si?.shares["longest"]).toBe(1);
  });
});
