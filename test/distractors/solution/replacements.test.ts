import { describe, expect, it } from "vitest";
import { nearNumbers } from "../../../src/distractors/near-miss/content-words.js";
import { type Token, tokensOf } from "../../../src/distractors/solution/introduced-tokens.js";
import { isAlike, replacementsFor } from "../../../src/distractors/solution/replacements.js";
import { wordsOf } from "../../../src/question/floors/solution-rules.js";
import { loadSyntax } from "../../../src/syntax/load.js";

async function pythonTokens(text: string): Promise<Token[]> {
  return tokensOf(text, (await loadSyntax("python")).parse(text));
}

async function replacements(code: string, tokenText: string, { review = "", prompt = code, shown = "" } = {}) {
  const tokens = await pythonTokens(code);
  const token = tokens.find(({ text }) => text === tokenText);
  if (token === undefined) throw new Error(`no token ${tokenText}`);
  const counts = new Map<string, number>();
  for (const word of wordsOf(shown)) counts.set(word, (counts.get(word) ?? 0) + 1);
  const surroundings = { tokens, review, prompt: new Set(wordsOf(`${prompt}\n${review}`)), shown: counts, seed: 1 };
  return replacementsFor(token, surroundings);
}

describe("isAlike", () => {
  it.each([
    // At most half of the length more or less, and at least two characters.
    ["name", "abcdef", "abc", true],
    ["name", "abcdef", "ab", false],
    ["name", "abcdef", "abcdefghi", true],
    ["name", "abcdef", "abcdefghij", false],
    ["number", "1", "100", true],
    ["number", "1", "1000", false],
    ["name", "abc", "ABC", false],
    ["operator", "=", "===", true],
  ] as const)("compares the %s %s with %s: %s", (sort, text, other, expected) => {
    expect(isAlike({ sort, text }, other)).toBe(expected);
  });
});

describe("nearNumbers", () => {
  it.each([
    ["4", ["5", "3", "6", "8", "2", "40", "9"]],
    // No number below 0, none with a fraction.
    ["1", ["2", "0", "3", "10", "5", "6"]],
    // 20: 21, 19, 22, 40, 10, 200, 18, 24, 25.
    ["0x14", ["0x15", "0x13", "0x16", "0x28", "0xa", "0xc8", "0x12", "0x18", "0x19"]],
    ["009", ["010", "008", "011", "018", "090", "007", "013", "014"]],
    ["1.5", []],
    ["v2", []],
  ])("of %s are %j", (text, expected) => {
    expect([...nearNumbers(text)].sort()).toEqual([...expected].sort());
  });
});

describe("replacementsFor", () => {
  it("puts names in the same role before others of the kind", async () => {
    // close is called as flush is; handle is not.
    const found = await replacements("flush(handle)\nclose(handle)", "flush");
    expect(found.map(({ text }) => text)).toEqual(["close", "handle"]);
  });

  it("puts what stands in the prompt first for a token that does, and last for one that does not", async () => {
    // fresh is new: neither it nor third is in the prompt; second is.
    const code = "first(second, third, fresh)";
    const texts = async (token: string) =>
      (await replacements(code, token, { prompt: "first(second)" })).map(({ text }) => text);
    expect((await texts("fresh"))[0]).toBe("third");
    expect((await texts("second")).indexOf("first")).toBeLessThan((await texts("second")).indexOf("third"));
  });

  it("puts what the question shows elsewhere first for a token that it shows elsewhere", async () => {
    // first stands there twice, so third, which stands there too, comes before fourth.
    const code = "zero(first, third, fourth)";
    const texts = async (shown: string) => (await replacements(code, "first", { shown })).map(({ text }) => text);
    for (const other of ["third", "fourth"]) {
      expect((await texts(`1 - zero(first)\n1 + first(${other})`))[0]).toBe(other);
    }
  });

  it("puts what has as many words of the review first", async () => {
    // keepLine has line of the review, as readLine has; keepPath has none.
    const given = { review: "Is a line meant?" };
    const found = (await replacements("use(readLine, keepPath, keepLine)", "readLine", given)).map(({ text }) => text);
    expect(found.indexOf("keepLine")).toBeLessThan(found.indexOf("keepPath"));
  });

  it("tells hunk from review, and takes what looks like code from the review only", async () => {
    const found = await replacements("total = amount", "amount", { review: "Why not `balance` here? See net_sum." });
    expect(found.map(({ text, source }) => `${text} ${source}`).sort()).toEqual([
      "balance review",
      "net_sum review",
      "total hunk",
    ]);
  });

  it("changes one and the same word of a name of several words, never to a keyword", async () => {
    // Of read_next_line one word is swapped; the others stay in every such name.
    const found = await replacements("read_next_line(raw_token, class_name)", "read_next_line");
    const swapped = found.map(({ text }) => text.split("_")).filter((parts) => parts.length === 3);
    expect(swapped.length).toBeGreaterThan(0);
    const kept = [0, 1, 2].map((i) => swapped.every((parts) => parts[i] === ["read", "next", "line"][i]));
    expect(kept.filter((isKept) => !isKept)).toHaveLength(1);
    expect(swapped.flat()).not.toContain("class");
  });

  it("gives words of prose words of prose in the same letter case, without the words that mean nothing alone", async () => {
    const found = await replacements("# Sorts with care\nx = 1", "Sorts", { review: "Should this reverse them?" });
    expect(found.map(({ text, source }) => `${text} ${source}`)).toEqual(expect.arrayContaining(["Care hunk"]));
    expect(found.map(({ text }) => text)).not.toContain("With");
  });

  it("gives an operator its relatives from the language", async () => {
    const found = await replacements("ok = a <= b", "<=");
    expect(found.every(({ source }) => source === "language")).toBe(true);
    expect(found.map(({ text }) => text)).toEqual(expect.arrayContaining(["<", ">", ">=", "==", "!="]));
  });

  it("puts one word of a name in a text literal in another's place, as in a name of code", async () => {
    const found = await replacements('connect("cache_reader_pool", open_file)', "cache_reader_pool");
    const texts = found.map(({ text }) => text);
    expect(
      texts.some((text) =>
        /^(?:(?:open|file)_reader_pool|cache_(?:open|file)_pool|cache_reader_(?:open|file))$/.test(text),
      ),
    ).toBe(true);
  });
});
