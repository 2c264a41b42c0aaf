import { describe, expect, it } from "vitest";
import { measure } from "../../../src/dataset/curate/review-measures.js";
import { tripleWith } from "../../fixtures/triple.js";

describe("measure", () => {
  it("measures a modification", () => {
    // "sum(items)" -> "sum(item.price for item in items)": "item.price for item in " goes in, 23 characters.
    // 3 words, none of them code; one line replaced; 23 characters / 3 words.
    expect(measure(tripleWith())).toEqual({
      changeType: "modify",
      commentLength: 3,
      codeEditDistance: 23,
      changeLocations: 1,
      codeElementRatio: 0,
      specificationRatio: 23 / 3,
    });
  });

  it("counts the deleted lines, and the line breaks that go with them", () => {
    // "b" and "c" with a line break each: 4 characters over 2 words, one of them in backticks.
    const triple = tripleWith({ preReviewLines: ["a", "b", "c"], postReviewLines: ["a"], review: "Remove `b`" });
    expect(measure(triple)).toMatchObject({
      changeType: "delete",
      changeLocations: 2,
      codeEditDistance: 4,
      codeElementRatio: 0.5,
      specificationRatio: 2,
    });
  });

  it("counts places, not lines, where lines are added", () => {
    // Two lines after "a" and one after "b": 2 places; "x\n", "y\n" and "\nz" are 6 characters.
    const triple = tripleWith({ preReviewLines: ["a", "b"], postReviewLines: ["a", "x", "y", "b", "z"] });
    expect(measure(triple)).toMatchObject({ changeType: "add", changeLocations: 2, codeEditDistance: 6 });
  });

  it("has no ratio to a comment without words", () => {
    expect(measure(tripleWith({ review: " \n" }))).toMatchObject({
      commentLength: 0,
      codeElementRatio: null,
      specificationRatio: null,
    });
  });

  it("has no edit distance of texts that would take minutes to compare, and the rest in no time", () => {
    // 20,000 lines of ten characters each differ: 4e10 steps are over the limit of 4.3e9.
    const linesOf = (mark: string) => Array.from({ length: 20_000 }, (_, i) => `${mark}${String(i).padStart(8, "0")}`);
    const triple = tripleWith({ preReviewLines: linesOf("a"), postReviewLines: linesOf("b") });
    expect(measure(triple)).toMatchObject({
      changeLocations: 20_000,
      codeEditDistance: null,
      specificationRatio: null,
      codeElementRatio: 0,
    });
  });

  it("has nothing to say where the code did not change", () => {
    expect(measure(tripleWith({ postReviewLines: tripleWith().preReviewLines }))).toBeNull();
  });
});
