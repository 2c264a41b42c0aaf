import { describe, expect, it } from "vitest";
import { probe } from "../../probes/acr.js";
import { LANGUAGES } from "../../src/base/language.js";
import { DELETION, exampleWith } from "../fixtures/example.js";

describe("ACR", () => {
  it("generates at most 512 tokens, about every example", () => {
    expect(probe).toMatchObject({ kind: "generation", task: "ACR", maxTokens: 512 });
    expect([probe.isEligible(exampleWith()), probe.isEligible(DELETION)]).toEqual([true, true]);
  });

  it("stops at the closing line of the language, by its name in the prompt", () => {
    // Spec §2.1: the prompt names.
    expect(LANGUAGES.map((language) => probe.stop(exampleWith({ language })))).toEqual(
      ["C", "CPP", "CSharp", "Go", "Java", "JavaScript", "PHP", "Python", "Ruby"].map((name) => [`[/${name}]`]),
    );
  });

  it("has the post-review code for its reference", () => {
    expect(probe.reference(exampleWith({ postReviewLines: ["a", "", "  b"] }))).toBe("a\n\n  b");
  });

  it("does not tell the change type, nor where to change", () => {
    expect(Object.keys(probe.stem(exampleWith())).toSorted()).toEqual(["code_review", "code_snippet", "lang"]);
  });
});
