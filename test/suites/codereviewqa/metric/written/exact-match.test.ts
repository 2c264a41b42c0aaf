import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Language } from "../../../../../src/base/language.js";
import {
  exactMatch,
  generatedLines,
  referenceLines,
  withoutComments,
  withoutLineNumbers,
} from "../../../../../src/suites/codereviewqa/metric/written/exact-match.js";
import { loadSyntax } from "../../../../../src/syntax/load.js";
import { ANY_CHARACTER } from "../../../../fixtures/any-character.js";

async function match(reference: string, generation: string, language: Language = "javascript") {
  return exactMatch(await loadSyntax(language), reference.split("\n"), generation);
}

const ALL = { em: true, emTrim: true, emNoSpace: true, emNoComment: true };
const NONE = { em: false, emTrim: false, emNoSpace: false, emNoComment: false };

describe("em", () => {
  it("holds with and without echoed numbers, and for any blank lines at the ends", async () => {
    for (const generation of ["a();\n  b();", "\na();\n  b();\n", "1 a();\n2   b();\n", "1 a();\n2   b();\n3 \n"]) {
      expect(await match("a();\n  b();\n", generation)).toEqual(ALL);
    }
  });

  it("minds indentation, line breaks, spaces at line ends and letters", async () => {
    const reference = "a();\n  b();";
    expect(await match(reference, "a();\n b();")).toEqual({ ...NONE, emNoSpace: true, emNoComment: true });
    expect(await match(reference, "a(); b();")).toEqual({ ...NONE, emNoSpace: true, emNoComment: true });
    expect(await match(reference, "a();\n\n  b();")).toEqual({ ...NONE, emNoSpace: true, emNoComment: true });
    expect(await match(reference, "a(); \n  b();")).toEqual({ ...ALL, em: false });
    expect(await match(reference, "a();\n  B();")).toEqual(NONE);
  });

  it("of an empty generation holds only for an empty reference", async () => {
    for (const empty of ["", "\n", "1 \n2 "]) {
      expect(await match("a();", empty)).toEqual(NONE);
      expect(await match("", empty)).toEqual(ALL);
      expect(await match("// only a comment", empty)).toEqual(NONE);
    }
    expect(await match("", "a();")).toEqual(NONE);
  });

  it("of the beginning of the code, as the token limit leaves it, does not hold", async () => {
    expect(await match("a();\nb();\nc();", "1 a();\n2 b();\n3")).toEqual(NONE);
  });

  it("compares Unicode as it is", async () => {
    expect(await match('s = "é😀"', '1 s = "é😀"')).toEqual(ALL);
    // é as one code point, and as e with an accent
    expect(await match('s = "\u00e9"', 's = "e\u0301"')).toEqual(NONE);
    expect(await match('s = "😀"', 's = "😁"')).toEqual(NONE);
  });
});

describe("em_trim", () => {
  const found = { em: false, emTrim: true };

  it("forgives whole lines before and after", async () => {
    expect(await match("a();\nb();", "Here you are:\na();\nb();\nI called b.")).toMatchObject(found);
    expect(await match("a();\nb();", "```js\na();  \nb();\n```")).toMatchObject(found);
  });

  it("removes the numbers of the run, whatever stands around it", async () => {
    expect(await match("a();\nb();", "Here you are:\n1 a();\n2 b();\n```")).toMatchObject(found);
    expect(await match("a();\nb();", "1 x();\n2 a();\n3 b();\n4 y();")).toMatchObject(found);
  });

  it("does not find parts of lines, a run with a line between, or one that is cut", async () => {
    for (const generation of ["a();\nb();c();", "x = a();\nb();", "a();\n\nb();", "b();\na();", "x\na();"]) {
      expect(await match("a();\nb();", generation)).toMatchObject({ emTrim: false });
    }
  });

  it("finds the second of two attempts", async () => {
    expect(await match("a();\nb();", "a();\nB();\n\na();\nb();")).toMatchObject(found);
  });
});

describe("em_no_comment", () => {
  const rows: [Language, string, string, boolean][] = [
    ["c", "f(); /* a\n b */ g();", "f(); g(); // c", true],
    ["c", 's = "/* a */";', 's = "/* b */";', false],
    ["c", "#include <a.h>", "#include <b.h>", false],
    ["cpp", "f(); // a", "f();", true],
    ["cpp", 's = R"(// a)";', 's = R"(// b)";', false],
    ["csharp", "#region a\nint x; // a", "#region a\nint x; // b", true],
    ["csharp", 'var s = @"c:\\a // b";', 'var s = @"c:\\a // c";', false],
    ["csharp", "/// <summary>a</summary>\nint x;", "/// <summary>b</summary>\nint x;", true],
    ["go", "x := `// a` // a", "x := `// a`", true],
    ["go", "x := `// a`", "x := `// b`", false],
    ["java", "/** a */\nint x;", "/** b */\nint x;", true],
    ["java", 'String u = "http://a";', 'String u = "http://b";', false],
    ["javascript", "const r = /\\/\\/a/;", "const r = /\\/\\/b/;", false],
    ["javascript", `const t = \`http://\${a /* a */}\`;`, `const t = \`http://\${a}\`;`, true],
    ["javascript", `const t = \`http://\${a}\`;`, `const t = \`ftp://\${a}\`;`, false],
    ["php", "$a = 1; // a\n$b = 2; # a", "$a = 1; # b\n$b = 2;", true],
    ["php", "$a = '# a';", "$a = '# b';", false],
    ["python", "x = 1  # a", "# b\nx = 1", true],
    ["python", 'def f():\n    """a"""', 'def f():\n    """b"""', false],
    ["python", "s = '# a'", "s = '# b'", false],
    ["ruby", 's = "#{a} # a" # a', 's = "#{a} # a"', true],
    ["ruby", 's = "#{a}"', 's = "#{b}"', false],
    ["ruby", "=begin\na\n=end\nf", "f # b", true],
  ];

  it.each(rows)("in %s, %j and %j: %s", async (language, reference, generation, expected) => {
    expect(await match(reference, generation, language)).toMatchObject({ emNoSpace: false, emNoComment: expected });
  });

  it("does not take a line that was commented out for the line", async () => {
    expect(await match("// a\nf();", "// a f();")).toMatchObject({ emNoSpace: true, emNoComment: false });
  });

  it("compares the comments where there is nothing else", async () => {
    expect(await match("// a", "// b")).toMatchObject({ emNoComment: false });
    expect(await match("// a", "//  a")).toMatchObject({ em: false, emNoComment: true });
  });

  it("counts places in code with characters of two units", async () => {
    const syntax = await loadSyntax("javascript");
    expect(withoutComments(syntax, 's = "😀é"; // 😀\nt(/* é */);')).toBe('s = "😀é"; \nt();');
  });
});

describe("withoutLineNumbers", () => {
  it("removes number and one space, and keeps the indentation", () => {
    expect(withoutLineNumbers(["1 if a:", "2     b()"])).toEqual(["if a:", "    b()"]);
  });

  it("is absent where a line is not numbered", () => {
    expect(withoutLineNumbers(["1 a", "b"])).toBeNull();
    expect(withoutLineNumbers(["a", "b"])).toBeNull();
    expect(withoutLineNumbers(["", " "])).toBeNull();
    expect(withoutLineNumbers([])).toBeNull();
  });

  it("asks for a space after the number", () => {
    expect(withoutLineNumbers(["1, 2, 3", "4, 5"])).toBeNull();
    expect(withoutLineNumbers(["1\ta"])).toBeNull();
    expect(withoutLineNumbers(["01 a"])).toBeNull();
    expect(withoutLineNumbers(["0 a"])).toBeNull();
  });

  it("passes over blank lines, with and without a number", () => {
    expect(withoutLineNumbers(["1 a", "2", "3 ", "", "5 b"])).toEqual(["a", "", "", "", "b"]);
  });

  it("knows the numbers of the pre-review code: gaps and repeats, but no way back", () => {
    expect(withoutLineNumbers(["2 a", "4 b", "4 c"])).toEqual(["a", "b", "c"]);
    expect(withoutLineNumbers(["2 a", "1 b"])).toBeNull();
  });

  it("lets the token limit cut the last number", () => {
    // "11" was to follow "10"
    expect(withoutLineNumbers(["9 a", "10 b", "1"])).toEqual(["a", "b", ""]);
    expect(withoutLineNumbers(["9 a", "1", "10 b"])).toBeNull();
    expect(withoutLineNumbers(["9 a", "10 b", "1 c"])).toBeNull();
  });

  it("knows numbers over 99", () => {
    expect(withoutLineNumbers(["99 a", "100 b", "1000 c"])).toEqual(["a", "b", "c"]);
  });

  it("undoes the numbering of any lines", () => {
    const line = fc.string({ unit: ANY_CHARACTER }).map((text) => text.replaceAll("\n", " "));
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 120 }), (code) => {
        expect(withoutLineNumbers(code.map((text, i) => `${i + 1} ${text}`))).toEqual(code);
      }),
      { seed: 1 },
    );
  });
});

describe("generatedLines", () => {
  it("drops blank lines at either end, and none between", () => {
    expect(generatedLines("\n  a\n\nb\n")).toEqual(["  a", "", "b"]);
    expect(generatedLines("\n1   a\n2\n3 b\n4 \n")).toEqual(["  a", "", "b"]);
    expect(referenceLines(["", "  a", "", "b", " "])).toEqual(["  a", "", "b"]);
  });

  it("reads Windows line ends as line ends", () => {
    expect(generatedLines("1 a\r\n2 b\r\n")).toEqual(["a", "b"]);
  });

  it("is empty for what holds no code", () => {
    for (const empty of ["", "\n", " \n\t\n", "1 \n2 \n"]) expect(generatedLines(empty)).toEqual([]);
  });

  it("keeps numbers that are code", () => {
    expect(generatedLines("1 a\nb")).toEqual(["1 a", "b"]);
  });
});
