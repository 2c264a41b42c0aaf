import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { tokenEnds } from "../../../src/model/wire/token-ends.js";

/** The ends of tokens that are these bytes, each of which may be part of a character. */
function endsOfBytes(text: string, pieces: readonly (readonly number[])[]) {
  return tokenEnds(text, pieces.length, (start, end) =>
    new TextDecoder("utf-8", { ignoreBOM: true }).decode(Uint8Array.from(pieces.slice(start, end).flat())),
  );
}

/** The ends of tokens that are these texts. */
function endsOfTexts(text: string, pieces: readonly string[]) {
  return tokenEnds(text, pieces.length, (start, end) => pieces.slice(start, end).join(""));
}

const bytes = (text: string) => [...Buffer.from(text)];
const aligned = (...ends: number[]) => ({ status: "aligned", ends });

describe("tokenEnds", () => {
  it("counts UTF-16 units", () => {
    // é is one unit, 😀 two.
    expect(endsOfTexts("a é😀b", ["a", " é", "😀", "b"])).toEqual(aligned(1, 3, 5, 6));
  });

  it("has nothing for no tokens of no text", () => {
    expect(endsOfTexts("", [])).toEqual(aligned());
  });

  it("ends all tokens that share a character where it ends", () => {
    // 😀 is F0 9F 98 80
    expect(endsOfBytes("a😀b", [[0x61], [0xf0], [0x9f], [0x98], [0x80], [0x62]])).toEqual(aligned(1, 3, 3, 3, 3, 4));
    expect(endsOfBytes("a😀b", [[0x61, 0xf0, 0x9f], [0x98], [0x80, 0x62]])).toEqual(aligned(4, 4, 4));
  });

  it("follows characters that chain through tokens", () => {
    // é is C3 A9: the second token ends one and begins the next.
    expect(endsOfBytes("éé", [[0xc3], [0xa9, 0xc3], [0xa9]])).toEqual(aligned(2, 2, 2));
  });

  it("tells a U+FFFD of the text from a character cut in two", () => {
    // U+FFFD is EF BF BD
    expect(endsOfBytes("\ufffd\ufffd!", [[0xef], [0xbf, 0xbd], [0xef, 0xbf], [0xbd], [0x21]])).toEqual(
      aligned(1, 1, 2, 2, 3),
    );
    expect(endsOfBytes("\ufffd!", [[0xef], [0xbf, 0xbd, 0x21]])).toEqual(aligned(2, 2));
    expect(endsOfTexts("\ufffd\ufffd!", ["\ufffd", "\ufffd!"])).toEqual(aligned(1, 3));
  });

  it("reads half a surrogate pair as U+FFFD, which is as long", () => {
    expect(endsOfTexts("a\ud83db", ["a", "\ufffd", "b"])).toEqual(aligned(1, 2, 3));
  });

  it("gives a token without text the place it stands at", () => {
    expect(endsOfTexts("ab", ["", "a", "", "b", ""])).toEqual(aligned(0, 1, 1, 2, 2));
  });

  it.each([
    ["another text", "abc", ["a", "x", "c"], 1],
    ["more", "ab", ["a", "b", "c"], 2],
    ["less", "abc", ["a", "b"], 2],
    ["a character that stays cut", "aé", ["a", "\ufffd"], 1],
    ["nothing", "a", [], 0],
  ])("says where tokens spell %s", (_, text, pieces, at) => {
    expect(endsOfTexts(text, pieces)).toEqual({ status: "differs", at });
  });

  it("finds, for every text cut at any bytes, ends that ascend to its length", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.array(fc.nat(3)), (text, sizes) => {
        const rest = bytes(text);
        const pieces = sizes.map((size) => rest.splice(0, size));
        pieces.push(rest);
        const found = endsOfBytes(text, pieces);
        if (found.status !== "aligned") throw new Error(`differs at ${found.at}`);
        expect(found.ends).toHaveLength(pieces.length);
        expect(found.ends).toEqual([...found.ends].sort((a, b) => a - b));
        expect(found.ends.at(-1)).toBe(text.length);
      }),
      { seed: 1 },
    );
  });
});
