import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { exactEnds, spelledEnds } from "../../../src/model/wire/sequence-scores.js";

describe("where tokens end in the text they spell", () => {
  it("is the sum of their lengths, in UTF-16 units", () => {
    // "if" 2, " (" 4, "é" 5, "😀" (two units) 7, ")\n" 9
    expect(spelledEnds(["if", " (", "é", "😀", ")\n"], "if (é😀)\n")).toEqual([2, 4, 5, 7, 9]);
  });

  it("is unknown when they spell another text, more of it, or less", () => {
    expect(spelledEnds(["if", " ("], "if {")).toBeNull();
    expect(spelledEnds(["if", " (", "x"], "if (")).toBeNull();
    expect(spelledEnds(["if"], "if (")).toBeNull();
    expect(spelledEnds([], "if")).toBeNull();
    // a server that folds line ends or runs of spaces has scored another text
    expect(spelledEnds(["a", "b"], "a\nb")).toBeNull();
    expect(spelledEnds(["a", "b"], "a  b")).toBeNull();
  });

  it("counts a lost space to the token after it", () => {
    // SentencePiece, each token decoded alone: "The", "▁quick", "▁fox"
    expect(spelledEnds(["The", "quick", "fox"], "The quick fox")).toEqual([3, 9, 13]);
    // the space alone is a token
    expect(spelledEnds(["a", "", "b", "c"], "a b c")).toEqual([1, 2, 3, 5]);
    expect(exactEnds(["The", "quick", "fox"], "The quick fox")).toBeNull();
  });

  it("leaves out the space that a tokenizer puts before the text, and gives a lost last one to the last token", () => {
    expect(spelledEnds([" The", " end"], "The end")).toEqual([3, 7]);
    expect(spelledEnds(["The", "end", ""], "The end ")).toEqual([3, 7, 8]);
  });

  it("ends the parts of a character where it ends", () => {
    // 😀 in four parts after "a", then ")": the character takes units 1 and 2
    const ends = [1, 3, 3, 3, 3, 4];
    expect(spelledEnds(["a", "\ufffd", "\ufffd", "\ufffd", "\ufffd", ")"], "a😀)")).toEqual(ends);
    expect(spelledEnds(["a", "bytes:\\xf0", "bytes:\\x9f", "bytes:\\x98", "bytes:\\x80", ")"], "a😀)")).toEqual(ends);
  });

  it("finds parts at the edges of other tokens, and at the end of the text", () => {
    // " é" where the space and the first byte are one token, the second byte and ")" another
    expect(spelledEnds(["a", " \ufffd", "\ufffd)"], "a é)")).toEqual([1, 3, 4]);
    expect(spelledEnds(["a", "\ufffd", "\ufffd"], "aé")).toEqual([1, 2, 2]);
    expect(spelledEnds(["a", "\ufffd", "\ufffd"], "ae")).toBeNull();
    expect(spelledEnds(["a", "\ufffd", "b"], "ab")).toBeNull();
  });

  it("takes a lone surrogate for U+FFFD, and U+FFFD of the text for itself", () => {
    expect(spelledEnds(["a", "\ufffd", "b"], "a\ud800b")).toEqual([1, 2, 3]);
    expect(spelledEnds(["a", "\ufffd", "b"], "a\ufffdb")).toEqual([1, 2, 3]);
  });

  it("ascends to the text's length however it is cut", () => {
    const texts = fc.array(fc.string({ unit: "grapheme", minLength: 1, maxLength: 5 }), {
      minLength: 1,
      maxLength: 20,
    });
    fc.assert(
      fc.property(texts, (tokens) => {
        const text = tokens.join("");
        let end = 0;
        expect(spelledEnds(tokens, text)).toEqual(tokens.map((token) => (end += token.length)));
      }),
      { seed: 1 },
    );
  });
});
