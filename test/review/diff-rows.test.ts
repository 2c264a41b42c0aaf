import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { diffRows } from "../../src/review/diff-rows.js";

describe("a unified diff", () => {
  it("numbers each line in its own version, and shows a block's deleted lines before its added ones", () => {
    const rows = diffRows(["a", "old one", "old two", "z"], ["a", "old 1", "z", "end"]);
    expect(rows.map(({ kind, before, after, text }) => [kind, before, after, text])).toEqual([
      ["same", 1, 1, "a"],
      ["deleted", 2, null, "old one"],
      ["deleted", 3, null, "old two"],
      ["added", null, 2, "old 1"],
      ["same", 4, 3, "z"],
      ["added", null, 4, "end"],
    ]);
  });

  it("points out the middle in which a replaced line differs", () => {
    const rows = diffRows(["x = foo(1);"], ["x = bar(1);"]);
    // "x = " and "(1);" are common: 4 to 7 differ, in both.
    expect(rows.map(({ emphasis }) => emphasis)).toEqual([
      [4, 7],
      [4, 7],
    ]);
  });

  it("points out whole words: a letter that two words happen to share stays with its word", () => {
    const [before] = diffRows(["log(b.connectionString);"], ["log(b.initialCatalog);"]);
    // The final g of both is no end of its own.
    expect(before?.text.slice(...(before.emphasis ?? []))).toBe("connectionString");
  });

  it("points out nothing in lines that have too little in common, and nothing where a line only gained", () => {
    // 2 of 8 characters are common, less than 0.3.
    expect(diffRows(["a234567z"], ["abcdefgz"]).map(({ emphasis }) => emphasis)).toEqual([null, null]);
    expect(diffRows(["foo()"], ["foo(1)"]).map(({ emphasis }) => emphasis)).toEqual([null, [4, 5]]);
  });

  it("cuts no pair of surrogates in two", () => {
    // Both emoji begin with the surrogate D83D: in UTF-16 units only the second half differs.
    const [before, after] = diffRows(["say('😀')"], ["say('😁')"]);
    expect(before?.text.slice(...(before.emphasis ?? []))).toBe("😀");
    expect(after?.text.slice(...(after.emphasis ?? []))).toBe("😁");
  });

  it("shows versions without a difference as they are, and nothing of nothing", () => {
    expect(diffRows(["a"], ["a"])).toEqual([{ kind: "same", before: 1, after: 1, text: "a", emphasis: null }]);
    expect(diffRows([], [])).toEqual([]);
  });

  it("holds both versions whole, in order", () => {
    const lines = fc.array(fc.constantFrom("", " ", "a", "b", "-", "+"), { maxLength: 8 });
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const rows = diffRows(before, after);
        expect(rows.filter(({ kind }) => kind !== "added").map(({ text }) => text)).toEqual(before);
        expect(rows.filter(({ kind }) => kind !== "deleted").map(({ text }) => text)).toEqual(after);
        const numbers = rows.flatMap(({ before: number }) => (number === null ? [] : [number]));
        expect(numbers).toEqual(before.map((_, i) => i + 1));
      }),
      { seed: 1 },
    );
  });
});
