import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { permutationsOf } from "../../src/question/permutations.js";
import { loadTemplate, type PromptTemplate, renderPrompt } from "../../src/question/prompt.js";
import type { Question } from "../../src/question/question.js";

const QUESTION: Question = {
  index: 0,
  task: "CTR",
  difficulty: null,
  exampleId: "e",
  language: "c",
  changeType: "modify",
  stem: { code_review: "why?", lang: "C" },
  options: ["right", "wrong", "worse"],
};

const STRAIGHT = permutationsOf(3)[0]!;
/** 120: the second option at A, the third at B, the right one at C. */
const ROTATED = permutationsOf(3)[3]!;

function template(text: string): PromptTemplate {
  return { id: "test/T", text, sha256: "" };
}

describe("loadTemplate", () => {
  it.each(["CTR", "CL", "SI"])("gives %s with its id and the hash of its bytes", async (task) => {
    const bytes = readFileSync(join(import.meta.dirname, `../../prompts/paper/${task}.txt`));
    expect(await loadTemplate(task)).toEqual({
      id: `paper/${task}`,
      text: bytes.toString("utf8"),
      sha256: createHash("sha256").update(bytes).digest("hex"),
    });
  });

  it("fails for a task without a template", async () => {
    await expect(loadTemplate("XYZ")).rejects.toMatchObject({ code: "ENOENT" });
  });
});

describe("renderPrompt", () => {
  it("puts in the values of the stem, and the options by symbol", () => {
    const text = "[{lang}] {code_review} A. {option_a} B. {option_b} C. {option_c}";
    expect(renderPrompt(template(text), QUESTION, STRAIGHT)).toBe("[C] why? A. right B. wrong C. worse");
    expect(renderPrompt(template(text), QUESTION, ROTATED)).toBe("[C] why? A. wrong B. worse C. right");
  });

  it("puts a value in wherever it is named", () => {
    expect(renderPrompt(template("[{lang}][/{lang}]"), QUESTION, STRAIGHT)).toBe("[C][/C]");
  });

  it("leaves placeholders and replacement patterns in the values as they are", () => {
    const hostile = "{lang} {option_a} {nobody} $& $1 $` $$ {{lang}}";
    const question = { ...QUESTION, stem: { ...QUESTION.stem, code_review: hostile }, options: [hostile, "b", "c"] };
    expect(renderPrompt(template("{code_review}|{option_a}"), question, STRAIGHT)).toBe(`${hostile}|${hostile}`);
  });

  it("leaves braces that are no placeholder alone", () => {
    expect(renderPrompt(template("{ lang } {Lang} {} {1}"), QUESTION, STRAIGHT)).toBe("{ lang } {Lang} {} {1}");
  });

  it.each(["option_d", "nobody", "constructor"])("refuses a template that names %s, which is not there", (name) => {
    expect(() => renderPrompt(template(`{${name}}`), QUESTION, STRAIGHT)).toThrow(
      `Template test/T names {${name}}, which is not given.`,
    );
  });
});
