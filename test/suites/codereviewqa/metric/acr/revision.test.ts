import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  generatedLines,
  referenceLines,
  withoutLineNumbers,
} from "../../../../../src/suites/codereviewqa/metric/acr/revision.js";

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
    const line = fc.string({ unit: "binary" }).map((text) => text.replaceAll("\n", " "));
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
