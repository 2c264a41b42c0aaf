import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { lockFolder } from "../../../../src/store/folder/work-folder.js";
import { shortFingerprint } from "../../../../src/store/identity.js";
import { chooseRunFolder } from "../../../../src/suites/codereviewqa/ask/folder.js";
import { runFingerprint } from "../../../../src/suites/codereviewqa/record/identity.js";
import { type RunFile, writeRunFile } from "../../../../src/suites/codereviewqa/record/run-file.js";
import { useFreshFolder } from "../../../fixtures/fresh-folder.js";
import { makeRunFile } from "../../../fixtures/run-file.js";

const folder = useFreshFolder();
const home = process.cwd();

async function writeRun(path: string, run: RunFile): Promise<RunFile> {
  await mkdir(path, { recursive: true });
  await writeRunFile(path, run);
  return run;
}

describe("chooseRunFolder with a named folder", () => {
  const asked = makeRunFile();

  it("takes a folder that does not exist, or is empty, for a new run", async () => {
    const [fresh, empty] = [folder.path("fresh"), folder.path("empty")];
    await mkdir(empty);
    expect(await chooseRunFolder(asked, fresh)).toEqual({ path: fresh, recorded: null });
    expect(await chooseRunFolder(asked, empty)).toEqual({ path: empty, recorded: null });
  });

  it.each(["running", "interrupted", "complete"] as const)("takes the same run up again: %s", async (status) => {
    const recorded = await writeRun(folder.path("run"), makeRunFile({ status, run_id: "earlier" }));
    expect(await chooseRunFolder(asked, folder.path("run"))).toEqual({ path: folder.path("run"), recorded });
  });

  it("refuses another run, naming what differs, and changes nothing", async () => {
    const path = folder.path("run");
    await writeRun(path, makeRunFile({ parameters: { ...asked.parameters, seed: 5 } }));
    const before = await readFile(join(path, "run.json"), "utf8");
    await expect(chooseRunFolder(asked, path)).rejects.toMatchObject({
      code: "bad_input",
      message: expect.stringContaining("parameter seed: the run has 5, this command 0"),
    });
    expect(await readdir(path)).toEqual(["run.json"]);
    expect(await readFile(join(path, "run.json"), "utf8")).toBe(before);
  });

  it("refuses a folder with other files, and a file", async () => {
    await writeFile(folder.path("file"), "precious");
    await expect(chooseRunFolder(asked, folder.path())).rejects.toMatchObject({ code: "bad_input" });
    await expect(chooseRunFolder(asked, folder.path("file"))).rejects.toMatchObject({ code: "bad_input" });
  });

  it("refuses a damaged run instead of starting over", async () => {
    await writeFile(folder.path("run.json"), "{");
    await expect(chooseRunFolder(asked, folder.path())).rejects.toMatchObject({ code: "bad_input" });
  });
});

describe("chooseRunFolder without a name", () => {
  beforeEach(() => process.chdir(folder.path()));
  afterEach(() => process.chdir(home));

  const asked = (changes: Partial<RunFile> = {}) => {
    const run = makeRunFile(changes);
    return { ...run, run_id: `20260102T030405Z-oracle-${shortFingerprint(runFingerprint(run))}` };
  };
  const earlier = (day: string, changes: Partial<RunFile> = {}) => {
    const run = makeRunFile(changes);
    return writeRun(join("results", `${day}-oracle-${shortFingerprint(runFingerprint(run))}`), run);
  };

  it("is a new one under results/, by the run's id", async () => {
    const run = asked();
    expect(await chooseRunFolder(run, null)).toEqual({ path: join("results", run.run_id), recorded: null });
  });

  it("takes up an unfinished run of the same command, the latest", async () => {
    await earlier("20250101T000000Z", { status: "interrupted" });
    const latest = await earlier("20250301T000000Z", { status: "running", questions: 1 });
    const run = asked();
    expect(await chooseRunFolder(run, null)).toEqual({
      path: join("results", `20250301T000000Z-oracle-${shortFingerprint(runFingerprint(run))}`),
      recorded: latest,
    });
  });

  it("begins anew when the run of the same command is complete, or is another", async () => {
    await earlier("20250101T000000Z", { status: "complete" });
    await earlier("20250101T000000Z", { status: "interrupted", parameters: { seed: 5 } });
    expect((await chooseRunFolder(asked(), null)).recorded).toBeNull();
  });

  it("passes over a damaged run of the same command", async () => {
    await earlier("20250101T000000Z", { status: "interrupted" });
    const damaged = join("results", `20250301T000000Z-oracle-${shortFingerprint(runFingerprint(makeRunFile()))}`);
    await mkdir(damaged);
    await writeFile(join(damaged, "run.json"), "{");
    expect((await chooseRunFolder(asked(), null)).path).toContain("20250101T000000Z");
  });
});

describe("lockFolder", () => {
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
