import { describe, expect, it } from "vitest";
import { type AskedQuestion, shownQuestions } from "../../src/review/shown-questions.js";
import { exampleWith } from "../fixtures/example.js";

const OPTIONS = { status: "ready", example: exampleWith(), notBuilt: {} } as const;
const SI: AskedQuestion = {
  task: "SI",
  title: "solution identification",
  difficulty: "hard",
  options: ["5 + return size", "5 + return length", "5 + return count", "5 + return size2"],
};

function shown(question: AskedQuestion, dropped = new Map()) {
  const made = shownQuestions(OPTIONS, () => [question], undefined, dropped);
  if (made.status !== "ready") throw new Error("not ready");
  return made.questions[0];
}

describe("shownQuestions", () => {
  it("marks in every option of SI what was replaced", () => {
    const marked = shown(SI)?.options.map(({ text, emphasis }) => emphasis && text.slice(...emphasis));
    expect(marked).toEqual(["size", "length", "count", "size2"]);
  });

  it("marks nothing in options that are no code", () => {
    const cl = { ...SI, task: "CL", options: ["line numbers 1", "line numbers 2", "line numbers 3", "line numbers 4"] };
    expect(shown(cl)?.options.map(({ emphasis }) => emphasis)).toEqual([null, null, null, null]);
  });

  it("says which question was dropped by itself", () => {
    expect(shown(SI, new Map([["SI hard", "absurd"]]))).toMatchObject({ form: "SI hard", dropped: "absurd" });
    expect(shown(SI, new Map([["SI easy", "absurd"]]))).toMatchObject({ form: "SI hard", dropped: null });
  });
});
