import { describe, expect, it } from "vitest";
import { keptOutShares } from "../../../src/question/floors/kept-out-rules.js";
import { LOCATION_RULES } from "../../../src/question/floors/location-rules.js";
import { SOLUTION_RULES } from "../../../src/question/floors/solution-rules.js";
import { exampleWith } from "../../fixtures/example.js";

describe("keptOutShares", () => {
  const CODE = ["if (ready) {", "total = price * count;", "", "done;", "done;"];
  const places = (right: number, wrong: readonly number[]) =>
    keptOutShares(
      "CL",
      "easy",
      exampleWith({
        preReviewLines: CODE,
        changeType: "modify",
        location: [right],
        locationDistractors: { easy: wrong.map((line) => [line]), hard: [] },
      }),
    )?.shares;

  it("picks locations by what their lines look like", () => {
    // Names: 3 on line 2, 2 on line 1, 1 on lines 4 and 5. Names that no other line has: 3, 2, 0, 0.
    expect(places(2, [1, 4, 5])).toMatchObject({ most_names: 1, rare_words: 1, opens_a_block: 0 });
    expect(places(1, [2, 4, 5])).toMatchObject({ most_names: 0, rare_words: 0, opens_a_block: 1 });
    // Lines 2 and 4 stand beside the blank one.
    expect(places(2, [1, 4, 5])?.["beside_blank_lines"]).toBe(1 / 2);
    // Of 12 characters `(`, `)` and `{`: a quarter, as much as none else.
    expect(places(1, [2, 4, 5])?.["most_punctuation"]).toBe(1);
  });

  it("picks solutions by their text", () => {
    const solutions = (right: string, ...wrong: readonly string[]) =>
      keptOutShares(
        "SI",
        "hard",
        exampleWith({
          preReviewLines: ["a = b;"],
          solution: right,
          solutionDistractors: { easy: [], hard: wrong },
        }),
      )?.shares;
    expect(solutions("1 + a = fresh;\n2 + b = a;", "1 + a = b;", "1 + b = A;", "1 + a = a;")).toMatchObject({
      most_changed_lines: 1,
      most_different_words: 1,
      // `fresh` and `A` are not in the code.
      new_words: 1 / 2,
      most_capitals: 0,
    });
  });

  it("are of CL and SI alone, and none of them is measured against or chosen by", () => {
    expect(keptOutShares("CTR", "easy", exampleWith())).toBeNull();
    const known = new Set([...LOCATION_RULES, ...SOLUTION_RULES].map(({ name }) => name));
    const kept = ["CL", "SI"].flatMap((task) => Object.keys(keptOutShares(task, "hard", exampleWith())?.shares ?? {}));
    expect(kept).toHaveLength(10);
    expect(kept.filter((name) => known.has(name))).toEqual([]);
  });
});
