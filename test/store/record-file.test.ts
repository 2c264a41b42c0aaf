import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { recordFile } from "../../src/store/record-file.js";
import { useFreshFolder } from "../fixtures/fresh-folder.js";

const folder = useFreshFolder();
const path = () => folder.path("work.json");

const FILE = recordFile({
  file: "work.json",
  schema: z.object({ name: z.string(), seed: z.number() }),
  schemaVersion: 3,
  what: "a work",
  command: "probe work",
});
const RECORD = { name: "é", seed: 1 };

describe("the file of a record", () => {
  it("gives back what was written, and ends with a checksum", async () => {
    await FILE.write(folder.path(), RECORD);
    expect(await FILE.read(folder.path())).toEqual(RECORD);
    expect(await FILE.find(folder.path())).toEqual(RECORD);
    // CRC-32 of {"name":"é","seed":1} in UTF-8, as by other programs.
    expect(readFileSync(path(), "utf8")).toBe('{\n  "name": "é",\n  "seed": 1,\n  "crc": "d8ac58c8"\n}\n');
  });

  it("may be one of before there were checksums, or have other blanks", async () => {
    writeFileSync(path(), JSON.stringify(RECORD));
    expect(await FILE.read(folder.path())).toEqual(RECORD);
    await FILE.write(folder.path(), RECORD);
    writeFileSync(path(), JSON.stringify(JSON.parse(readFileSync(path(), "utf8"))));
    expect(await FILE.read(folder.path())).toEqual(RECORD);
  });

  it("is refused when it was changed, and says how to keep the change", async () => {
    await FILE.write(folder.path(), RECORD);
    writeFileSync(path(), readFileSync(path(), "utf8").replace('"seed": 1', '"seed": 2'));
    await expect(FILE.find(folder.path())).rejects.toMatchObject({
      code: "bad_input",
      message: expect.stringMatching(/work\.json as it was written, .* found "d8ac58c8": it was damaged, or changed/),
    });
  });

  it.each([
    ["no JSON", "{", /to be a work of schema version 3, found:\n.*JSON/],
    ["not of its form", '{"name":"é"}', /to be a work of schema version 3, found:\n.*number(.|\n)*at seed/],
    ["no object", "7", /found:\n.*expected object/],
    ["null", "null", /found:\n.*expected object/],
  ])("is refused when it is %s", async (_, text, message) => {
    writeFileSync(path(), text);
    await expect(FILE.find(folder.path())).rejects.toMatchObject({
      code: "bad_input",
      message: expect.stringMatching(message),
    });
  });

  it("is none where there is no such file, or no folder, which only who asks for it minds", async () => {
    writeFileSync(folder.path("file"), "");
    for (const none of [folder.path(), folder.path("none"), folder.path("file")]) {
      expect(await FILE.find(none)).toBeNull();
      await expect(FILE.read(none)).rejects.toThrow(
        `Expected a work in ${none}, found no work.json. Name the folder that probe work printed.`,
      );
    }
  });

  it("is refused where it cannot be read", async () => {
    mkdirSync(path());
    await expect(FILE.find(folder.path())).rejects.toMatchObject({
      code: "bad_input",
      message: expect.stringMatching(/^Expected to read .*work\.json, found: EISDIR/),
    });
    symlinkSync("/dev/null", folder.path("null.json"));
    const other = recordFile({ file: "null.json", schema: z.object({}), schemaVersion: 1, what: "", command: "" });
    await expect(other.find(folder.path())).rejects.toThrow("Expected a plain file");
  });
});
