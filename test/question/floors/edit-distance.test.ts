import { expect, it } from "vitest";
import { unitDistance } from "../../../src/question/floors/solution-rules.js";

it.each([
  ["", "", 0],
  ["abc", "abc", 0],
  ["abc", "", 3],
  ["kitten", "sitting", 3],
  // What both begin and end with may overlap: `aa` in `aaa` stands once.
  ["aa", "aaa", 1],
  ["abab", "ab", 2],
  ["x1y2z", "x3y4z", 2],
])("the distance of %j and %j is %i", (a, b, wanted) => {
  expect([unitDistance(a, b), unitDistance(b, a)]).toEqual([wanted, wanted]);
});
