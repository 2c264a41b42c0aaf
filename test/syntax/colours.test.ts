import { describe, expect, it } from "vitest";
import type { Language } from "../../src/base/language.js";
import { coloursByLine } from "../../src/syntax/colours.js";

/** What of a line has which colour, such as `k:return`. */
async function coloured(language: Language, ...lines: string[]): Promise<string[]> {
  const colours = await coloursByLine(lines, language);
  return colours.flatMap((text, i) =>
    [...text.matchAll(/([a-z])([0-9a-z]+)\.([0-9a-z]+)/g)].map(([, name, start, length]) => {
      const from = Number.parseInt(start!, 36);
      return `${name}:${lines[i]!.slice(from, from + Number.parseInt(length!, 36))}`;
    }),
  );
}

describe("syntax colours", () => {
  const CASES: readonly (readonly [Language, string, readonly string[]])[] = [
    ["c", 'return f("a", 12); // c', ["k:return", "n:12", "c:// c"]],
    ["cpp", "if (x) { return nullptr; } /* c */", ["k:if", "k:return", "c:/* c */"]],
    ["csharp", 'var x = "a"; // c', ['s:"', "c:// c"]],
    ["go", 'return "a", 1 // c', ["k:return", "n:1", "c:// c"]],
    ["java", 'return "a" + 1; // c', ["k:return", "n:1", "c:// c"]],
    ["javascript", "const x = 'a' + 1; // c", ["k:const", "n:1", "c:// c"]],
    ["php", "return 'a' . 1; // c", ["k:return", "n:1", "c:// c"]],
    ["python", "return 'a' + 1  # c", ["k:return", "n:1", "c:# c"]],
    ["ruby", "return 'a' + 1 # c", ["k:return", "n:1", "c:# c"]],
  ];

  it.each(CASES)("tell keywords, numbers and comments of %s apart", async (language, line, expected) => {
    const found = await coloured(language, line);
    for (const each of expected) expect(found).toContain(each);
  });

  it.each(CASES.filter(([, line]) => /["']a["']/.test(line)))("find the strings of %s", async (language, line) => {
    expect((await coloured(language, line)).some((each) => /^s:.*a/.test(each))).toBe(true);
  });

  it("do not take a name within a string's placeholder for the string", async () => {
    expect(await coloured("python", 'x = f"a {name} b"')).not.toContain("s:name");
  });

  it("go over the lines of a comment", async () => {
    expect(await coloured("c", "/* one", "two */ int x;")).toEqual(expect.arrayContaining(["c:/* one", "c:two */"]));
  });

  it("cover code that does not parse, and a very long line", async () => {
    expect(await coloursByLine(["}}} ((", "\u0000\ud800"], "java")).toHaveLength(2);
    expect(await coloursByLine(["x".repeat(250_000)], "c")).toEqual([""]);
  });
});
