import { expect, it } from "vitest";
import { textRatio } from "../../../src/trial/facts/patch-facts.js";

const lines = (count: number, line: (i: number) => string) =>
  `diff --git a/x b/x\n${Array.from({ length: count }, (_, i) => line(i)).join("")}`;
const FIRST = lines(30, (i) => `+line ${i} of αβ ${(i * i) % 17}\n`);
const SECOND = lines(25, (i) => `+line ${i} is ${(i * i) % 13}\n`);

it("is not known of texts that take more steps than it may", () => {
  // 120 rare letters in turn, and the same with another between each two: one of them alone matches at a time.
  const turn = Array.from({ length: 1200 }, (_, i) => String.fromCharCode(0x4e00 + ((i * 7) % 120)));
  const hostile = turn.map((letter) => `${letter}§`).join("");
  expect(textRatio(hostile, turn.join(""), 1_000_000)).toBeNull();
  expect(textRatio(hostile, turn.join(""))).toBeCloseTo((2 * 1200) / 3600, 12);
});

// The values of Python's difflib.SequenceMatcher(None, a, b).ratio().
it.each([
  ["abcd", "bcde", 0.75],
  ["", "", 1],
  ["a", "", 0],
  ["abxcd", "abcd", 0.8888888888888888],
  [FIRST, SECOND, 0.06911928651059086],
  [SECOND, FIRST, 0.2028985507246377],
  [FIRST.slice(0, 190), SECOND.slice(0, 190), 0.7],
])("is that of difflib, with its way to leave frequent characters out of long texts (%#)", (first, second, ratio) => {
  expect(textRatio(first, second)).toBeCloseTo(ratio, 12);
});
