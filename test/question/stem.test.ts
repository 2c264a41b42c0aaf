import { describe, expect, it } from "vitest";
import { changeTypePhrase, commonStem } from "../../src/question/prompt.js";
import { exampleWith } from "../fixtures/example.js";

describe("changeTypePhrase", () => {
  it("says the change types in the words of the paper", () => {
    // Spec §3.
    expect(changeTypePhrase("add")).toBe("only add new lines of code");
    expect(changeTypePhrase("delete")).toBe("only delete existing lines of code");
    expect(changeTypePhrase("modify")).toBe("modify the code");
  });
});

describe("commonStem", () => {
  it("shows the language by its prompt name, the code with line numbers, and the review", () => {
    const stem = commonStem(
      exampleWith({ language: "csharp", preReviewLines: ["a {", "\tb", "", "}"], review: "Why?" }),
    );
    expect(stem).toEqual({ lang: "CSharp", code_snippet: "1 a {\n2 \tb\n3 \n4 }", code_review: "Why?" });
  });

  it("numbers lines over 99 without padding", () => {
    const lines = Array.from({ length: 101 }, () => "x");
    const shown = commonStem(exampleWith({ preReviewLines: lines }))["code_snippet"]?.split("\n") ?? [];
    expect([shown[0], shown[8], shown[9], shown[98], shown[99], shown[100]]).toEqual([
      "1 x",
      "9 x",
      "10 x",
      "99 x",
      "100 x",
      "101 x",
    ]);
  });

  it("does not number what is not a line of code", () => {
    const stem = commonStem(exampleWith({ preReviewLines: ["a\u2028b\rc"], review: "1\n2" }));
    expect(stem).toMatchObject({ code_snippet: "1 a\u2028b\rc", code_review: "1\n2" });
  });
});
