import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ReportedEntry, sequenceScores, tokenEnds } from "../../../src/model/wire/sequence-scores.js";

function entry(text: string | null, logprob: number | null, more: Partial<ReportedEntry> = {}): ReportedEntry {
  return { text, id: null, logprob, isGreedy: logprob === null ? null : false, ...more };
}

const faultOf = (entries: readonly ReportedEntry[], text: string) => {
  const reading = sequenceScores(entries, text);
  return reading.status === "fault" ? reading.fault : reading;
};

describe("the scores of a text", () => {
  it("are those of its tokens, whose first has no number without BOS", () => {
    const entries = [
      entry("ab", null, { id: 5 }),
      entry("c", -1.5, { id: 6, isGreedy: true }),
      entry("d", -2, { id: 7 }),
    ];
    expect(sequenceScores(entries, "abcd")).toEqual({
      status: "read",
      scores: { tokens: [5, 6, 7], ends: [2, 3, 4], logprobs: [null, -1.5, -2], isGreedy: [null, true, false] },
    });
  });

  it.each([
    ["named", "<s>"],
    ["shown as nothing", ""],
    ["not shown", null],
  ])("leave out a BOS that is %s", (_, bos) => {
    const entries = [entry(bos, null, { id: 1 }), entry("ab", -1, { id: 5 }), entry("c", -2, { id: 6 })];
    expect(sequenceScores(entries, "abc")).toMatchObject({
      status: "read",
      scores: { tokens: [5, 6], ends: [2, 3], logprobs: [-1, -2], isGreedy: [false, false] },
    });
  });

  it("leave out BOS before a text that begins with the same words", () => {
    const entries = [entry("<s>", null), entry("<s>", -9), entry("a", -1)];
    expect(sequenceScores(entries, "<s>a")).toMatchObject({ scores: { ends: [3, 4], logprobs: [-9, -1] } });
  });

  it("know a first token that is not shown by what the others leave", () => {
    expect(sequenceScores([entry(null, null), entry("c", -1)], "abc")).toMatchObject({
      scores: { ends: [2, 3], logprobs: [null, -1] },
    });
    // "The", then "quick" and "fox" without their spaces
    expect(sequenceScores([entry(null, null), entry("quick", -1), entry("fox", -2)], "The quick fox")).toMatchObject({
      scores: { ends: [3, 9, 13], logprobs: [null, -1, -2] },
    });
    expect(sequenceScores([entry(null, null)], "abc")).toMatchObject({ scores: { ends: [3], logprobs: [null] } });
  });

  it("have no ids unless all are told, and a certain token's number is at most 0", () => {
    const entries = [entry("a", null, { id: 1 }), entry("b", 1e-6)];
    expect(sequenceScores(entries, "ab")).toMatchObject({ scores: { tokens: null, logprobs: [null, 0] } });
  });

  it.each<[string, readonly ReportedEntry[], RegExp]>([
    ["tokens of another text", [entry("x", null), entry("y", -1)], /reported 2 tokens that are not the text's/],
    ["fewer tokens", [entry("a", null), entry("b", -1)], /2 tokens that are not/],
    ["more tokens", [entry("ab", null), entry("cd", -1), entry("e", -1)], /3 tokens that are not/],
    ["no token", [], /0 tokens/],
    ["a number left out", [entry("ab", null), entry("c", null), entry("d", -1)], /left out .* token 2 of 3/],
    ["a number left out after BOS", [entry("<s>", null), entry("abcd", null)], /left out .* token 1 of 1/],
    [
      "vLLM's -9999",
      [entry("ab", null), entry("cd", -9999)],
      /reported -9999, which is no log probability, for token 2/,
    ],
    ["NaN", [entry("ab", null), entry("cd", Number.NaN)], /reported NaN/],
    ["minus infinity", [entry("ab", null), entry("cd", Number.NEGATIVE_INFINITY)], /reported -Infinity/],
    ["a probability above 1", [entry("ab", null), entry("cd", 0.2)], /reported 0.2/],
    ["two tokens that are not shown", [entry(null, null), entry(null, -1)], /2 tokens that are not/],
  ])("are none for %s", (_, entries, fault) => {
    expect(faultOf(entries, "abcd")).toMatch(fault);
  });

  it("are none where the beginning of a long text was cut off", () => {
    const text = `${"x".repeat(500)} end`;
    expect(faultOf([entry(null, null), entry(" end", -1)], text)).toMatch(/2 tokens that are not/);
  });
});

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
