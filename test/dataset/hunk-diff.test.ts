import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { diffHunk } from "../../src/dataset/hunk-diff.js";

const lines = fc.array(fc.constantFrom("a", "b", "c", "", " a", "- b", "+ c"), { maxLength: 9 });

/** Length of the longest common subsequence, by the textbook recurrence. */
function commonLength(a: readonly string[], b: readonly string[]): number {
  let row = [0, ...b.map(() => 0)];
  for (const line of a) {
    const next = [0];
    b.forEach((other, j) => {
      next.push(line === other ? row[j]! + 1 : Math.max(row[j + 1]!, next[j]!));
    });
    row = next;
  }
  return row[b.length]!;
}

/** Lines of a hunk as [marker, text]. */
function marked(hunk: string): [string, string][] {
  return hunk.split("\n").map((line) => [line.slice(0, 1), line.slice(1)]);
}

describe("diffHunk", () => {
  it("finds nothing when nothing changed", () => {
    expect(diffHunk(["a", "b"], ["a", "b"])).toBeNull();
    expect(diffHunk([], [])).toBeNull();
  });

  it("describes a replaced line as a modification of it", () => {
    expect(diffHunk(["a", "b", "c"], ["a", "B", "c"])).toEqual({
      changeType: "modify",
      location: [2],
      old: " a\n-b\n c",
      new: " a\n+B\n c",
      solution: "2 - b\n2 + B",
    });
  });

  it("describes deleted lines", () => {
    expect(diffHunk(["a", "b", "c", "d"], ["a", "d"])).toEqual({
      changeType: "delete",
      location: [2, 3],
      old: " a\n-b\n-c\n d",
      new: " a\n d",
      solution: "2 - b\n3 - c",
    });
  });

  it("locates added lines by the line after which they are added", () => {
    expect(diffHunk(["a", "b"], ["a", "x", "y", "b", "z"])).toEqual({
      changeType: "add",
      // x and y after line 1, z after line 2.
      location: [1, 2],
      old: " a\n b",
      new: " a\n+x\n+y\n b\n+z",
      solution: "2 + x\n3 + y\n5 + z",
    });
  });

  it("locates a line added before the first by 0", () => {
    expect(diffHunk(["a"], ["x", "a"])).toMatchObject({ changeType: "add", location: [0], solution: "1 + x" });
  });

  it("numbers deleted lines in the hunk before and added ones in the hunk after", () => {
    expect(diffHunk(["a", "b", "c", "d"], ["b", "c", "D"])).toMatchObject({
      changeType: "modify",
      location: [1, 4],
      solution: "1 - a\n4 - d\n3 + D",
    });
  });

  it("writes a replaced block pair by pair, and then what is left over", () => {
    // Figure 3 of the paper: 5 -, 5 +, 6 -, 6 +.
    expect(diffHunk(["a", "b", "c", "z"], ["A", "B", "z"])?.solution).toBe("1 - a\n1 + A\n2 - b\n2 + B\n3 - c");
    expect(diffHunk(["a", "z"], ["A", "B", "C", "z"])?.solution).toBe("1 - a\n1 + A\n2 + B\n3 + C");
  });

  it("pairs each replaced block on its own", () => {
    expect(diffHunk(["a", "b", "z", "c"], ["A", "z", "C", "D"])?.solution).toBe(
      "1 - a\n1 + A\n2 - b\n4 - c\n3 + C\n4 + D",
    );
  });

  it("locates only the deleted lines of a modification that also adds elsewhere", () => {
    expect(diffHunk(["a", "b", "c"], ["x", "a", "b", "C"])).toMatchObject({ changeType: "modify", location: [3] });
  });

  it("counts a moved line as deleted and added", () => {
    expect(diffHunk(["a", "b", "c", "d"], ["b", "c", "d", "a"])).toMatchObject({
      changeType: "modify",
      location: [1],
      solution: "1 - a\n4 + a",
    });
  });

  it("sees a change of spaces, and keeps tabs and markers in the code", () => {
    expect(diffHunk(["\tx", "- y"], ["  x", "- y"])).toEqual({
      changeType: "modify",
      location: [1],
      old: "-\tx\n - y",
      new: "+  x\n - y",
      solution: "1 - \tx\n1 +   x",
    });
  });

  it("numbers lines over 99", () => {
    const before = Array.from({ length: 150 }, (_, i) => `line ${i + 1}`);
    const after = before.with(119, "changed");
    expect(diffHunk(before, after)).toMatchObject({ location: [120], solution: "120 - line 120\n120 + changed" });
  });

  it("holds both hunks, whatever they are", () => {
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const diff = diffHunk(before, after);
        expect(diff === null).toBe(before.join("\n") === after.join("\n") && before.length === after.length);
        if (diff === null) return;
        const [old, fresh] = [diff.old, diff.new].map(marked);
        if (before.length > 0) expect(old!.map(([, text]) => text)).toEqual(before);
        if (after.length > 0) expect(fresh!.map(([, text]) => text)).toEqual(after);
        // What is not marked as changed is the same on both sides.
        const kept = (side: [string, string][]) => side.filter(([marker]) => marker === " ").map(([, text]) => text);
        expect(kept(old!)).toEqual(kept(fresh!));
      }),
      { seed: 1, numRuns: 500 },
    );
  });

  it("changes as few lines as can be, and lists each with its number", () => {
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const solution = diffHunk(before, after)?.solution.split("\n") ?? [];
        // The fewest: all lines but those of a longest common subsequence.
        expect(solution).toHaveLength(before.length + after.length - 2 * commonLength(before, after));
        for (const line of solution) {
          const [, number, marker, text] = /^(\d+) ([-+]) (.*)$/.exec(line) ?? [];
          expect((marker === "-" ? before : after)[Number(number) - 1]).toBe(text);
        }
        expect(new Set(solution).size).toBe(solution.length);
      }),
      { seed: 1, numRuns: 500 },
    );
  });

  it("locates what a reader needs to make the change", () => {
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const diff = diffHunk(before, after);
        if (diff === null) return;
        const deleted = diff.solution.match(/^\d+(?= -)/gm)?.map(Number) ?? [];
        const added = diff.solution.match(/^\d+(?= \+)/gm)?.map(Number) ?? [];
        const type = deleted.length === 0 ? "add" : added.length === 0 ? "delete" : "modify";
        expect(diff.changeType).toBe(type);
        // Before the i-th added line (from 0) stand i added lines; the others are lines of the hunk before.
        const addedAfter = [...new Set(added.map((number, i) => number - 1 - i))];
        expect(diff.location).toEqual(type === "add" ? addedAfter : deleted);
      }),
      { seed: 1, numRuns: 500 },
    );
  });
});
