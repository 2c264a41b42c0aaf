import { describe, expect, it } from "vitest";
import { isBare, kindOfLine } from "../../../src/question/floors/location-rules.js";

describe("kindOfLine", () => {
  it.each([
    ["   ", "blank"],
    ["  });", "bracket"],
    ["} else {", "statement"],
    ["    end", "bracket"],
    ["  // why", "comment"],
    [" * @param x", "comment"],
    ["# why", "comment"],
    ['"""Why."""', "comment"],
    ["#include <map>", "declaration"],
    ["public static void main(String[] args) {", "declaration"],
    ["std::string name(int x) const {", "declaration"],
    ["const a = 1;", "declaration"],
    ["def f(x):", "declaration"],
    ["*pointer = 1;", "statement"],
    ["return make(x);", "statement"],
    ["if (a == b) {", "statement"],
    ["call(a, b);", "statement"],
  ])("calls %j a %s", (line, kind) => {
    expect(kindOfLine(line)).toBe(kind);
  });

  it("holds blank lines and lone brackets, and nothing else, to be bare", () => {
    expect(["", "}", "// why", "a = 1"].map(isBare)).toEqual([true, true, false, false]);
  });
});
