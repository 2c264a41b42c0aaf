import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { writeAtomically } from "../../src/store/atomic-write.js";
import { temporaryFolder } from "../fixtures/temporary-folder.js";

const root = temporaryFolder();

function freshFolder(): string {
  return mkdtempSync(join(root, "case-"));
}

describe("writeAtomically", () => {
  it("writes what is appended, in order, and leaves nothing else behind", async () => {
    const folder = freshFolder();
    await writeAtomically(join(folder, "a.csv"), async (append) => {
      await append("é,");
      await append("\u{1f600}\r\n");
    });
    expect(readFileSync(join(folder, "a.csv"), "utf8")).toBe("é,\u{1f600}\r\n");
    expect(readdirSync(folder)).toEqual(["a.csv"]);
  });

  it("shows a reader the old content until all is written", async () => {
    const path = join(freshFolder(), "a.csv");
    writeFileSync(path, "old and longer");
    await writeAtomically(path, async (append) => {
      await append("new");
      expect(readFileSync(path, "utf8")).toBe("old and longer");
    });
    expect(readFileSync(path, "utf8")).toBe("new");
  });

  it("removes what a killed process left for the same file, and nothing else", async () => {
    const folder = freshFolder();
    const { pid: gone } = spawnSync(process.execPath, ["--version"]);
    const others = [`a.csv.${process.ppid}.tmp`, `b.csv.${gone}.tmp`, `a.csv.x.${gone}.tmp`, "a.csv.tmp"];
    for (const name of [...others, `a.csv.${gone}.tmp`]) writeFileSync(join(folder, name), "half");
    await writeAtomically(join(folder, "a.csv"), (append) => append("whole"));
    expect(readdirSync(folder).sort()).toEqual(["a.csv", ...others].sort());
  });

  it("keeps the old content when the writer fails", async () => {
    const folder = freshFolder();
    const path = join(folder, "a.csv");
    writeFileSync(path, "old");
    const writing = writeAtomically(path, async (append) => {
      await append("half");
      throw new Error("no more rows");
    });
    await expect(writing).rejects.toThrow("no more rows");
    expect(readFileSync(path, "utf8")).toBe("old");
    expect(readdirSync(folder)).toEqual(["a.csv"]);
  });

  it("leaves no temporary file when the place is taken by a folder", async () => {
    const folder = freshFolder();
    mkdirSync(join(folder, "a.csv"));
    await expect(writeAtomically(join(folder, "a.csv"), (append) => append("new"))).rejects.toThrow();
    expect(readdirSync(folder)).toEqual(["a.csv"]);
  });

  it("makes an empty file of no content", async () => {
    const path = join(freshFolder(), "empty");
    await writeAtomically(path, async () => {});
    expect(readFileSync(path, "utf8")).toBe("");
  });

  it("fails in a folder that does not exist", async () => {
    const path = join(freshFolder(), "missing", "a.csv");
    await expect(writeAtomically(path, (append) => append("new"))).rejects.toMatchObject({
      code: "bad_input",
      message: expect.stringMatching(/Expected to write .*a\.csv, found no folder for it.*\(ENOENT.*Make the folder/),
    });
  });
});
