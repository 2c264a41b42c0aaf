import { describe, expect, it } from "vitest";
import { readCsv } from "../../src/store/read-csv.js";

describe("readCsv", () => {
  it("gives every row by its columns, with the line on which it ends", () => {
    const { columns, rows } = readCsv("t.csv", '\uFEFFname,note\r\na,"1\n2"\r\n\r\nb,\r\n');
    expect([...columns]).toEqual(["name", "note"]);
    expect(rows).toEqual([
      { line: 3, cells: { name: "a", note: "1\n2" } },
      { line: 5, cells: { name: "b", note: "" } },
    ]);
  });

  it("takes a header without rows for an empty table", () => {
    expect(readCsv("t.csv", "name\n").rows).toEqual([]);
  });

  it.each([
    ["", "Expected a table with a header in t.csv, found none."],
    ["name,note\na\n", "Expected a CSV table with a header in t.csv, found: Invalid Record Length"],
    ['name\n"a\n', "Expected a CSV table with a header in t.csv, found: Quote Not Closed"],
  ])("refuses %j", (text, message) => {
    expect(() => readCsv("t.csv", text)).toThrow(message);
  });
});
