import { describe, expect, it } from "vitest";
import { diffHunk } from "../../../src/dataset/hunk-diff.js";
import { unevenlyCut } from "../../../src/distractors/location/shown-lines.js";

/** A hunk of so many lines, of which one is replaced. */
function hunkOf(lines: number, changed: number, id: string) {
  const preReviewLines = Array.from({ length: lines }, (_, i) => `value${i} = read(${i});`);
  const postReviewLines = preReviewLines.with(changed - 1, "other = write();");
  const diff = diffHunk(preReviewLines, postReviewLines);
  if (diff === null) throw new Error("no change");
  return { triple: { id, language: "java", review: "Write.", preReviewLines, postReviewLines }, diff } as const;
}

/** Cuts of hunks that differ in their names alone. */
function cutsOf(lines: number, changed: number) {
  return Array.from({ length: 80 }, (_, i) => {
    const { triple, diff } = hunkOf(lines, changed, `t${i}`);
    return { triple, diff, cut: unevenlyCut(triple, diff, 0) };
  });
}

describe("unevenlyCut", () => {
  it("leaves lines around the same change: the line itself and three others at least, in both versions", () => {
    for (const { triple, cut } of cutsOf(7, 4)) {
      const [line = 0] = cut.diff.location;
      const { preReviewLines, postReviewLines } = cut.triple;
      expect(preReviewLines[line - 1]).toBe(triple.preReviewLines[3]);
      expect(postReviewLines[line - 1]).toBe(triple.postReviewLines[3]);
      expect(triple.preReviewLines.join("\n")).toContain(preReviewLines.join("\n"));
      expect(preReviewLines.length).toBeGreaterThanOrEqual(4);
      expect(cut.diff).toEqual(diffHunk(preReviewLines, postReviewLines));
    }
  });

  it("leaves the change in the middle, or with all lines on a side, in less than half", () => {
    const cuts = cutsOf(7, 4).map(({ cut: { diff, triple } }) => ({
      line: diff.location[0] ?? 0,
      lines: triple.preReviewLines.length,
    }));
    const shareOf = (isSo: (cut: { line: number; lines: number }) => boolean) => cuts.filter(isSo).length / cuts.length;
    // Of the shares 0.5 (a whole side), 0.35 (beside the middle, neither side whole) and 0.15 (the middle).
    expect(shareOf(({ line, lines }) => line === (lines + 1) / 2)).toBeLessThan(0.2);
    // Above as many lines as the hunk had: the fourth line; below: the fourth from the end. Half of those of one side, and the middle.
    expect(shareOf(({ line }) => line === 4)).toBeLessThan(0.5);
    expect(shareOf(({ line, lines }) => line === lines - 3)).toBeLessThan(0.5);
  });

  it("leaves a hunk as it is whose change is not in the middle, or that has no lines to spare", () => {
    for (const [lines, changed] of [
      [7, 2],
      [4, 2],
    ] as const) {
      const { triple, diff } = hunkOf(lines, changed, "t");
      expect(unevenlyCut(triple, diff, 0)).toEqual({ triple, diff });
    }
  });
});
