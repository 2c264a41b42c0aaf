import { distance } from "fastest-levenshtein";
import { describe, expect, it } from "vitest";
import { seededIntegers } from "../../../src/base/random.js";
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

describe("of long texts", () => {
  const words = Array.from({ length: 400 }, (_, i) => `w${i}`);
  const without = (...left: number[]) => words.filter((_, i) => !left.includes(i)).join(" ");

  it.each([
    ["another character at both ends", `x${words.join(" ")}x`, `y${words.join(" ")}y`, 2],
    // `w7 ` has three characters, `w300 ` five.
    ["two words less", words.join(" "), without(7, 300), 8],
    ["a word less here, another there", without(7), without(300), 8],
    // Nothing in common: each of the longer one's characters.
    ["nothing alike", "a".repeat(600), "b".repeat(650), 650],
    ["as much as is looked for along diagonals, in a row", `x${"a".repeat(600)}x`, `y${"a".repeat(698)}y`, 100],
    ["a little more", `x${"a".repeat(600)}x`, `y${"a".repeat(699)}y`, 101],
  ])("%s", (_name, a, b, wanted) => {
    expect([unitDistance(a, b), unitDistance(b, a)]).toEqual([wanted, wanted]);
  });

  it("is that of the plain algorithm for drawn edits", () => {
    const draw = seededIntegers(5);
    const edited = () => words.flatMap((word) => [[word], [word], [], [word, word], ["a"]][draw(0, 40)] ?? [word]);
    for (let i = 0; i < 40; i++) {
      const [a, b] = [edited().join(" "), edited().join("")];
      const c = edited().join(" ");
      expect([unitDistance(a, b), unitDistance(a, c)]).toEqual([distance(a, b), distance(a, c)]);
    }
  });
});
