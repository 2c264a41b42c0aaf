import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { afterEach, describe, expect, it, vi } from "vitest";
import { LineWriter, onDisk, writeAtomically } from "../../src/store/atomic-write.js";
import { useFreshFolder } from "../fixtures/fresh-folder.js";
import { openFiles, watchFlushes } from "./disk.js";

afterEach(() => vi.restoreAllMocks());

describe("writeAtomically", () => {
  const folder = useFreshFolder();

  it("has flushed the whole to the disk while the old content is still in its place", async () => {
    const path = folder.path("a");
    writeFileSync(path, "old");
    const seen: string[][] = [];
    const contents = () => readdirSync(folder.path()).map((name) => readFileSync(folder.path(name), "utf8"));
    await watchFlushes("sync", () => seen.push(contents()));
    await writeAtomically(path, (append) => append("new"));
    expect(seen).toEqual([["old", "new"]]);
    expect(contents()).toEqual(["new"]);
    expect(openFiles(folder.path())).toEqual([]);
  });

  it("says so where its folder is removed meanwhile", async () => {
    const writing = writeAtomically(folder.path("a"), async () => rmSync(folder.path(), { recursive: true }));
    await expect(writing).rejects.toMatchObject({ code: "bad_input", message: expect.stringContaining("was moved") });
  });
});

describe("onDisk", () => {
  it.each(["EROFS", "EACCES", "EPERM", "EIO"])(
    "advises on %s what a command without --out can do too",
    async (code) => {
      const writing = onDisk("run/run.json", () => Promise.reject(Object.assign(new Error("refused"), { code })));
      await expect(writing).rejects.toThrow(
        /^Expected to write run\/run\.json, found .* or copy the folder to where it can/,
      );
      await expect(writing).rejects.not.toThrow("--out");
    },
  );

  it("leaves what is no fault of the disk as it is", async () => {
    for (const thrown of ["a text", new TypeError("a bug"), Object.assign(new Error("busy"), { code: "EBUSY" })])
      await expect(onDisk("a", () => Promise.reject(thrown))).rejects.toBe(thrown);
  });
});

async function written(lines: readonly string[]): Promise<string[]> {
  const blocks: string[] = [];
  const writer = new LineWriter(async (text) => void blocks.push(text));
  for (const line of lines) await writer.write(line);
  await writer.flush();
  return blocks;
}

describe("LineWriter", () => {
  it("ends every line with a line break and nothing else", async () => {
    expect(await written(["a", "b\r", " c \r\r", ""])).toEqual(["a\nb\n c \r\n\n"]);
  });

  it("writes nothing for no lines", async () => {
    expect(await written([])).toEqual([]);
  });

  it("hands over large files in blocks, in order", async () => {
    // 600 lines of 1,000 characters and a line break: more than two blocks of 262,144.
    const lines = Array.from({ length: 600 }, (_, i) => String(i).padStart(1000));
    const blocks = await written(lines);
    expect(blocks).toHaveLength(3);
    expect(blocks.join("")).toBe(`${lines.join("\n")}\n`);
  });

  it("counts empty lines, too", async () => {
    // A line break each: a block and one more.
    expect((await written(Array(262_145).fill(""))).map(({ length }) => length)).toEqual([262_144, 1]);
  });
});
