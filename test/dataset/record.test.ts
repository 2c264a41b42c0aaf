import { describe, expect, it } from "vitest";
import { MAX_LINE_CHARACTERS, officialRecord } from "../../src/dataset/official-record.js";
import { recordWith } from "../fixtures/official-record.js";

const NOTE = "\\ No newline at end of file";

function isAccepted(changes: Readonly<Record<string, unknown>>): boolean {
  return officialRecord.safeParse({ ...recordWith(), ...changes }).success;
}

describe("officialRecord", () => {
  it("accepts the fields of the official record and keeps their values", () => {
    expect(officialRecord.parse(recordWith())).toEqual(recordWith());
  });

  it("accepts the optional fields of ours", () => {
    const extra = { id: "a", repo: "o/r", source: "https://example.org", license: "MIT" };
    expect(officialRecord.parse({ ...recordWith(), ...extra })).toEqual({ ...recordWith(), ...extra });
  });

  it("drops a field it does not know", () => {
    expect(officialRecord.parse({ ...recordWith(), stars: 5 })).toEqual(recordWith());
  });

  it.each([null, "", []])("takes %j as an absent solution", (empty) => {
    const record = officialRecord.parse({ ...recordWith(), solution_correct: empty, solution_wrong_easy: empty });
    expect([record.solution_correct, record.solution_wrong_easy]).toEqual([undefined, undefined]);
  });

  it.each([
    ["a space", " a"],
    ["a minus", "-a"],
    ["a plus", "+a"],
    ["nothing, for an empty line", " a\n\n b"],
    ["nothing, for an empty line that ends as Windows has it", " a\r\n\r\n b"],
  ])("accepts as the marker column %s", (_, old) => {
    expect(isAccepted({ old })).toBe(true);
    expect(isAccepted({ new: old })).toBe(true);
  });

  it.each([
    ["a letter", "a"],
    ["a tab", " a\n\tb"],
    ["U+00A0", "\u00a0a"],
    ["a carriage return before text", " a\n\rb"],
  ])("does not accept as the marker column %s", (_, old) => {
    expect(isAccepted({ old })).toBe(false);
    expect(isAccepted({ new: old })).toBe(false);
  });

  it("accepts lines up to the limit, however many there are", () => {
    const line = ` ${"x".repeat(MAX_LINE_CHARACTERS - 1)}`;
    expect(isAccepted({ old: `${line}\n${line}\n${line}` })).toBe(true);
    expect(isAccepted({ old: ` a\n${line}x\n b` })).toBe(false);
  });

  it.each(["review", "new", "solution_correct"])("does not accept a line over the limit in %s", (field) => {
    expect(isAccepted({ [field]: ` ${"x".repeat(MAX_LINE_CHARACTERS)}` })).toBe(false);
  });

  it("accepts a hunk that is deleted whole, and none that was not there", () => {
    expect(officialRecord.parse({ ...recordWith(), new: "" }).new).toBe("");
    expect([isAccepted({ old: "" }), isAccepted({ old: NOTE })]).toEqual([false, false]);
  });

  it("leaves git's note of a missing line end out where it shifts no line number, and refuses it elsewhere", () => {
    const { old, new: fresh } = officialRecord.parse({
      ...recordWith(),
      old: ` a\n-b\n${NOTE}`,
      new: ` a\n${NOTE}\r\n`,
    });
    expect([old, fresh]).toEqual([" a\n-b", " a\n"]);
    for (const shifted of [`${NOTE}\n b`, ` a\n${NOTE}\n\n b`]) {
      expect([isAccepted({ old: shifted }), isAccepted({ new: shifted })]).toEqual([false, false]);
    }
    expect(isAccepted({ old: " a\n\\b" })).toBe(false);
  });
});
