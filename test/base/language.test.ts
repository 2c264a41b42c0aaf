import { describe, expect, it } from "vitest";
import { LANGUAGES, parseLanguage, promptName } from "../../src/base/language.js";

describe("promptName", () => {
  it("names the nine languages as the prompts of the paper do", () => {
    // Spec §2.1: C CPP CSharp Go Java JavaScript PHP Python Ruby.
    expect(LANGUAGES.map(promptName).join(" ")).toBe("C CPP CSharp Go Java JavaScript PHP Python Ruby");
  });
});

describe("parseLanguage", () => {
  it("knows the official names", () => {
    const official = "c cpp csharp go java javascript php python ruby".split(" ");
    expect(official.map(parseLanguage)).toEqual(official);
  });

  it.each([
    ["py", "python"],
    ["rb", "ruby"],
    ["js", "javascript"],
    [".cs", "csharp"],
    ["c++", "cpp"],
    ["c#", "csharp"],
  ])("understands the alias %s of the raw triples", (alias, language) => {
    expect(parseLanguage(alias)).toBe(language);
  });

  it("ignores case, outer spaces and one leading dot", () => {
    expect(parseLanguage("  .PY ")).toBe("python");
    expect(parseLanguage("JavaScript")).toBe("javascript");
    expect(parseLanguage("..py")).toBeUndefined();
  });

  it.each(["", ".", "rust", "pyth", "constructor", "toString", "__proto__"])("does not know %j", (name) => {
    expect(parseLanguage(name)).toBeUndefined();
  });
});
