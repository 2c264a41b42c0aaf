import { describe, expect, it } from "vitest";
import { LIKENESS_RULES } from "../../../src/distractors/near-miss/solution-features.js";

function scores(name: string, solutions: readonly string[]): readonly number[] {
  const rule = LIKENESS_RULES.find((each) => each.name === name);
  if (rule === undefined) throw new Error(`No rule ${name}`);
  return rule.score({ solutions, preReviewLines: [], review: "" });
}

describe("LIKENESS_RULES", () => {
  it("count edits of tokens in their order", () => {
    // f ( x ): the second differs in one token, the third in two (f and a semicolon); second to third three.
    expect(scores("token_sequence", ["f(x)", "f( total )", "g(x);"])).toEqual([-3, -4, -5]);
  });

  it("count edits of characters as a share of the longer option", () => {
    // ab–abc 1 of 3, ab–b 1 of 2, abc–b 2 of 3.
    expect(scores("character_share", ["ab", "abc", "b"])).toEqual([-0.833333333, -1, -1.166666667]);
  });

  it("compare sets of characters, of pairs and of threes", () => {
    const solutions = ["abca", "abc", "cab"];
    // All three have the characters {a b c}.
    expect(scores("character_set", solutions)).toEqual([2, 2, 2]);
    // {ab bc ca}, {ab bc}, {ca ab}: 2/3 + 2/3, 2/3 + 1/3, 2/3 + 1/3.
    expect(scores("character_pairs", solutions)).toEqual([1.333333333, 1, 1]);
    // {abc bca}, {abc}, {cab}: 1/2 + 0, 1/2 + 0, 0.
    expect(scores("character_threes", solutions)).toEqual([0.5, 0.5, 0]);
  });
});
