import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { editDistance } from "../../../src/dataset/curate/review-measures.js";

/** The textbook recurrence, over code points. */
function byTheBook(before: string, after: string): number {
  const [left, right] = [[...before], [...after]];
  let row = right.map((_, j) => j + 1);
  row.unshift(0);
  for (const [i, character] of left.entries()) {
    const next = [i + 1];
    for (let j = 1; j <= right.length; j++) {
      const replaced = row[j - 1]! + (character === right[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row.at(-1)!;
}

describe("editDistance", () => {
  it.each([
    ["", "", 0],
    ["", "abc", 3],
    ["kitten", "sitting", 3],
    // Two lines against one: the line break and "b" go.
    ["a\nb", "a", 2],
    // One character replaced, though its UTF-16 form has two units.
    ["x = '😀'", "x = '😎'", 1],
    ["😀", "a", 1],
    // Where both ends are common and overlap: one "a" fewer.
    ["aaa", "aa", 1],
  ])("of %j and %j is %i", (before, after, distance) => {
    expect(editDistance(before, after)).toBe(distance);
  });

  it("agrees with the textbook recurrence", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "b", "\n", "😀", "😎"), maxLength: 40 });
    fc.assert(
      fc.property(text, text, (before, after) => {
        expect(editDistance(before, after)).toBe(byTheBook(before, after));
      }),
      { seed: 1 },
    );
  });

  it("measures a small change to a megabyte at once", () => {
    const half = "line of code\n".repeat(40_000);
    // The whole table would have 10^12 cells.
    expect(editDistance(`${half}before${half}`, `${half}after${half}`)).toBe(byTheBook("before", "after"));
  });
});
