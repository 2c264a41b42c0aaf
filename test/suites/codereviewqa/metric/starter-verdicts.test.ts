import { beforeAll, describe, expect, it } from "vitest";
import { inspectDataset, readExamples } from "../../../../src/dataset/dataset-file.js";
import type { QuestionFloors } from "../../../../src/question/floors/floor-record.js";
import {
  type FormFloors,
  floorsOfForm,
  sharesOfRule,
  summariseFloors,
} from "../../../../src/question/floors/floors.js";
import { floorsOfExamples } from "../../../../src/question/floors/rules.js";
import { loadProbes } from "../../../../src/question/probes.js";
import { isChoiceForm, probeForms } from "../../../../src/question/question-build.js";
import { judgeChoices } from "../../../../src/suites/codereviewqa/metric/form-judgement.js";
import { makeScore } from "../../../fixtures/question-score.js";

/** The floors of the bundled benchmark, by form. */
const forms = new Map<string, FormFloors>();

beforeAll(async () => {
  const file = "datasets/starter.jsonl";
  const { lines } = await inspectDataset(file);
  const asked = probeForms([...(await loadProbes()).values()], ["easy", "hard"]).filter(isChoiceForm);
  const found = new Map<string, QuestionFloors[]>();
  for await (const { floors } of floorsOfExamples(readExamples(file, new Set(lines)), asked)) {
    const name = `${floors.task} ${floors.difficulty}`;
    found.set(name, [...(found.get(name) ?? []), floors]);
  }
  for (const [name, questions] of found) forms.set(name, floorsOfForm(questions));
});

/** The verdict on a player who is right in so many of 24 orders of each question. */
function verdictOn(form: string, rightOrders: (question: number) => number, agreement = 1) {
  const floors = forms.get(form)!;
  const scores = floors.questions.map(({ exampleId }, i) => {
    const right = rightOrders(i);
    return makeScore({
      exampleId,
      permutations: 24,
      correctPermutations: right,
      invariantCorrect: right === 24,
      meanAccuracy: right / 24,
      pluralityAgreement: agreement,
    });
  });
  return judgeChoices({ optionCount: 4, scores, floors });
}

/** Picks of a rule; where options tie at the top, the right one in its share of the questions, evenly spread. */
function picksOf(form: string, rule: string): boolean[] {
  let owed = 0;
  return sharesOfRule(forms.get(form)!.questions, rule).map((share) => {
    owed += share;
    if (owed < 0.5) return false;
    owed -= 1;
    return true;
  });
}

describe("on the bundled benchmark", () => {
  it("a reader right in four of five orders of every question is unsteady, not at the floor", () => {
    // 19 or 20 of 24 orders: 81 %; no question is right under all.
    const found = verdictOn("CL hard", (i) => (i % 2 === 0 ? 19 : 20), 0.8);
    expect(found).toMatchObject({ state: "unsteady", score: 0, clusters: 108 });
    expect(found.meanAccuracy).toBeCloseTo(19.5 / 24, 12);
  });

  it("a reader who knows half of the questions and is steadily wrong in the others is above the floor of CL", () => {
    for (const form of ["CL easy", "CL hard"]) {
      expect(verdictOn(form, (i) => (i % 2 === 0 ? 24 : 0)).state).not.toBe("at_floor");
    }
  });

  it.each(["CL easy", "CL hard", "SI easy", "SI hard"])("no rule is told to understand anything on %s", (form) => {
    const { rules } = summariseFloors(forms.get(form)!);
    expect(rules.length).toBeGreaterThan(10);
    for (const { rule, sees } of rules) {
      const picks = picksOf(form, rule);
      const { state } = verdictOn(form, (i) => (picks[i] ? 24 : 0));
      const allowed = sees === "lexical" ? ["at_floor", "matches_words"] : ["at_floor"];
      expect(allowed, `${rule} is told ${state}`).toContain(state);
    }
  });

  it("one letter under every order is at the floor, or unreadable", () => {
    expect(verdictOn("SI hard", () => 6, 0.25).state).toBe("unreadable");
    expect(verdictOn("SI hard", () => 6, 0.9).state).toBe("at_floor");
  });

  it("whoever knows every answer is above every floor", () => {
    for (const form of forms.keys()) {
      if (form.startsWith("CTR")) continue;
      expect(verdictOn(form, () => 24)).toMatchObject({ state: "above_floor", score: 1 });
    }
  });
});
