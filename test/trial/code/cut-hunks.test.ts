import { describe, expect, it } from "vitest";
import { seededIntegers } from "../../../src/base/random.js";
import { cutHunks } from "../../../src/trial/code/cut-probes.js";

const lines = (count: number, name = "line") => Array.from({ length: count }, (_, i) => `${name} ${i + 1}`);
const text = (all: readonly string[]) => all.map((line) => `${line}\n`).join("");
/** As many of the lines that stay above a change as there may be. */
const above = (_: number, high: number) => high;

describe("the hunks of a changed file", () => {
  it("have twelve lines around a change, and changes far from each other apart", () => {
    const before = lines(60);
    const after = before.with(9, "ten").with(44, "forty-five");
    expect(cutHunks(text(before), text(after), above)).toEqual([
      // Nine lines are above the first, so three stay below it.
      { before: before.slice(0, 13), after: after.slice(0, 13) },
      { before: before.slice(32, 45), after: after.slice(32, 45) },
    ]);
    const few = lines(5);
    expect(cutHunks(text(few), text(few.with(0, "new")), above)).toEqual([{ before: few, after: few.with(0, "new") }]);
  });

  it("have the change at places that differ: the middle does not give it away", () => {
    const before = lines(60);
    const after = before.with(30, "new");
    const places = Array.from({ length: 20 }, (_, seed) => {
      const [hunk] = cutHunks(text(before), text(after), seededIntegers(seed));
      expect(hunk!.after).toHaveLength(13);
      return hunk!.after.indexOf("new") / 12;
    });
    expect(Math.min(...places)).toBeLessThan(0.3);
    expect(Math.max(...places)).toBeGreaterThan(0.7);
  });

  it("are cut where one would have more than 60 lines on either side", () => {
    const before = lines(100);
    const after = before.map((line, i) => (i >= 20 && i < 80 ? `${line}!` : line));
    const hunks = cutHunks(text(before), text(after), above);
    // 12 lines stay, then 60 go and 60 come, by turns: the first has 48 of either, beside what replaces them.
    expect(hunks.map((hunk) => [hunk.before.length, hunk.after.length])).toEqual([
      [60, 60],
      [12, 12],
    ]);
    expect(hunks.flatMap((hunk) => hunk.before)).toEqual(before.slice(8, 80));
    expect(hunks.flatMap((hunk) => hunk.after)).toEqual(after.slice(8, 80));
  });

  it("are none without a change, nor without code before or after it", () => {
    expect(cutHunks("a\n", "a\n", above)).toEqual([]);
    expect(cutHunks("", "a\nb\n", above)).toEqual([]);
    expect(cutHunks("a\nb\n", "", above)).toEqual([]);
  });

  it("tell lines alone, not whether the last one ends", () => {
    expect(cutHunks("a\nb", "a\nc", above)).toEqual([{ before: ["a", "b"], after: ["a", "c"] }]);
  });
});
