import { describe, expect, it } from "vitest";
import { changedLeaves, lineNumberAt, revisedCode } from "../../../src/distractors/solution/masked-leaf.js";
import { loadSyntax } from "../../../src/syntax/load.js";

describe("changedLeaves", () => {
  it("are the names and literals on new lines; no comments, operators or brackets", async () => {
    const code = revisedCode(" x = 1\n+y = add(x, 2)  # sum\n z = 3");
    expect(code.text).toBe("x = 1\ny = add(x, 2)  # sum\nz = 3");
    const leaves = changedLeaves(code, await loadSyntax("python"));
    expect(leaves.map(({ start, end }) => code.text.slice(start, end))).toEqual(["y", "add", "x", "2"]);
  });

  it("are none where only a comment is new, or a text over several lines", async () => {
    const python = await loadSyntax("python");
    expect(changedLeaves(revisedCode("+# why"), python)).toEqual([]);
    expect(changedLeaves(revisedCode('+"""one\n+two"""'), python)).toEqual([]);
  });

  it("are no keywords that a fragment makes the parser take for names", async () => {
    const code = revisedCode(" }\n+else if (a == b) {\n+  c = 1;");
    const leaves = changedLeaves(code, await loadSyntax("c"));
    expect(leaves.map(({ start, end }) => code.text.slice(start, end))).toEqual(["a", "b", "c", "1"]);
  });

  it("are found on the last line too", async () => {
    const code = revisedCode(" a\n+b");
    expect(changedLeaves(code, await loadSyntax("ruby"))).toHaveLength(1);
  });
});

describe("lineNumberAt", () => {
  it("counts lines from 1", () => {
    expect([0, 1, 2, 4].map((place) => lineNumberAt("a\nbc\nd", place))).toEqual([1, 1, 2, 2]);
    expect(lineNumberAt("a\nbc\nd", 5)).toBe(3);
  });
});
