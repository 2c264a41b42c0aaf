import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { Language } from "../../../../../src/base/language.js";
import { exactMatch, paperExactMatch } from "../../../../../src/suites/codereviewqa/metric/written/exact-match.js";
import { loadSyntax, type Syntax } from "../../../../../src/syntax/load.js";

interface PaperCase {
  readonly case: string;
  readonly new: string;
  readonly generation: string;
  readonly paper_em: number;
  readonly paper_em_trim: number;
  readonly paper_em_no_space: number;
  readonly paper_em_no_comment: number;
}

/** Pairs of our own, and what the released scoring functions returned for them. */
const CASES = JSON.parse(
  readFileSync(join(import.meta.dirname, "../../../../reference/acr-paper-cases.json"), "utf8"),
) as PaperCase[];

const lines = (code: string) => code.split("\n");

describe("paperExactMatch", () => {
  it.each(CASES)("equals the released functions: $case", (paperCase) => {
    const postReviewLines = paperCase.new.split("\n").map((line) => line.slice(1));
    expect(paperExactMatch(postReviewLines, paperCase.generation)).toEqual({
      paperEm: paperCase.paper_em === 1,
      paperEmTrim: paperCase.paper_em_trim === 1,
      paperEmNoSpace: paperCase.paper_em_no_space === 1,
      paperEmNoComment: paperCase.paper_em_no_comment === 1,
    });
  });

  it("has read cases that differ from one another", () => {
    expect(CASES.length).toBeGreaterThanOrEqual(16);
    expect(new Set(CASES.map(({ paper_em_trim }) => paper_em_trim))).toEqual(new Set([0, 1]));
  });

  it("drops characters by code point", () => {
    // "1😀" are the two characters; what is left is "x"
    expect(paperExactMatch(["x"], "1😀x").paperEm).toBe(true);
    // lengths of the lines: 2 code points (3 UTF-16 units), so the second start is word 2: "x" of "😀a y x"
    expect(paperExactMatch(["x"], "1 😀a\n2 y x").paperEmTrim).toBe(true);
  });

  it("splits words at what Python calls whitespace", () => {
    expect(paperExactMatch(["a b"], "1 a\u001cb").paperEm).toBe(true);
    expect(paperExactMatch(["a b"], "1 a\u0085b").paperEm).toBe(true);
    expect(paperExactMatch(["a b"], "1 a\ufeffb").paperEm).toBe(false);
  });

  it("keeps a block comment that is never closed, and one whose opening is its closing", () => {
    expect(paperExactMatch(["a /* b"], "1 a /* c").paperEmNoComment).toBe(false);
    expect(paperExactMatch(["a /*/ b"], "1 a /*/ c").paperEmNoComment).toBe(false);
    // the slash that closes the block does not begin a line comment: "a/b" and "a/c" are left
    expect(paperExactMatch(["a /* x *//b"], "1 a /* x *//c").paperEmNoComment).toBe(false);
    // in a line comment no block begins: "a*/" and "b*/" are left
    expect(paperExactMatch(["// /* x", "a", "*/"], "1 // /* x\n2 b\n3 */").paperEmNoComment).toBe(false);
    // the closing of one block and the slash of the next opening are no block's end
    expect(paperExactMatch(["a /*/ x */ b"], "1 a b").paperEmNoComment).toBe(true);
    // a block with nothing in it ends where it can end first
    expect(paperExactMatch(["a /**/ b"], "1 a b").paperEmNoComment).toBe(true);
    // after the block, "//" begins a line comment: "a" is left of both
    expect(paperExactMatch(["a /* x *///b"], "1 a /* y *///c").paperEmNoComment).toBe(true);
  });

  it("takes time in proportion to the code", () => {
    // In proportion to its square, this would be an hour.
    const code = `${"/*".repeat(400_000)}\n${"\n".repeat(400_000)}`;
    expect(paperExactMatch(["x"], code).paperEmNoComment).toBe(false);
  });
});

describe("the paper's exact match against the corrected one", () => {
  const syntaxes = new Map<Language, Syntax>();

  beforeAll(async () => {
    for (const language of ["c", "python", "ruby", "javascript"] as const) {
      syntaxes.set(language, await loadSyntax(language));
    }
  });

  const both = (language: Language, reference: string, generation: string) => ({
    ...paperExactMatch(lines(reference), generation),
    ...exactMatch(syntaxes.get(language)!, lines(reference), generation),
  });

  it("quirk 1: two characters go from lines without a number", () => {
    // "def f():" becomes "f f():" without its first two characters
    const all = both("python", "def f():\n    return 1", "def f():\n    return 1\n");
    expect(all).toEqual({
      paperEm: false,
      paperEmTrim: false,
      paperEmNoSpace: false,
      paperEmNoComment: false,
      em: true,
      emTrim: true,
      emNoSpace: true,
      emNoComment: true,
    });
  });

  it("quirk 1: a number over 99 leaves a digit behind", () => {
    const code = Array.from({ length: 100 }, (_, i) => `f${i}();`);
    const numbered = code.map((line, i) => `${i + 1} ${line}`);
    // line 100: "100 f99();" without its first two characters is "0 f99();"
    expect(both("c", code.join("\n"), numbered.join("\n"))).toMatchObject({ paperEm: false, em: true });
    const upTo99 = both("c", code.slice(0, 99).join("\n"), numbered.slice(0, 99).join("\n"));
    expect(upTo99).toMatchObject({ paperEm: true, em: true });
  });

  it("quirk 2: indentation is invisible", () => {
    // c() is called inside the if, or after it
    const all = both("python", "if a:\n    b()\n    c()", "1 if a:\n2     b()\n3 c()");
    expect(all).toMatchObject({ paperEm: true, em: false, paperEmTrim: true, emTrim: false, emNoSpace: true });
  });

  it("quirk 3: the trim search misses code after a line of text", () => {
    // words: //, note, int, a;, int, b; · starts tried: 0, 7 (length of "// note"), … but the code is at word 2
    const all = both("c", "int a;\nint b;", "1 // note\n2 int a;\n3 int b;\n");
    expect(all).toMatchObject({ paperEmTrim: false, emTrim: true });
  });

  it("quirk 3: the trim search hits by chance", () => {
    // words: q, a, b, c, d · starts tried: 0, 1 (length of "q"): the code is at word 1
    expect(both("c", "a b\nc d", "1 q\n2 a b\n3 c d\n")).toMatchObject({ paperEmTrim: true, emTrim: true });
    // the same with a longer line before: starts 0, 2, …, the code still at word 1
    expect(both("c", "a b\nc d", "1 qq\n2 a b\n3 c d\n")).toMatchObject({ paperEmTrim: false, emTrim: true });
  });

  it("quirk 3: the trim search takes the beginning of a longer line for the whole", () => {
    expect(both("python", "return a", "1 return a or b")).toMatchObject({ paperEmTrim: true, emTrim: false });
  });

  it("quirk 4: without whitespace, the reference may end inside a word", () => {
    expect(both("c", "int b", "1 int bc")).toMatchObject({ paperEmNoSpace: true, emNoSpace: false });
    // and may not begin inside a line: "intb" is at 1 of "xintb", the lines begin at 0 (and end at 5)
    expect(both("c", "int b", "1 x int b")).toMatchObject({ paperEmNoSpace: false, emNoSpace: false });
    expect(both("c", "int b;", "1 int a;\n2 int b;\n3 int c;")).toMatchObject({
      paperEmNoSpace: true,
      emNoSpace: false,
      emTrim: true,
    });
  });

  it("quirk 5: // in a string is taken for a comment", () => {
    const all = both("javascript", 'u = "http://a.example/x"', '1 u = "http://b.example/y"');
    expect(all).toMatchObject({ paperEmNoComment: true, emNoComment: false });
  });

  it("quirk 5: Python's // is taken for a comment", () => {
    const all = both("python", "x = a // b", "1 x = a // c");
    expect(all).toMatchObject({ paperEmNoComment: true, emNoComment: false });
  });

  it("quirk 5: #include is taken for a comment", () => {
    const all = both("c", "#include <a.h>\nint z;", "1 #include <b.h>\n2 int z;");
    expect(all).toMatchObject({ paperEmNoComment: true, emNoComment: false });
  });

  it("quirk 5: a # comment after code is kept", () => {
    for (const language of ["python", "ruby"] as const) {
      const all = both(language, "x = 1 # old", "1 x = 1 # new");
      expect(all).toMatchObject({ paperEmNoComment: false, emNoComment: true });
    }
  });

  it("quirk 6: an empty reference is found in everything", () => {
    expect(both("c", "", "1 int a;")).toMatchObject({
      paperEm: false,
      paperEmTrim: true,
      paperEmNoSpace: true,
      paperEmNoComment: true,
      em: false,
      emTrim: false,
      emNoSpace: false,
      emNoComment: false,
    });
  });

  it("quirk 6: so is a reference that quirk 5 leaves nothing of", () => {
    const all = both("c", "#include <a.h>", "1 int anything;");
    expect(all).toMatchObject({ paperEmNoComment: true, emNoComment: false });
  });
});
