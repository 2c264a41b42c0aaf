import { describe, expect, it } from "vitest";
import { PythonFloat, parsePythonJson, pythonStrip, pythonText } from "../../src/base/python-json.js";

describe("JSON as Python reads it", () => {
  // What `str(json.loads(text))` gives.
  it.each([
    ["1", "1"],
    ["1.0", "1.0"],
    ["1e0", "1.0"],
    ["-0", "0"],
    ["-0.0", "-0.0"],
    ["0.5", "0.5"],
    ["true", "True"],
    ["null", "None"],
    ['"1.0"', "1.0"],
    ['"\\u0041"', "A"],
  ])("says %s as the text %s", (text, said) => {
    expect(pythonText(parsePythonJson(text))).toBe(said);
  });

  it("takes the time of a text's length, whatever blanks, quotes and escapes are in it", () => {
    const blanks = " ".repeat(400_000);
    expect(pythonStrip(`${blanks}a${blanks}b${blanks}`)).toBe(`a${blanks}b`);
    for (const end of ["", "\\"]) expect(() => parsePythonJson(`${'"\\'.repeat(200_000)}${end}`)).toThrow(SyntaxError);
  });

  it("takes what JSON has not for numbers, not in texts and not as names", () => {
    expect(parsePythonJson('{"a": [NaN, -Infinity, "NaN"]}')).toEqual({
      a: [new PythonFloat(Number.NaN), new PythonFloat(Number.NEGATIVE_INFINITY), "NaN"],
    });
    expect(() => parsePythonJson("{NaN: 1}")).toThrow(SyntaxError);
    expect(() => parsePythonJson("{1.5: 1}")).toThrow(SyntaxError);
  });

  it.each(["01", "1.", "+1", "-NaN", "'a'", '"a\nb"', '"\\x"', "[1,]", "\ufeff1", "1 2"])("refuses %j", (text) => {
    expect(() => parsePythonJson(text)).toThrow(SyntaxError);
  });
});

it("strips the blanks that Python strips: of the signs of a file's beginning none", () => {
  expect(pythonStrip("\u0085\u001c a b \u00a0\n")).toBe("a b");
  expect(pythonStrip("\ufeffa")).toBe("\ufeffa");
});
