import { truncateSync, writeFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MOST_TEXT_BYTES, readLines, readText, requirePlainFile } from "../../src/store/text-lines.js";
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

  it("gives a text without its byte order mark", async () => {
    writeFileSync(path(), '\ufeff{"run": {}}\r\n');
    expect(await readText(path())).toBe('{"run": {}}\r\n');
  });

  it("reads no more of a file without end than it may have", async () => {
    await expect(readText("/dev/zero")).rejects.toThrow("Expected /dev/zero to have at most 8 MB, found more.");
    await expect(readText("/dev/zero", 2 ** 20)).rejects.toThrow("to have at most 1 MB, found more.");
  });

  it("leaves it to its caller that there is no file", async () => {
    await expect(readText(path())).rejects.toMatchObject({ code: "ENOENT" });
  });
});

describe("requirePlainFile", () => {
  it("refuses what would be read without end, and leaves it to the reader that there is none, or a folder", async () => {
    writeFileSync(path(), "");
    for (const fine of [path(), folder.path(), folder.path("none")]) await requirePlainFile(fine);
    await expect(requirePlainFile("/dev/null")).rejects.toMatchObject({
      code: "bad_input",
      message: "Expected a plain file at /dev/null, found a socket or a device. It is none of this program's.",
    });
  });
});

describe("readLines of a file that is too long", () => {
  it("takes a line of as many bytes as one may have, and refuses a longer one by its number", async () => {
    writeFileSync(path(), `one\n${"x".repeat(MOST_TEXT_BYTES)}\n`);
    expect((await collect(readLines(path()))).map(({ bytes }) => bytes.length)).toEqual([3, MOST_TEXT_BYTES]);
    writeFileSync(path(), `${"x".repeat(MOST_TEXT_BYTES)}\nend`);
    expect((await collect(readLines(path()))).map(({ bytes }) => bytes.length)).toEqual([MOST_TEXT_BYTES, 3]);
    writeFileSync(path(), `one\n${"x".repeat(MOST_TEXT_BYTES + 1)}\n`);
    const found = `Expected line 2 of ${path()} to have at most 8 MB, found a longer one.`;
    await expect(collect(readLines(path()))).rejects.toThrow(found);
    // A gigabyte of zero bytes that takes no room on the disk.
    writeFileSync(path(), "one\n");
    truncateSync(path(), 2 ** 30);
    await expect(collect(readLines(path()))).rejects.toThrow(found);
  });
});

async function linesOf(content: string | Uint8Array) {
  writeFileSync(path(), content);
  return await collect(readLines(path()));
}

async function textsOf(content: string): Promise<string[]> {
  return (await linesOf(content)).map(({ bytes }) => bytes.toString("utf8"));
}

describe("readLines", () => {
  it("gives number, offset, bytes and whether the line is ended", async () => {
    // "é" is two bytes: the second line begins at 2 + 1, the third at 3 + 1.
    expect(await linesOf("é\n\nab")).toEqual([
      { number: 1, offset: 0, bytes: Buffer.from("é"), terminated: true },
      { number: 2, offset: 3, bytes: Buffer.from(""), terminated: true },
      { number: 3, offset: 4, bytes: Buffer.from("ab"), terminated: false },
    ]);
  });

  it("finds no line in an empty file", async () => {
    expect(await linesOf("")).toEqual([]);
  });

  it("finds no extra line after a last line end", async () => {
    expect(await textsOf("a\nb\n")).toEqual(["a", "b"]);
  });

  it("keeps the carriage return of a Windows line end", async () => {
    expect(await textsOf("a\r\nb\r\n")).toEqual(["a\r", "b\r"]);
  });

  it("splits at nothing but a line feed", async () => {
    expect(await textsOf("a\u2028b\u2029c\u0085d\re\u000bf\n")).toEqual(["a\u2028b\u2029c\u0085d\re\u000bf"]);
  });

  it("puts together a line that is longer than the chunks of the file", async () => {
    // Chunks are 64 KiB; a three-byte character is cut by their borders.
    const long = "漢".repeat(100_000);
    expect(await textsOf(`x\n${long}\ny\n${long}`)).toEqual(["x", long, "y", long]);
  });

  it("keeps its number and offset right where a chunk ends with a line", async () => {
    const chunk = `${"x".repeat(65_535)}\n`;
    const lines = await linesOf(`${chunk}${chunk}z`);
    expect(lines.map(({ number, offset, bytes }) => [number, offset, bytes.length])).toEqual([
      [1, 0, 65_535],
      [2, 65_536, 65_535],
      [3, 131_072, 1],
    ]);
  });

  it("gives back every byte of the file", async () => {
    const content = fc.array(fc.constantFrom(0x0a, 0x0d, 0x61, 0xff), { maxLength: 60 }).map((b) => Uint8Array.from(b));
    await fc.assert(
      fc.asyncProperty(content, async (bytes) => {
        const lines = await linesOf(bytes);
        const whole = lines.map((line) => `${line.bytes.toString("latin1")}${line.terminated ? "\n" : ""}`).join("");
        expect(whole).toBe(Buffer.from(bytes).toString("latin1"));
        for (const line of lines) {
          expect(Buffer.from(bytes.subarray(line.offset, line.offset + line.bytes.length)).equals(line.bytes)).toBe(
            true,
          );
        }
      }),
      { seed: 1 },
    );
  });

  it("fails on a missing file", async () => {
    await expect(collect(readLines(`${path()}.missing`))).rejects.toMatchObject({ code: "ENOENT" });
  });
});
