import { mkdirSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import {
  isHeld,
  readHolder,
  removeStaleFiles,
  removeStaleFilesOf,
  requireEmptyFolder,
  temporaryBeside,
  thisProcess,
} from "../../../src/store/folder/own-files.js";
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
    utimesSync(join(taking, named("0c")), new Date(0), new Date(0));
    vi.useFakeTimers({ toFake: ["Date"], now: 60_000 });
    try {
      await removeStaleFiles(taking);
      expect(readdirSync(taking)).toEqual([named("0b"), named("0c")]);
      vi.setSystemTime(60_001);
      await removeStaleFiles(taking);
      expect(readdirSync(taking)).toEqual([named("0b")]);
    } finally {
      vi.useRealTimers();
    }
  });

  it("of another file is left where one file's are meant", async () => {
    const two = join(folder, "two");
    mkdirSync(two);
    for (const name of ["a.csv", "b.csv"]) writeFileSync(join(two, `${name}.${NOBODY}.tmp`), "");
    await removeStaleFilesOf(join(two, "a.csv"));
    expect(readdirSync(two)).toEqual([`b.csv.${NOBODY}.tmp`]);
  });
});

describe("temporaryBeside", () => {
  it("names a file of this process, and removes what killed ones left for the same, be it a folder", async () => {
    const beside = join(folder, "beside");
    mkdirSync(join(beside, `out.${NOBODY}.tmp`, "inner"), { recursive: true });
    const kept = [`out.${process.pid}.tmp`, `out.${process.ppid}.tmp`, `other.${NOBODY}.tmp`, "out.1x.tmp"];
    for (const name of kept) writeFileSync(join(beside, name), "");
    expect(await temporaryBeside(join(beside, "out"))).toBe(join(beside, `out.${process.pid}.tmp`));
    expect(readdirSync(beside).sort()).toEqual(kept.sort());
    expect(await temporaryBeside(join(folder, "none", "out"))).toBe(join(folder, "none", `out.${process.pid}.tmp`));
  });
});

describe("the holder of a folder", () => {
  const own = thisProcess();

  it.each([
    ["this process", own, true],
    ["one that does not say when it began", { ...own, started: null }, true],
    ["one that began at another time", { ...own, started: "1" }, false],
    ["one that is gone", { ...own, pid: NOBODY }, false],
    ["one of another host", { ...own, pid: NOBODY, host: "elsewhere" }, true],
    ["one of another start of the system", { ...own, pid: NOBODY, boot: "0" }, true],
    ["one of another container", { ...own, pid: NOBODY, pid_namespace: "pid:[1]" }, true],
    ["none that can be told", { ...own, id: "../x" }, false],
  ])("may be at work: %s", async (_, holder, isThere) => {
    writeFileSync(join(folder, "run.lock"), JSON.stringify(holder));
    expect(await isHeld(folder)).toBe(isThere);
  });

  it("is none where there is no lock", async () => {
    expect(await isHeld(join(folder, "none"))).toBe(false);
  });

  it("is none of a lock that is no lock, and an error where it cannot be read", async () => {
    const lock = join(folder, "odd.lock");
    writeFileSync(lock, `${JSON.stringify(own)}${" ".repeat(5000)}`);
    expect(await readHolder(lock)).toBeNull();
    expect(await readHolder("/dev/null")).toBeNull();
    await expect(readHolder(join(folder, "none.lock"))).rejects.toMatchObject({ code: "ENOENT" });
  });
});
