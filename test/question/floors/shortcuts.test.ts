import { expect, it } from "vitest";
import type { Example } from "../../../src/dataset/example.js";
import { measureShortcuts } from "../../../src/question/floors/shortcuts.js";
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
