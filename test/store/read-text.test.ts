import { truncateSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readLines } from "../../src/store/lines.js";
import { MOST_TEXT_BYTES, readText } from "../../src/store/read-text.js";
import { collect } from "../fixtures/collect.js";
import { useFreshFolder } from "../fixtures/fresh-folder.js";

const folder = useFreshFolder();
const path = () => folder.path("file");

describe("readText", () => {
  it("gives a text of as many bytes as it may have, whatever its characters", async () => {
    writeFileSync(path(), "€uro");
    // Three bytes for the first character.
    expect(await readText(path(), 6)).toBe("€uro");
    await expect(readText(path(), 5)).rejects.toMatchObject({
      code: "bad_input",
      message: `Expected ${path()} to have at most 5 bytes, found more. It is none of this program's.`,
    });
  });

  it("reads no more of a file without end than it may have", async () => {
    await expect(readText("/dev/zero")).rejects.toThrow("Expected /dev/zero to have at most 8 MB, found more.");
  });

  it("leaves it to its caller that there is no file", async () => {
    await expect(readText(path())).rejects.toMatchObject({ code: "ENOENT" });
  });
});

describe("readLines", () => {
  it("takes a line of as many bytes as one may have, and refuses a longer one by its number", async () => {
    writeFileSync(path(), `one\n${"x".repeat(MOST_TEXT_BYTES)}\n`);
    expect((await collect(readLines(path()))).map(({ bytes }) => bytes.length)).toEqual([3, MOST_TEXT_BYTES]);
    writeFileSync(path(), `one\n${"x".repeat(MOST_TEXT_BYTES + 1)}\n`);
    const found = `Expected line 2 of ${path()} to have at most 8 MB, found a longer one.`;
    await expect(collect(readLines(path()))).rejects.toThrow(found);
    // A gigabyte of zero bytes that takes no room on the disk.
    writeFileSync(path(), "one\n");
    truncateSync(path(), 2 ** 30);
    await expect(collect(readLines(path()))).rejects.toThrow(found);
  });
});
