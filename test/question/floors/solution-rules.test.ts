import { describe, expect, it } from "vitest";
import { shareOfRight } from "../../../src/question/floors/rule.js";
import { SOLUTION_RULES, type SolutionView } from "../../../src/question/floors/solution-rules.js";

function scores(name: string, view: Partial<SolutionView>): readonly number[] {
  const rule = SOLUTION_RULES.find((each) => each.name === name);
  if (rule === undefined) throw new Error(`No rule ${name}`);
  return rule.score({ solutions: [], preReviewLines: [], review: "", ...view });
}

describe("SOLUTION_RULES", () => {
  it("see the options, the code, or match words of the review", () => {
    expect(SOLUTION_RULES.map(({ name, sees }) => [name, sees])).toEqual([
      ["longest", "options"],
      ["shortest", "options"],
      ["medoid_tokens", "options"],
      ["medoid_characters", "options"],
      ["tokens_in_prompt", "lexical"],
      ["review_overlap", "lexical"],
      ["like_removed", "options"],
      ["names_of_removed", "options"],
      ["names_in_code", "options+code"],
      ["commonest_names", "options+code"],
      ["character_fluency", "options+code"],
      ["word_fluency", "options+code"],
      ["review_similarity", "lexical"],
      ["review_words", "lexical"],
    ]);
  });

  it("compare what an option adds with what it removes", () => {
    // "readAll" and "readOne" differ in three of seven characters; of the parts read, all and read, one the first is shared.
    const solutions = ["1 - readAll\n1 + readOne", "1 - readAll\n1 + read_all", "1 + readAll"];
    expect(scores("like_removed", { solutions })[0]).toBeCloseTo(4 / 7, 8);
    expect(scores("like_removed", { solutions })[2]).toBe(0);
    expect(scores("names_of_removed", { solutions })).toEqual([1 / 2, 1, 0]);
  });

  it("count parts of names that the code has", () => {
    // Parts of the code: read twice, all, line. Of readOne's two parts one; of nextLine's one.
    const view = { solutions: ["1 + readOne", "1 + nextLine", "1 + 7"], preReviewLines: ["readAll(readLine)"] };
    expect(scores("names_in_code", view)).toEqual([1 / 2, 1 / 2, 0]);
    const [read, line, none] = scores("commonest_names", view);
    // Means of log(1 + count): (log 3 + 0)/2, (0 + log 2)/2.
    expect([read, line]).toEqual([expect.closeTo(Math.log(3) / 2, 8), expect.closeTo(Math.log(2) / 2, 8)]);
    expect(none).toBe(0);
  });

  it("prefer characters and words in the order in which the code has them", () => {
    const preReviewLines = ["zqx zqx zqx"];
    const characters = scores("character_fluency", { solutions: ["1 + zqx", "1 + xqz", "1 + x"], preReviewLines });
    // One trigram each: three times in the code; never, there or in the corpus; none.
    expect(characters).toEqual([expect.closeTo(Math.log(4), 8), 0, 0]);
    const words = scores("word_fluency", { solutions: ["1 + a b", "1 + b a", "1 +  "], preReviewLines: ["a b"] });
    // Pairs "^ a" and "a b", once each, as are their words: log 6; "^ b" and "b a" never: log 2.
    expect(words).toEqual([expect.closeTo(Math.log(6), 8), expect.closeTo(Math.log(2), 8), 0]);
  });

  it("match words of the review by their spelling, and by their share", () => {
    const view = { solutions: ["1 + totals", "1 + total_sum", "1 + x"], review: "Take the total" };
    // Like "total": 5 of 6 characters; total itself and sum, like "the" in none of 3: (1 + 0)/2.
    expect(scores("review_similarity", view)).toEqual([expect.closeTo(5 / 6, 8), 1 / 2, 0]);
    expect(scores("review_words", view)).toEqual([0, 1 / 2, 0]);
  });

  it("count characters for longest and shortest", () => {
    const solutions = ["1 + ab", "1 + abc"];
    expect(scores("longest", { solutions })).toEqual([6, 7]);
    expect(scores("shortest", { solutions })).toEqual([-6, -7]);
  });

  it("take a whole word for one token, whatever its letters, and ignore white space", () => {
    // Sets {1 + f ( x )}, {1 + f ( total )}, {1 + g ( x ) ;}. The first and the second share 5 of 7 tokens, the first
    // and the third 5 of 8 (f or g, and the semicolon), the second and the third 4 of 9.
    const solutions = ["1 + f(x)", "1 + f( total )", "1 + g(x);"];
    const expected = [5 / 7 + 5 / 8, 5 / 7 + 4 / 9, 5 / 8 + 4 / 9];
    const found = scores("medoid_tokens", { solutions });
    for (const [i, score] of expected.entries()) expect(found[i]).toBeCloseTo(score, 8);
  });

  it("are ties where all options vary at one token that stands nowhere else", () => {
    const solutions = ["f(a)", "f(bb)", "f(ccc)", "f(dddd)"].map((code) => `1 + ${code}`);
    expect(shareOfRight(scores("medoid_tokens", { solutions }))).toBe(0.25);
  });

  it("find the token that also stands on a removed line: it makes its option's set no larger", () => {
    // {1 - + a b} lacks nothing but c of {1 - + a b c}, {1 - + a b d}, {1 - + a b e}: 5/6 three times, against
    // 5/6 + 5/7 + 5/7.
    const solutions = ["a", "c", "d", "e"].map((word) => `1 - a\n1 + b ${word}`);
    expect(shareOfRight(scores("medoid_tokens", { solutions }))).toBe(1);
  });

  it("find the option in the middle by characters", () => {
    // cat–cot 1, cat–cut 1, cat–bat 1; cot–cut 1, cot–bat 2, cut–bat 2.
    const solutions = ["cat", "cot", "cut", "bat"];
    expect(scores("medoid_characters", { solutions })).toEqual([-3, -4, -4, -5]);
  });

  it("look for the words of added lines in code and review, letter case and all", () => {
    // x = size: 'size' of 2 words is in the code; x = Limit: none of 2 (limit is written small); y: the review has it.
    // The removed line is no word of an option's own.
    const solutions = ["1 - x = old\n1 + x = size", "1 - x = old\n1 + x = Limit", "1 - x = old\n1 + y"];
    const view = { solutions, preReviewLines: ["old = size"], review: "limit the y" };
    expect(scores("tokens_in_prompt", view)).toEqual([1 / 2, 0, 1]);
  });

  it("score an option that adds no word 0", () => {
    expect(scores("tokens_in_prompt", { solutions: ["1 + }", "1 - a"], review: "a" })).toEqual([0, 0]);
  });

  it("split names for the overlap with the review and count every word once", () => {
    // read next line: all three in both spellings; HTTPServer: http and server, of which the review has one.
    const solutions = ["1 + readNextLine(read)", "1 + read_next_line", "1 + HTTPServer", "1 - line"];
    expect(scores("review_overlap", { solutions, review: "Read the next line from the server." })).toEqual([
      3, 3, 1, 0,
    ]);
  });
});
