import { describe, expect, it } from "vitest";
import type { Language } from "../../src/base/language.js";
import { loadSyntax } from "../../src/syntax/load.js";
import { type MutationOperator, mutated, mutationsOf } from "../../src/syntax/mutate.js";

/** Every mutant of a piece of code, by its operator. */
async function mutantsOf(language: Language, code: string): Promise<[MutationOperator, string][]> {
  const syntax = await loadSyntax(language);
  return mutationsOf(syntax, code).flatMap((mutation) => {
    const text = mutated(syntax, code, mutation);
    return text === null ? [] : [[mutation.operator, text]];
  });
}

describe("mutants of JavaScript", () => {
  it("swap a comparison for its neighbour, not the angle of JSX", async () => {
    expect(await mutantsOf("javascript", "const a = b < c;")).toEqual([["comparison", "const a = b <= c;"]]);
    expect(await mutantsOf("javascript", "const a = b !== c;")).toEqual([["comparison", "const a = b === c;"]]);
    expect(await mutantsOf("javascript", "const a = <b>{c}</b>;")).toEqual([]);
  });

  it("swap an operator of arithmetic, assignments and steps too, not a sign", async () => {
    expect(await mutantsOf("javascript", "a = b + c;")).toEqual([["arithmetic", "a = b - c;"]]);
    expect(await mutantsOf("javascript", "a %= b % c;")).toEqual([["arithmetic", "a %= b * c;"]]);
    expect(await mutantsOf("javascript", "a += b;")).toEqual([["arithmetic", "a -= b;"]]);
    expect(await mutantsOf("javascript", "a++;")).toEqual([["arithmetic", "a--;"]]);
    expect(await mutantsOf("javascript", "a = -b;")).toEqual([]);
  });

  it("turn what is true, and leave a negation out", async () => {
    expect(await mutantsOf("javascript", "a = b && !c;")).toEqual([
      ["boolean", "a = b || !c;"],
      ["boolean", "a = b && c;"],
    ]);
    expect(await mutantsOf("javascript", "a = true;")).toEqual([["boolean", "a = false;"]]);
  });

  it("add one to a whole number and take one, of no other and of no text", async () => {
    expect(await mutantsOf("javascript", "a = 10;")).toEqual([
      ["plus_minus_one", "a = 11;"],
      ["plus_minus_one", "a = 9;"],
    ]);
    expect(await mutantsOf("javascript", 'a = 1.5; b = 0x1f; c = "3 < 4"; // 5 + 6')).toEqual([]);
  });

  it("leave out a call that is a statement, not one whose value is used", async () => {
    expect(await mutantsOf("javascript", "save(a);\nb = load(a);\nawait send(b);")).toEqual([
      ["dropped_call", ";\nb = load(a);\nawait send(b);"],
      ["dropped_call", "save(a);\nb = load(a);\n;"],
    ]);
  });

  it("leave out what a condition leads to, and what else", async () => {
    expect(await mutantsOf("javascript", "if (a) return b;\nelse { c = d; }")).toEqual([
      ["dropped_branch", "if (a) {}\nelse { c = d; }"],
      ["dropped_branch", "if (a) return b;\n"],
    ]);
  });

  it("are none where the code would parse worse", async () => {
    // As the name of a field, −1 is no number.
    expect(await mutantsOf("javascript", "a = { 0: b };")).toEqual([["plus_minus_one", "a = { 1: b };"]]);
  });
});

/** A comparison, a sum, a truth, a number, a call and a condition in every language. */
const FRAGMENTS: Readonly<Record<Exclude<Language, "javascript">, string>> = {
  c: "int f(int a, int b) {\n  if (a < b && b) { g(a); }\n  return a + 2;\n}\n",
  cpp: "int f(int a, int b) {\n  if (a < b && b) { g(a); }\n  return a + 2;\n}\n",
  csharp: "class C { int F(int a, int b) {\n  if (a < b && b) { G(a); }\n  return a + 2;\n} }\n",
  go: "func f(a int, b int) int {\n\tif a < b && b {\n\t\tg(a)\n\t}\n\treturn a + 2\n}\n",
  java: "class C { int f(int a, int b) {\n  if (a < b && b) { g(a); }\n  return a + 2;\n} }\n",
  php: "function f($a, $b) {\n  if ($a < $b && $b) { g($a); }\n  return $a + 2;\n}\n",
  python: "def f(a, b):\n    if a < b and b:\n        g(a)\n    return a + 2\n",
  ruby: "def f(a, b)\n  if a < b && b\n    g(a)\n  end\n  a + 2\nend\n",
};

describe.each(Object.entries(FRAGMENTS) as [Language, string][])("mutants of %s", (language, code) => {
  it("are of every kind, and change what they name alone", async () => {
    const found = await mutantsOf(language, code);
    // One of each; of the number two.
    expect(found.map(([operator]) => operator).sort()).toEqual([
      "arithmetic",
      "boolean",
      "comparison",
      "dropped_branch",
      "dropped_call",
      "plus_minus_one",
      "plus_minus_one",
    ]);
    const texts = found.map(([, text]) => text);
    expect(texts).toContain(code.replace("<", "<="));
    expect(texts).toContain(code.replace(/&&|\band\b/, (word) => (word === "and" ? "or" : "||")));
    expect(texts).toContain(code.replace(" + ", " - "));
    expect(texts).toContain(code.replace("2", "3"));
    expect(texts.filter((text) => !/g\(\$?a\)/i.test(text))).toHaveLength(2);
  });
});
