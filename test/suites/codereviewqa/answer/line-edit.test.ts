import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { applyLineEdit, lineEdit } from "../../../../src/suites/codereviewqa/answer/generation.js";

describe("lineEdit", () => {
  it.each([
    ["a replaced line", "a\nb\nc", "a\nx\nc", { from: 1, to: 2, lines: ["x"] }],
    ["added lines", "a\nc", "a\nx\ny\nc", { from: 1, to: 1, lines: ["x", "y"] }],
    ["deleted lines", "a\nb\nc", "a", { from: 1, to: 3, lines: [] }],
    ["a line deleted of several that are equal", "a\na\na", "a\na", { from: 2, to: 3, lines: [] }],
    [
      "changes at two places, with what is between",
      "a\nb\nc\nd",
      "x\nb\ny\nd",
      { from: 0, to: 3, lines: ["x", "b", "y"] },
    ],
    ["equal texts", "a\nb", "a\nb", { from: 2, to: 2, lines: [] }],
    ["no text", "a", "", { from: 0, to: 1, lines: [""] }],
  ])("is %s", (_, before, after, edit) => {
    expect(lineEdit(before, after)).toEqual(edit);
  });

  it("is undone by applying it, whatever the texts", () => {
    const text = fc.array(fc.constantFrom("a", "b", "", "\r", "é"), { maxLength: 8 }).map((lines) => lines.join("\n"));
    fc.assert(
      fc.property(text, text, (before, after) => {
        expect(applyLineEdit(before, lineEdit(before, after))).toBe(after);
      }),
      { seed: 1 },
    );
  });
});

describe("applyLineEdit", () => {
  it.each([
    { from: 2, to: 1, lines: [] },
    { from: 0, to: 3, lines: ["x"] },
  ])("refuses lines the text does not have: %o", (edit) => {
    expect(() => applyLineEdit("a\nb", edit)).toThrow("expected an edit within 2 lines");
  });
});
