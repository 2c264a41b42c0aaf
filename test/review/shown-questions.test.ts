import { describe, expect, it } from "vitest";
import { type AskedQuestion, type DistractorOrigin, shownQuestions } from "../../src/review/shown-questions.js";
import { exampleWith } from "../fixtures/example.js";

const OPTIONS = { status: "ready", example: exampleWith(), notBuilt: {} } as const;
const SI: AskedQuestion = {
  task: "SI",
  title: "solution identification",
  difficulty: "hard",
  options: ["5 + return size", "5 + return length", "5 + return count", "5 + return size2"],
};

function shown(question: AskedQuestion, dropped = new Map(), origin?: DistractorOrigin) {
  const made = shownQuestions(OPTIONS, () => [question], origin, dropped);
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

  it("says of a square what differs where, and in which options", () => {
    const a = { kind: "put_back", asked: true, edits: [{ line: 5, from: "size", to: "length" }] };
    const b = { kind: "negation", asked: false, edits: [{ line: 7, from: "", to: "!" }] };
    const squares = [{ difficulty: "hard" as const, a, b, options: ["a", "b", "a and b"] }];
    const made = shown(SI, new Map(), { id: "x", squares });
    expect(made?.origin).toBe(
      "a: put back, line 5: size → length · b: negation (beside what is asked), line 7: (nothing) → !",
    );
    expect(made?.options.map(({ detail }) => detail)).toEqual([null, "a", "b", "a and b"]);
  });
});
