import { describe, expect, it } from "vitest";
import { translated } from "../../../../src/suites/codetaste/rules/regex-thread.js";

/** What an expression matches in a text, in order. */
function found(written: string, text: string): string[] {
  const made = translated(written);
  if (made.kind === "none") throw new Error(made.why);
  return [...text.matchAll(new RegExp(made.source, made.flags))].map(([match]) => match);
}

describe("an expression of a rule file", () => {
  it("matches at every line, and a dot ends at no line end but \\n", () => {
    expect(found("^b.*$", "a\nb1\r\nb2")).toEqual(["b1\r", "b2"]);
    // Behind the newline that ends a text no line begins.
    expect(found("^\\s*$", "a\n")).toEqual([]);
    expect(found("^", "a\nb")).toEqual(["", ""]);
    expect(found("(?s)b.*", "b1\nb2")).toEqual(["b1\nb2"]);
  });

  it("may begin with flags and name its groups as Python does", () => {
    expect(found("(?i)(?P<w>ab)-(?P=w)", "AB-ab ab-xx")).toEqual(["AB-ab"]);
    expect(found("(?<n>a)\\k<n>", "aa ab")).toEqual(["aa"]);
  });

  it("has sets that may begin with a bracket, in which a dot is a dot", () => {
    expect(found("[]a.]+", "x]a.y")).toEqual(["]a."]);
    expect(found("[^]a]", "]ab")).toEqual(["b"]);
    expect(found('"[^"\\]]*"', 'a "b" c')).toEqual(['"b"']);
  });

  it("keeps escapes of signs and looks ahead and back", () => {
    expect(found("\\$\\(\\.\\^(?=x)(?<!y)(?:z)?", "$(.^x")).toEqual(["$(.^"]);
  });

  it.each([
    ["\\Ax", "\\A"],
    ["x\\z", "\\z"],
    ["\\p{L}", "\\p"],
    ["\\Q.\\E", "\\Q"],
    ["\\h+", "\\h"],
    ["\\x{41}", "\\x"],
    ["[[:alpha:]]", "a class such as [:alpha:]"],
    ["(?>a+)b", "(?>a"],
    ["a(?i)b", "(?i)"],
    ["(?x)a b", "flags (?x)"],
    ["(*UTF8)a", "(*UT"],
  ])("is left alone where JavaScript has nothing that means the same: %s", (written, what) => {
    expect(translated(written)).toEqual({ kind: "none", why: `JavaScript has no ${what}` });
  });

  it.each(["a++", "(", "a)", "a{2,1}", "*a"])("is left alone where JavaScript cannot read it: %s", (written) => {
    expect(translated(written)).toEqual({ kind: "none", why: "JavaScript cannot read it" });
  });
});
