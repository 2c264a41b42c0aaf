import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Difficulty, Example } from "../../../../src/dataset/example.js";
import { loadProbes } from "../../../../src/question/probes.js";
import type { AuditedReview } from "../../../../src/suites/codereviewqa/audit/benchmark.js";
import { formsOf, planForms, sequencesOf } from "../../../../src/suites/codereviewqa/audit/sequences.js";
import { DELETION, exampleWith } from "../../../fixtures/example.js";
import { tripleWith } from "../../../fixtures/triple.js";

async function forms(tasks: readonly string[], difficulties: readonly Difficulty[] = [], renamed = false) {
  const probes = [...(await loadProbes()).values()].filter(({ task }) => tasks.includes(task));
  return planForms(probes, difficulties, renamed);
}

function reviewOf(example: Example): AuditedReview {
  return { ...example, example };
}

async function textOf(task: string, difficulty: Difficulty | null, example = exampleWith()): Promise<string | null> {
  const all = await sequencesOf(reviewOf(example), await forms([task]), 0);
  return all.find((sequence) => sequence.difficulty === difficulty)?.text ?? null;
}

describe("the forms of an audit", () => {
  it("are ACR, its renamed code, then the questions in the order of the probes", async () => {
    const planned = await forms(["CTR", "CL", "SI", "ACR"], [], true);
    expect(planned.map(({ form, task, difficulty }) => `${form} ${task} ${difficulty ?? ""}`.trim())).toEqual([
      "ACR ACR",
      "ACR_RENAMED ACR",
      "MCQA CTR",
      "MCQA CL easy",
      "MCQA CL hard",
      "MCQA SI easy",
      "MCQA SI hard",
    ]);
  });

  it("are those asked for", async () => {
    const planned = await forms(["CL", "ACR"], ["hard"]);
    expect(planned.map(({ task, difficulty }) => [task, difficulty])).toEqual([
      ["ACR", null],
      ["CL", "hard"],
    ]);
  });

  it("have no questions where the file has none", async () => {
    const planned = await forms(["CTR", "ACR"]);
    expect(formsOf({ holds: "reviews" }, planned).map(({ form }) => form)).toEqual(["ACR"]);
  });

  it("leave out the questions that are not asked of an example", async () => {
    const sequences = await sequencesOf(reviewOf(DELETION), await forms(["CTR", "SI", "ACR"]), 0);
    expect(sequences.map(({ task }) => task)).toEqual(["ACR", "CTR"]);
  });
});

describe("the text", () => {
  it("of code alone, that nothing was asked of, is that code, and the same renamed", async () => {
    const postReviewLines = ["const tile = load();", "draw(tile);"];
    const code = {
      id: "a",
      language: "javascript",
      preReviewLines: [],
      postReviewLines,
      review: "",
      example: null,
    } as const;
    const [acr, renamed] = await sequencesOf(code, formsOf({ holds: "reviews" }, await forms(["ACR"], [], true)), 0);
    expect(acr?.text).toBe(postReviewLines.join("\n"));
    expect(renamed?.text).toMatch(/^const [a-z]{4} = [a-z]{4}\(\);\n[a-z]{4}\([a-z]{4}\);$/);
    expect(renamed?.text).not.toContain("tile");
  });

  it("of ACR is its prompt and the post-review code, without line numbers", async () => {
    const template = readFileSync("prompts/paper/ACR.txt", "utf8");
    const text = await textOf("ACR", null);
    expect(text?.startsWith(template.split("{lang}")[0]!)).toBe(true);
    expect(text).toContain("\n1 one\n2 two\n3 three\n");
    expect(text?.endsWith("explanations.\n[Python]\none\nTWO\nthree\nFOUR\nfive\nsix")).toBe(true);
  });

  it("of a question is its stem and its options, the right one first, and nothing behind them", async () => {
    const text = await textOf("CL", "hard");
    // Locations of the example: [2, 4]; hard: [2, 3], [1, 4], [4, 5].
    expect(text?.endsWith("A. line numbers 2,4\nB. line numbers 2,3\nC. line numbers 1,4\nD. line numbers 4,5")).toBe(
      true,
    );
    expect(text).toContain("multiple choice question");
    expect(text).not.toContain("Answer with the letter");
    expect(await textOf("CTR", null)).toMatch(/C\. only delete existing lines of code$/);
  });

  it("keeps placeholders that stand in the code or the review", async () => {
    const text = await textOf("CTR", null, exampleWith({ review: "Use {option_a} here." }));
    expect(text).toContain("Use {option_a} here.");
  });

  it("of renamed code differs from ACR's in its names alone", async () => {
    const review: AuditedReview = { ...tripleWith(), example: null };
    const [acr, renamed] = await sequencesOf(review, await forms(["ACR"], [], true), 0);
    expect(renamed?.text).toHaveLength(acr!.text!.length);
    expect(renamed?.text).not.toContain("items");
    const [before, after] = [[...acr!.text!], [...renamed!.text!]];
    expect(renamed?.renamedCharacters).toBe(before.filter((character, i) => character !== after[i]).length);
    expect(acr?.renamedCharacters).toBeNull();
    expect(renamed?.text?.replace(/\w+/g, "w")).toBe(acr?.text?.replace(/\w+/g, "w"));
    // `sum` and `for` are Python's own.
    expect(renamed?.text).toMatch(/return sum\((\w+)\.\w+ for \1 in \w+\)/);
  });

  it("of renamed code is absent where there is no name", async () => {
    const review: AuditedReview = { ...tripleWith({ preReviewLines: ["1"], postReviewLines: ["2"] }), example: null };
    const [, renamed] = await sequencesOf(review, await forms(["ACR"], [], true), 0);
    expect(renamed?.text).toBeNull();
  });

  it("of code without lines has none when it is renamed", async () => {
    const review: AuditedReview = { ...tripleWith({ preReviewLines: [] }), example: null };
    const [, renamed] = await sequencesOf(review, await forms(["ACR"], [], true), 0);
    expect(renamed?.text).toContain("[Python]\n\n[/Python]");
  });
});
