import { describe, expect, it } from "vitest";
import { wrappedLine } from "../../src/report/wrapped-line.js";

describe("a line that is too long", () => {
  it("breaks between words", () => {
    expect(wrappedLine("one two three four", 9)).toEqual(["one two", "three", "four"]);
  });

  it("keeps a path whole, however long", () => {
    expect(wrappedLine("Results: /a/path/of/many/characters/in/all here", 20)).toEqual([
      "Results:",
      "/a/path/of/many/characters/in/all",
      "here",
    ]);
  });

  it("keeps its blanks at the beginning, and indents what follows", () => {
    expect(wrappedLine("  one two three", 10, "    ")).toEqual(["  one", "    two", "    three"]);
  });

  it("has its colours on every line of it", () => {
    const [red, off] = ["\u001b[31m", "\u001b[39m"];
    expect(wrappedLine(`${red}one two${off}`, 4)).toEqual([`${red}one${off}`, `${red}two${off}`]);
  });

  it("stays one where nothing says how wide it may be", () => {
    expect(wrappedLine("one two three four", null)).toEqual(["one two three four"]);
  });
});
