import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { visiblePieces } from "../../../src/review/page/dom.js";

const shown = (text: string, emphasis?: [number, number]) =>
  visiblePieces(text, emphasis).map((piece) => [piece.kind, piece.text, piece.isEmphasised]);

describe("text made visible", () => {
  it("names characters that show nothing or turn the text around", () => {
    expect(visiblePieces("a\u202eb").map(({ kind, text }) => [kind, text])).toEqual([
      ["text", "a"],
      ["hidden", "U+202E"],
      ["text", "b"],
    ]);
    const hidden = ["\u0000", "\u001b", "\r", "\u00a0", "\u00ad", "\u200b", "\u2066", "\u2028", "\u3164", "\u{e0041}"];
    for (const character of hidden) expect(visiblePieces(character)).toMatchObject([{ kind: "hidden" }]);
  });

  it("marks tabs, and spaces before a line's end, but no space within a line", () => {
    expect(shown("\ta b  \nc ")).toEqual([
      ["tab", "\t", false],
      ["text", "a b", false],
      ["trailing", "  ", false],
      ["text", "\nc", false],
      ["trailing", " ", false],
    ]);
  });

  it("leaves letters of every script, emoji and line ends alone", () => {
    const text = "שלום\nñ 漢字 😀 e\u0301";
    expect(shown(text)).toEqual([["text", text, false]]);
  });

  it("cuts plain text where the emphasis begins and ends", () => {
    expect(shown("abcdef", [2, 4])).toEqual([
      ["text", "ab", false],
      ["text", "cd", true],
      ["text", "ef", false],
    ]);
    expect(shown("\tb", [0, 1])).toEqual([
      ["tab", "\t", true],
      ["text", "b", false],
    ]);
  });

  it("loses nothing: but for the named ones, the pieces are the text", () => {
    const unit = fc.constantFrom("a", " ", "\t", "\n", "\u202e", "😀", "\u00a0");
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 12 }), fc.nat(12), fc.nat(12), (units, start, length) => {
        const text = units.join("");
        const back = visiblePieces(text, [start, start + length]).map(({ kind, text: part }) =>
          kind === "hidden" ? String.fromCodePoint(Number.parseInt(part.slice(2), 16)) : part,
        );
        expect(back.join("")).toBe(text);
      }),
      { seed: 1 },
    );
  });
});
