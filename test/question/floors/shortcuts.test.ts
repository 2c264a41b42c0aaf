import { describe, expect, it } from "vitest";
import type { Example } from "../../../src/dataset/example.js";
import { LOCATION_RULES } from "../../../src/question/floors/location-rules.js";
import { keptOutShares, measureShortcuts } from "../../../src/question/floors/shortcuts.js";
import { SOLUTION_RULES } from "../../../src/question/floors/solution-rules.js";
import { DELETION, exampleWith } from "../../fixtures/example.js";

const { locationDistractors: _, solution: __, solutionDistractors: ___, ...UNBUILT } = exampleWith();
/** In Go, of one line. */
const ONE_LINE: Example = {
  ...DELETION,
  id: "one",
  language: "go",
  location: [2],
  locationDistractors: { easy: [[1], [5], [6]], hard: [[1], [3], [4]] },
};

it("measures every form that has questions, the languages of each, and CL hard of several lines by itself", async () => {
  const report = await measureShortcuts([exampleWith(), DELETION, ONE_LINE, { ...UNBUILT, id: "unbuilt" }]);
  const countOf = ({ task, difficulty, floors }: (typeof report.forms)[number]) => [task, difficulty, floors.n];
  expect(report.forms.map(countOf)).toEqual([
    ["CTR", null, 4],
    ["CL", "easy", 3],
    ["CL", "hard", 3],
    ["SI", "easy", 1],
    ["SI", "hard", 1],
  ]);
  expect(report.forms.map(({ chance }) => chance)).toEqual([1 / 3, 1 / 4, 1 / 4, 1 / 4, 1 / 4]);
  // Two of the three have two lines; of both, {2, 4} is most like {2, 3}, {1, 4} and {4, 5}.
  expect(report.parts.map((part) => [part.part, ...countOf(part)])).toEqual([["2 lines or more", "CL", "hard", 2]]);
  expect(report.parts[0]?.floors.rules.find(({ rule }) => rule === "medoid")?.share.value).toBe(1);
  expect(report.languages.filter(({ task }) => task === "CTR").map((each) => [each.language, each.floors.n])).toEqual([
    ["go", 1],
    ["python", 3],
  ]);
  expect(report.keptOut.map(countOf)).toEqual([
    ["CL", "easy", 3],
    ["CL", "hard", 3],
    ["SI", "easy", 1],
    ["SI", "hard", 1],
  ]);
});

it("has nothing to say of no examples", async () => {
  expect(await measureShortcuts([])).toEqual({ forms: [], parts: [], languages: [], keptOut: [] });
});

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
