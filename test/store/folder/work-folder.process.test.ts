import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { chooseFolder, type FolderWork, lockFolder, tryFolder } from "../../../src/store/folder/work-folder.js";
import { recordFile } from "../../../src/store/record-file.js";
import { useFreshFolder } from "../../fixtures/fresh-folder.js";

const folder = useFreshFolder();

describe("lockFolder", () => {
  it("makes the folders above its own, whoever else makes them at the same time", async () => {
    for (let round = 0; round < 30; round++) {
      const own = Array.from({ length: 8 }, (_, i) => folder.path(`results-${round}/night/run-${i}`));
      const locking = own.map(async (path, steps) => {
        // Each a step behind the one before, so that some look while another makes.
        for (let i = 0; i < steps; i++) await stat(folder.path("."));
        return lockFolder(path);
      });
      const unlocks = await Promise.all(locking);
      await Promise.all(unlocks.map((unlock) => unlock()));
    }
    expect(await readdir(folder.path("results-0/night"))).toHaveLength(8);
  });

  const lock = () => folder.path("run/run.lock");

  it("makes the folder, takes it, and gives it back", async () => {
    const unlock = await lockFolder(folder.path("run"));
    expect(JSON.parse(await readFile(lock(), "utf8"))).toMatchObject({ pid: process.pid });
    await unlock();
    expect(await readdir(folder.path("run"))).toEqual([]);
  });

  it("makes the folders above it, too", async () => {
    await (await lockFolder(folder.path("a/b/c")))();
    expect(await readdir(folder.path("a/b"))).toEqual(["c"]);
  });

  it.skipIf(process.platform !== "linux")(
    "says so where there can be no folder, and does not try for ever",
    async () => {
      await expect(lockFolder("/proc/probe/run")).rejects.toMatchObject({
        code: "bad_input",
        message: expect.stringContaining("Expected to write /proc/probe/run, found no folder for it"),
      });
    },
  );

  it("says so where a file has its place, or the one above", async () => {
    await writeFile(folder.path("file"), "");
    await expect(lockFolder(folder.path("file"))).rejects.toThrow("file, found something else in its place");
    await expect(lockFolder(folder.path("file/run"))).rejects.toThrow(
      "file/run, found a file where a folder has to be",
    );
  });

  it("removes what killed processes left there", async () => {
    await mkdir(folder.path("run"));
    // No process has this number: it is above what Linux gives out.
    await writeFile(folder.path("run/answers.csv.4194999.tmp"), "half");
    await (await lockFolder(folder.path("run")))();
    expect(await readdir(folder.path("run"))).toEqual([]);
  });

  it("refuses a folder that a living process has, naming the process", async () => {
    await mkdir(dirname(lock()));
    // The parent of this process lives as long as it does.
    await writeFile(lock(), `${process.ppid}\n`);
    await expect(lockFolder(folder.path("run"))).rejects.toMatchObject({
      code: "bad_input",
      message: expect.stringContaining(`process ${process.ppid}`),
    });
    expect(await readFile(lock(), "utf8")).toBe(`${process.ppid}\n`);
  });

  it("takes over the lock of a process that is gone", async () => {
    const gone = spawn(process.execPath, ["-e", ""]);
    await once(gone, "exit");
    await mkdir(dirname(lock()));
    await writeFile(lock(), `${gone.pid}\n`);
    const unlock = await lockFolder(folder.path("run"));
    expect(JSON.parse(await readFile(lock(), "utf8"))).toMatchObject({ pid: process.pid });
    await unlock();
  });

  it.each(["", "not a number", "0", "-1"])("takes over a lock that names no process: %j", async (content) => {
    await mkdir(dirname(lock()));
    await writeFile(lock(), content);
    const unlock = await lockFolder(folder.path("run"));
    expect(JSON.parse(await readFile(lock(), "utf8"))).toMatchObject({ pid: process.pid });
    await unlock();
  });
});

describe("tryFolder", () => {
  it("leaves nothing behind, and makes no folder", async () => {
    await tryFolder(folder.path("a/b"));
    expect(await readdir(folder.path())).toEqual([]);
  });

  it.skipIf(process.platform !== "linux")("gives the system's reason, though nothing was written", async () => {
    await expect(tryFolder("/sys/probe/run")).rejects.toThrow(/that it may not be written to|that is read-only/);
  });

  it("refuses where nothing can be written: by the folder itself, or the nearest above that is there", async () => {
    await writeFile(folder.path("file"), "");
    for (const path of [folder.path("file"), folder.path("file/a/b")])
      await expect(tryFolder(path)).rejects.toThrow(`Expected to write ${path}, found a file where a folder has to be`);
    await symlink("circle", folder.path("circle"));
    await expect(tryFolder(folder.path("circle"))).rejects.toThrow("found links on its path that lead in a circle");
  });
});

interface Work {
  readonly seed: number;
  readonly status: string;
}

const schema = z.object({ seed: z.number(), status: z.string() });
const WORK: FolderWork<Work> = {
  name: "work",
  one: "a work",
  file: recordFile({ file: "work.json", schema, schemaVersion: 1, what: "a work", command: "work" }),
  identityOf: ({ seed }) => ({ seed }),
  isComplete: ({ status }) => status === "complete",
};

describe("chooseFolder", () => {
  const home = process.cwd();
  beforeEach(() => process.chdir(folder.path()));
  afterEach(() => process.chdir(home));

  const RECORD = { seed: 1, status: "running" };
  const asked = { record: RECORD, id: "20260102T000000Z-tiny-1f2e3d4c", fingerprint: "1f2e3d4c".padEnd(64, "0") };

  async function record(path: string, work: Work = RECORD): Promise<string> {
    await mkdir(path, { recursive: true });
    await WORK.file.write(path, work);
    return path;
  }

  it("takes the one that is named for new work, or for the same", async () => {
    expect(await chooseFolder(WORK, asked, "new")).toEqual({ path: "new", recorded: null });
    await record("complete", { seed: 1, status: "complete" });
    expect(await chooseFolder(WORK, asked, "complete")).toMatchObject({ recorded: { status: "complete" } });
  });

  it("refuses a named one that holds other work, naming the difference, or other files", async () => {
    await record("other", { seed: 2, status: "running" });
    await expect(chooseFolder(WORK, asked, "other")).rejects.toThrow(
      "Expected the work in other to be the one this command asks for, found a different one:\n" +
        "  seed: the work has 2, this command 1\nNothing was changed.",
    );
    await mkdir("full");
    await writeFile("full/mine.txt", "");
    await expect(chooseFolder(WORK, asked, "full")).rejects.toThrow("Expected full to be new, empty or a work");
  });

  it.each([
    ["of the same name", "20260101T000000Z-tiny-00000000"],
    ["of the same fingerprint", "20260101T000000Z-other-1f2e3d4c"],
    ["of the name that it had before", "20260101T000000Z-former-00000000"],
  ])("goes on with unfinished work %s, the latest", async (_, name) => {
    await record(`results/${name.replace("0101", "0100")}`);
    const path = await record(`results/${name}`);
    const formerId = "20260102T000000Z-former-1f2e3d4c";
    expect(await chooseFolder(WORK, { ...asked, formerId }, null)).toEqual({ path, recorded: RECORD });
  });

  it("goes on with none that is complete, other work, damaged or of another name", async () => {
    const fresh = { path: `results/${asked.id}`, recorded: null };
    expect(await chooseFolder(WORK, asked, null)).toEqual(fresh);
    await record("results/1-tiny-00000000", { seed: 1, status: "complete" });
    await record("results/2-tiny-00000000", { seed: 2, status: "running" });
    await writeFile(`${await record("results/3-tiny-00000000")}/work.json`, "{");
    await record("results/4-other-00000000");
    expect(await chooseFolder(WORK, asked, null)).toEqual(fresh);
  });
});
