import { describe, expect, it } from "vitest";
import { probe as ACR } from "../../probes/acr.js";
import { probe as CL } from "../../probes/cl.js";
import { probe as CTR } from "../../probes/ctr.js";
import { probe as SI } from "../../probes/si.js";
import type { Example } from "../../src/dataset/example.js";
import type { Question } from "../../src/question/question.js";
import { buildOpenQuestions, buildQuestions, probeForms } from "../../src/question/question-build.js";
import { collect } from "../fixtures/collect.js";
import { DELETION, exampleWith } from "../fixtures/example.js";

const PROBES = [CTR, CL, SI];
const BOTH = ["easy", "hard"] as const;

async function questionsOf(...examples: Example[]): Promise<Question[]> {
  return await collect(buildQuestions(examples, probeForms(PROBES, BOTH)));
}

function namesOf(forms: ReturnType<typeof probeForms>): string[] {
  return forms.map(({ probe, difficulty }) => `${probe.task} ${difficulty}`);
}

describe("probeForms", () => {
  it("goes probe by probe, easy before hard", () => {
    const forms = ["CTR null", "CL easy", "CL hard", "SI easy", "SI hard"];
    expect(namesOf(probeForms(PROBES, BOTH))).toEqual(forms);
    expect(namesOf(probeForms(PROBES, ["hard", "easy"]))).toEqual(forms);
  });

  it("keeps the order of the probes asked for", () => {
    expect(namesOf(probeForms([SI, CTR], ["easy"]))).toEqual(["SI easy", "CTR null"]);
  });

  it("asks a probe without difficulties once, whatever the difficulty", () => {
    expect(namesOf(probeForms([CTR, CL], ["hard"]))).toEqual(["CTR null", "CL hard"]);
  });
});

describe("buildOpenQuestions", () => {
  it("asks for one text an example, and leaves the choices to buildQuestions", async () => {
    const forms = probeForms([ACR, CTR], ["hard"]);
    expect(namesOf(forms)).toEqual(["ACR null", "CTR null"]);
    const examples = [exampleWith({ id: "a", language: "go" }), DELETION];
    const open = await collect(buildOpenQuestions(examples, forms));
    expect(open.map(({ index, task, exampleId }) => `${index} ${task} ${exampleId}`)).toEqual([
      "0 ACR a",
      "1 ACR hush",
    ]);
    expect(open[0]).toMatchObject({
      language: "go",
      changeType: "modify",
      reference: "one\nTWO\nthree\nFOUR\nfive\nsix",
      preReview: "one\ntwo\nthree\nfour\nfive\nsix",
      stop: ["[/Go]"],
      maxTokens: 512,
    });
    const choices = await collect(buildQuestions(examples, forms));
    expect(choices.map(({ index, task }) => `${index} ${task}`)).toEqual(["0 CTR", "1 CTR"]);
  });
});

describe("buildQuestions", () => {
  it("asks every form of every example, one example after the other", async () => {
    const questions = await questionsOf(exampleWith({ id: "a" }), exampleWith({ id: "b" }));
    expect(questions.map(({ exampleId, task, difficulty }) => `${exampleId} ${task} ${difficulty}`)).toEqual([
      "a CTR null",
      "a CL easy",
      "a CL hard",
      "a SI easy",
      "a SI hard",
      "b CTR null",
      "b CL easy",
      "b CL hard",
      "b SI easy",
      "b SI hard",
    ]);
  });

  it("passes over a probe that an example is not eligible for, and numbers the questions without a gap", async () => {
    const questions = await questionsOf(DELETION, exampleWith());
    expect(questions.map(({ index }) => index)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(questions.filter(({ exampleId }) => exampleId === DELETION.id).map(({ task }) => task)).toEqual([
      "CTR",
      "CL",
      "CL",
    ]);
  });

  it("puts the right option first and tells what the question is about", async () => {
    const [question] = await questionsOf(exampleWith({ language: "go" }));
    expect(question).toEqual({
      index: 0,
      task: "CTR",
      difficulty: null,
      exampleId: "shout",
      language: "go",
      changeType: "modify",
      stem: {
        lang: "Go",
        code_snippet: "1 one\n2 two\n3 three\n4 four\n5 five\n6 six",
        code_review: "Please shout the even lines.",
      },
      options: ["modify the code", "only add new lines of code", "only delete existing lines of code"],
    });
  });

  it("refuses options of the same text", async () => {
    const easy = ["x", "y", "x"];
    const example = exampleWith({ solutionDistractors: { easy, hard: ["1", "2", "3"] } });
    await expect(questionsOf(example)).rejects.toThrow("SI of example shout: expected 4 distinct options.");
  });

  it("refuses too few options", async () => {
    const example = exampleWith({ locationDistractors: { easy: [[1, 3]], hard: [[2, 3]] } });
    await expect(questionsOf(example)).rejects.toThrow("CL of example shout: expected 4 distinct options.");
  });

  it("asks nothing about nothing", async () => {
    expect(await questionsOf()).toEqual([]);
  });
});
