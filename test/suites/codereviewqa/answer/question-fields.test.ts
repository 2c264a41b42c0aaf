import { describe, expect, it } from "vitest";
import { type AskedAs, requireSameQuestion } from "../../../../src/suites/codereviewqa/answer/question-fields.js";

const ASKED = {
  task: "CL",
  difficulty: "easy",
  ablation: "review",
  exampleId: "a#1",
  language: "python",
  changeType: "modify",
  promptSha256: "00",
} satisfies AskedAs;

describe("requireSameQuestion", () => {
  it("passes a line about the same question, and does not look at a prompt that is not planned", () => {
    const { promptSha256, ...withoutPrompt } = ASKED;
    expect(() => requireSameQuestion("answers.jsonl", ASKED, { ...ASKED })).not.toThrow();
    expect(() => requireSameQuestion("answers.jsonl", { ...ASKED, promptSha256: "01" }, withoutPrompt)).not.toThrow();
  });

  it("takes nothing and null for the same, as lines leave out what is not withheld", () => {
    const { ablation, ...without } = ASKED;
    expect(() =>
      requireSameQuestion("answers.jsonl", { ...without, difficulty: null }, { ...without, difficulty: null }),
    ).not.toThrow();
  });

  it.each(Object.keys(ASKED))("names the %s where that alone differs", (field) => {
    const name = field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    expect(() => requireSameQuestion("answers.jsonl", { ...ASKED, [field]: "another" }, ASKED)).toThrow(
      `with the ${name} another in the place of ${ASKED[field as keyof typeof ASKED]}`,
    );
  });
});
