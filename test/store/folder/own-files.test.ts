import { mkdirSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { removeStaleFiles, removeStaleFilesOf, requireEmptyFolder } from "../../../src/store/folder/own-files.js";
import { temporaryFolder } from "../../fixtures/temporary-folder.js";

const folder = temporaryFolder();

describe("requireEmptyFolder", () => {
  it("accepts a folder that is not there, and one that holds nothing", async () => {
    mkdirSync(join(folder, "empty"));
    await requireEmptyFolder(join(folder, "new"), "a run");
    await requireEmptyFolder(join(folder, "empty"), "a run");
  });

  it("refuses one with files, and what is no folder", async () => {
    mkdirSync(join(folder, "full"));
    writeFileSync(join(folder, "full", "mine.txt"), "");
    await expect(requireEmptyFolder(join(folder, "full"), "a run")).rejects.toThrow(
      "to be new, empty or a run, found 1 other files",
    );
    await expect(requireEmptyFolder(join(folder, "full", "mine.txt"), "a run")).rejects.toThrow("Expected a folder at");
  });
});

/** No process has this number: it is above what Linux gives out. */
const NOBODY = 4194999;

describe("what a kill leaves before anything is recorded", () => {
  const path = join(folder, "killed");
  const left = ["run.lock", "run.lock.0a1b2c", `run.lock.0a.${NOBODY}.tmp`, `run.json.${NOBODY}.tmp`];

  it("locks no work out of its folder", async () => {
    mkdirSync(path);
    for (const name of left) writeFileSync(join(path, name), "");
    await requireEmptyFolder(path, "a run");
  });

  it("is removed, but for what a living process is writing", async () => {
    writeFileSync(join(path, `run.json.${process.ppid}.tmp`), "");
    await removeStaleFiles(path);
    const lock = `run.lock.0a.${NOBODY}.tmp`;
    // The lock's own files are its own business; one that names nobody may be of another container, and is kept a while.
    expect(readdirSync(path).sort()).toEqual(
      ["run.lock", "run.lock.0a1b2c", lock, `run.json.${process.ppid}.tmp`].sort(),
    );
  });

  it("a lock that was about to be taken is removed where its process is gone, or after a minute", async () => {
    const taking = join(folder, "taking");
    mkdirSync(taking);
    const named = (id: string) => `run.lock.${id}.${NOBODY}.tmp`;
    writeFileSync(join(taking, named("0a")), `${NOBODY}\n`);
    writeFileSync(join(taking, named("0b")), "");
    writeFileSync(join(taking, named("0c")), "");
    const old = new Date(Date.now() - 61_000);
    utimesSync(join(taking, named("0c")), old, old);
    await removeStaleFiles(taking);
    expect(readdirSync(taking)).toEqual([named("0b")]);
  });

  it("of another file is left where one file's are meant", async () => {
    const two = join(folder, "two");
    mkdirSync(two);
    for (const name of ["a.csv", "b.csv"]) writeFileSync(join(two, `${name}.${NOBODY}.tmp`), "");
    await removeStaleFilesOf(join(two, "a.csv"));
    expect(readdirSync(two)).toEqual([`b.csv.${NOBODY}.tmp`]);
  });
});
