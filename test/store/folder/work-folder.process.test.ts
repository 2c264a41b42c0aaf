import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { describe, expect, it } from "vitest";
import { lockFolder } from "../../../src/store/folder/work-folder.js";
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
