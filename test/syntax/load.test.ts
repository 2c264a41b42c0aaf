import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { LANGUAGES, type Language } from "../../src/base/language.js";
import { loadSyntax } from "../../src/syntax/load.js";

/** A call and a comment in every language, as a fragment: no class, no main function, no PHP tag. */
const FRAGMENTS: Readonly<Record<Language, string>> = {
  c: "total = add(first, 2); // sum",
  cpp: "total = add(first, 2); /* sum */",
  csharp: "total = Add(first, 2); // sum",
  go: "total = add(first, 2) // sum",
  java: "total = add(first, 2); // sum",
  javascript: "total = add(first, 2); // sum",
  php: "$total = add($first, 2); # sum",
  python: "total = add(first, 2)  # sum",
  ruby: "total = add(first, 2) # sum",
};

it("ends a parse that would take hours, says so, and parses what comes then", async () => {
  const syntax = await loadSyntax("javascript");
  let minutes = 0;
  const clock = vi.spyOn(performance, "now").mockImplementation(() => minutes++ * 61_000);
  // Each `/[` is looked at as the begin of an expression up to the end of the line.
  const hostile = "/[".repeat(500);
  expect(() => syntax.comments(hostile)).toThrow("The javascript parser came to no end of 1000 characters.");
  clock.mockRestore();
  expect(syntax.comments("a; // b")).toEqual([{ start: 3, end: 7 }]);
});

describe.each(LANGUAGES)("the syntax of %s", (language) => {
  it("finds the leaves of a fragment at their places", async () => {
    const code = FRAGMENTS[language];
    const { leaves } = (await loadSyntax(language)).parse(code);
    const texts = leaves.map(({ start, end }) => code.slice(start, end).trim());
    for (const text of ["first", "2"]) expect(texts).toContain(text);
    expect(texts.some((text) => /^add$/i.test(text))).toBe(true);
  });

  it("finds the comment", async () => {
    const code = FRAGMENTS[language];
    const comments = (await loadSyntax(language)).comments(code);
    expect(comments.map(({ start, end }) => code.slice(start, end))).toEqual([code.slice(code.search(/\/\/|\/\*|#/))]);
  });

  it("gives leaves in order that do not overlap, whatever the text", async () => {
    const syntax = await loadSyntax(language);
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 60 }), (code) => {
        let last = 0;
        for (const { start, end } of syntax.parse(code).leaves) {
          expect(start).toBeGreaterThanOrEqual(last);
          expect(end).toBeGreaterThan(start);
          last = end;
        }
        expect(last).toBeLessThanOrEqual(code.length);
      }),
      { seed: 1, numRuns: 50 },
    );
  });
});

describe("comments", () => {
  it.each([
    ["javascript", 'const url = "http://x"; // real', ["// real"]],
    ["python", 's = "# no"  # yes\n"""doc"""', ["# yes"]],
    ["php", '// one\n$a = "# no"; # two', ["// one", "# two"]],
    ["c", "#include <a.h>\nint a; /* over\ntwo lines */", ["/* over\ntwo lines */"]],
    ["csharp", '#region x\nvar a = "/* no */";', []],
    ["ruby", 'puts "#{name}" # yes', ["# yes"]],
  ] as const)("in %s are told from strings and directives", async (language, code, expected) => {
    const comments = (await loadSyntax(language)).comments(code);
    expect(comments.map(({ start, end }) => code.slice(start, end).trimEnd())).toEqual(expected);
  });
});

describe("errors", () => {
  it("are counted where the text does not parse", async () => {
    const python = await loadSyntax("python");
    expect(python.parse("a = (1)").errors).toBe(0);
    expect(python.parse("a = (1").errors).toBeGreaterThan(0);
  });

  it("are the same without the leaves: of what is wrong, of what is missing, and none", async () => {
    const [c, python] = [await loadSyntax("c"), await loadSyntax("python")];
    for (const [syntax, code] of [
      [c, "int f() { return 1 }"],
      [c, "int @ f();"],
      [python, "a = (1"],
      [python, ")("],
    ] as const) {
      expect(syntax.errors(code)).toBe(syntax.parse(code).errors);
      expect(syntax.errors(code)).toBeGreaterThan(0);
    }
    expect(python.errors("a = (1)")).toBe(0);
  });

  it("places are counted in UTF-16 units", async () => {
    // "😀" is two units: the name after `s = '😀'; ` begins at 4 + 4 + 2 = 10.
    const { leaves } = (await loadSyntax("python")).parse("s = '😀'; name");
    expect(leaves.at(-1)).toMatchObject({ kind: "identifier", start: 10, end: 14 });
  });
});

describe("nodes", () => {
  it("leave out what is nested deeper than 1,000, and have what is beside and behind it", async () => {
    // The cursor's own depth, asked of each of these, took half a minute.
    const code = `x = ${"[".repeat(40_000)}${"]".repeat(40_000)};\nf(1);`;
    const nodes = (await loadSyntax("javascript")).nodes(code);
    const depths: number[] = [];
    for (const { parent } of nodes) depths.push(parent === null ? 0 : depths[parent]! + 1);
    expect(Math.max(...depths)).toBe(1_000);
    const call = nodes.find(({ kind }) => kind === "call_expression")!;
    expect(code.slice(call.start, call.end)).toBe("f(1)");
    // program > expression_statement > call_expression
    expect(nodes[nodes[call.parent!]!.parent!]!.kind).toBe("program");
  });
});

describe("isFixed", () => {
  it("tells keywords and operators from names", async () => {
    const java = await loadSyntax("java");
    expect(["return", "+", "class", "total"].map((text) => java.isFixed(text))).toEqual([true, true, true, false]);
  });
});
