import { describe, expect, it } from "vitest";
import { setOverlaps } from "../../../src/question/floors/rule.js";
import { TEXT_RULES, tokenOverlaps } from "../../../src/question/floors/solution-rules.js";
import { exampleWith } from "../../fixtures/example.js";

describe("TEXT_RULES", () => {
  it("score the options of any probe by length and by likeness", () => {
    const view = { options: ["a b", "a b c", "x"], example: exampleWith() };
    expect(Object.fromEntries(TEXT_RULES.map(({ name, score }) => [name, score(view)]))).toEqual({
      longest: [3, 5, 1],
      shortest: [-3, -5, -1],
      // {a b} and {a b c} share 2 of 3 tokens, {x} none with either.
      medoid_tokens: [0.666666667, 0.666666667, 0],
    });
  });
});

describe("tokenOverlaps", () => {
  it("counts a token once however often it stands in a text: words and single signs", () => {
    // {foo ( )}, {foo ( ) ;}, {foo}: 3/4 + 1/3, 3/4 + 1/4, 1/3 + 1/4
    expect(tokenOverlaps(["foo(foo)", "foo();", "foo"])).toEqual([1.083333333, 1, 0.583333333]);
  });

  it("takes texts without a token as alike, and unlike any other", () => {
    expect(tokenOverlaps(["", " ", "x"])).toEqual([1, 1, 0]);
  });
});

describe("setOverlaps", () => {
  it("adds up the Jaccard similarities to the others, of sets of any pieces", () => {
    // {a b} and {b c}: 1 of 3; {a b} and {a b c}: 2 of 3; {b c} and {a b c}: 2 of 3.
    expect(
      setOverlaps([
        ["a", "b", "a"],
        ["b", "c"],
        ["a", "b", "c"],
      ]),
    ).toEqual([1, 1, 1.333333333]);
  });
});
