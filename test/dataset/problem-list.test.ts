import { describe, expect, it } from "vitest";
import { ProblemList } from "../../src/dataset/problem.js";

const problem = (line: number, field: string, expected = "a string") => ({
  file: "f.jsonl",
  line,
  field,
  expected,
  found: "nothing",
});

describe("a list of problems", () => {
  it("tells one by itself in full", () => {
    const list = new ProblemList();
    list.add([problem(3, "lang")]);
    expect(list.text(10)).toBe("f.jsonl:3: lang: expected a string, found nothing");
  });

  it("tells those of one field that want the same once, with their number and their first lines", () => {
    const list = new ProblemList();
    for (let line = 1; line <= 200; line++) list.add([problem(line, "lang")]);
    expect(list.total).toBe(200);
    expect(list.text(10)).toBe("f.jsonl:1: lang: expected a string, found nothing (200 ×: lines 1, 2, 3, 4, 5 …)");
  });

  it("takes the items of one list together, and names their line once", () => {
    const list = new ProblemList();
    list.add([problem(4, "loc_wrong_easy[0]"), problem(4, "loc_wrong_easy[2]")]);
    expect(list.text(10)).toContain("loc_wrong_easy[0]: expected a string, found nothing (2 ×: line 4)");
  });

  it("keeps what wants something else apart, and counts what it does not show", () => {
    const list = new ProblemList();
    list.add([problem(1, "lang"), problem(1, "old"), problem(2, "old"), problem(2, "old", "a marker column")]);
    expect(list.text(1)).toBe(
      "f.jsonl:1: lang: expected a string, found nothing\n… and 3 more problems of other kinds",
    );
  });
});
