import { describe, expect, it } from "vitest";
import { headerLine, readForm, requireTornStart } from "../../../src/store/journal/header.js";

/** Of a journal whose first line was a record before there were headers. */
const NOTES = {
  kind: "notes",
  journal: "some notes",
  version1: "record",
  decode: (line: string) => {
    if (!line.startsWith('{"kind":"note"')) throw new Error("no note");
  },
} as const;
/** Of one whose first line had flat facts then. */
const STEPS = { ...NOTES, kind: "steps", journal: "some steps", version1: "facts" } as const;

const formOf = (codec: typeof NOTES | typeof STEPS, line: string, seed: number | null = 1) =>
  readForm("a.jsonl", codec, Buffer.from(line), seed === null ? null : { seed });

describe("the first line of a journal", () => {
  it("tells the version that wrote it, and whether it is a record", () => {
    expect(formOf(NOTES, headerLine("notes", { seed: 1 }))).toEqual({ version: 2, hasHeader: true });
    expect(formOf(NOTES, '{"kind":"note","seed":1}')).toEqual({ version: 1, hasHeader: false });
    expect(formOf(STEPS, '{"kind":"steps","seed":1}')).toEqual({ version: 1, hasHeader: true });
  });

  it.each([
    ["another kind", headerLine("steps", {}), 'some notes at a.jsonl, found a journal of another kind, "steps". Move'],
    ["a later version", headerLine("notes", {}).replace("2", "3"), "found version 3 of it, which this program cannot"],
    ["other work", headerLine("notes", { seed: 2 }), "  seed: the file has 2, this command 1\nNothing was changed."],
    [
      "Windows line ends",
      `${headerLine("notes", {})}\r`,
      "found \\r\\n, as git writes them on Windows. Nothing is lost",
    ],
    ["a header with more in it", '{"journal":"notes","version":2,"identity":{},"more":1}', "found another first line"],
    ["no record", "hello", "found another first line: hello. Move that file away, or name another."],
  ])("is refused when it is of %s", (_, line, message) => {
    expect(() => formOf(NOTES, line)).toThrow(message);
  });

  it.each([
    ["another kind", '{"kind":"note","seed":1}', 'found another first line: {"kind":"note"'],
    ["none", '{"seed":1}', 'found another first line: {"seed":1}'],
    ["other work", '{"kind":"steps","seed":2}', "seed: the file has 2, this command 1"],
    ["facts that are not flat", '{"kind":"steps","seed":{}}', "seed: the file has none, this command 1"],
  ])("with facts is refused when it is of %s", (_, line, message) => {
    expect(() => formOf(STEPS, line)).toThrow(message);
  });

  it("is of any work where none is named", () => {
    expect(formOf(NOTES, headerLine("notes", { seed: 2 }), null)).toEqual({ version: 2, hasHeader: true });
    expect(formOf(STEPS, '{"kind":"steps","seed":2}', null)).toEqual({ version: 1, hasHeader: true });
  });

  it("without its line end is what a kill left only where it begins as one", () => {
    const check = (text: string) => requireTornStart("a.jsonl", NOTES, Buffer.from(text));
    for (const text of ["{", '{"jour', '{"journal":"notes","version":2', '{"ki', '{"kind":"note"']) check(text);
    for (const text of ["hello", "{}", '{"journal":"steps"', " {"])
      expect(() => check(text)).toThrow(`found another first line: ${text}.`);
  });
});
