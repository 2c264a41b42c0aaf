import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type DataProblem, describeProblem, showValue } from "../../src/dataset/problem.js";

const PROBLEM: DataProblem = { file: "data.jsonl", line: 3, field: "lang", expected: "one of c, go", found: '"rust"' };

describe("describeProblem", () => {
  it("names file, line, field, what was expected and what was found", () => {
    expect(describeProblem(PROBLEM)).toBe('data.jsonl:3: lang: expected one of c, go, found "rust"');
  });

  it("names no field when it is the line as a whole", () => {
    expect(describeProblem({ ...PROBLEM, field: "" })).toBe('data.jsonl:3: expected one of c, go, found "rust"');
  });

  it("shows a file below the working directory by its relative path", () => {
    const file = join(process.cwd(), "datasets", "a.jsonl");
    expect(describeProblem({ ...PROBLEM, file })).toMatch(/^datasets[/\\]a\.jsonl:3: /);
  });

  it("shows a file far from the working directory by its absolute path", () => {
    expect(describeProblem({ ...PROBLEM, file: "/a.jsonl" })).toMatch(/^\/a\.jsonl:3: /);
  });

  it("names a file as it is: the console makes visible what a terminal would obey", () => {
    expect(describeProblem({ ...PROBLEM, file: "\u001b[2J.jsonl" })).toContain("\u001b[2J.jsonl:3: ");
  });
});

describe("showValue", () => {
  it("says nothing for nothing, and shows null as null", () => {
    expect(showValue(undefined)).toBe("nothing");
    expect(showValue(null)).toBe("null");
  });

  it("shows short values as JSON", () => {
    expect(showValue("a\tb")).toBe('"a\\tb"');
    expect(showValue([1, [2]])).toBe("[1,[2]]");
  });

  it("shows a list of more than eight by its length", () => {
    expect(showValue([1, 2, 3, 4, 5, 6, 7, 8])).toBe("[1,2,3,4,5,6,7,8]");
    expect(showValue([1, 2, 3, 4, 5, 6, 7, 8, 9])).toBe("a list of 9");
  });

  it("cuts a long value at 80 characters", () => {
    // Two quotes around 200 characters are 202; the first of the 80 is a quote.
    expect(showValue("x".repeat(200))).toBe(`"${"x".repeat(79)}… (202 characters)`);
  });

  it("does not fail on a value nested deeper than the stack", () => {
    let value: unknown = 1;
    for (let i = 0; i < 200_000; i++) value = [value];
    expect(showValue(value)).toBe("a value nested too deep to show");
  });
});
