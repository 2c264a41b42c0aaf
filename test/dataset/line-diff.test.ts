import { describe, expect, it } from "vitest";
import { seededIntegers } from "../../src/base/random.js";
import { diffLines, type LineChange } from "../../src/dataset/hunk-diff.js";

const numbered = (count: number, mark = "line") => Array.from({ length: count }, (_, i) => `${mark} ${i}`);
const versionOf = (changes: readonly LineChange[], left: "added" | "deleted") =>
  changes.filter(({ kind }) => kind !== left).flatMap(({ lines }) => lines);
const changed = (changes: readonly LineChange[]) =>
  changes.filter(({ kind }) => kind !== "kept").flatMap(({ kind, lines }) => lines.map((line) => `${kind}: ${line}`));

describe("the diff of long versions", () => {
  it("changes only what was changed, where lines stand once", () => {
    const before = numbered(3000);
    const after = before.toSpliced(2500, 2).toSpliced(700, 1, "new 700", "and more").toSpliced(0, 0, "first");
    expect(changed(diffLines(before, after))).toEqual([
      "added: first",
      "deleted: line 700",
      "added: new 700",
      "added: and more",
      "deleted: line 2500",
      "deleted: line 2501",
    ]);
  });

  it("keeps the longest part in order of lines that were moved", () => {
    // The last 400 of 2,000 lines come first: they are moved, the 1,600 others stay.
    const before = numbered(2000);
    const changes = diffLines(before, [...before.slice(1600), ...before.slice(0, 1600)]);
    expect(changes.filter(({ kind }) => kind === "kept").flatMap(({ lines }) => lines)).toEqual(before.slice(0, 1600));
  });

  it("gives both versions back, whatever they hold", () => {
    const draw = seededIntegers(1);
    for (let round = 0; round < 20; round++) {
      // Few different lines, so that most are repeated; then many.
      const kinds = round % 2 === 0 ? 40 : 4000;
      const lines = (count: number) => Array.from({ length: count }, () => `x${draw(0, kinds)}`);
      const [before, after] = [lines(draw(500, 1500)), lines(draw(501, 1500))];
      const changes = diffLines(before, after);
      expect(versionOf(changes, "added")).toEqual(before);
      expect(versionOf(changes, "deleted")).toEqual(after);
    }
  });

  it("finds the changes of 100,000 lines, all changed or all reversed", () => {
    // A minimal diff of lines that all differ takes the square: a quarter of an hour.
    const count = 100_000;
    expect(changed(diffLines(numbered(count), numbered(count, "other")))).toHaveLength(2 * count);
    expect(changed(diffLines(numbered(count), numbered(count).reverse()))).toHaveLength(2 * count - 2);
  });
});
