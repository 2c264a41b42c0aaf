import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import {
  findRunner,
  installRunner,
  providedPackages,
  runnersFolder,
} from "../../../../src/suites/refactorbench/runner/install-runner.js";
import { useFreshFolder } from "../../../fixtures/fresh-folder.js";

const folder = useFreshFolder();

afterEach(() => {
  vi.unstubAllEnvs();
});

/** A program named npm that does this, before any other on the search path. */
function npmThat(script: string): void {
  const bin = folder.path("bin");
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, "npm"), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  vi.stubEnv("PATH", `${bin}${delimiter}${process.env["PATH"]}`);
}

/** Makes a folder for each package of the lock file of the folder it is in. */
const MAKE_FOLDERS =
  "node -e 'for (const path of Object.keys(JSON.parse(fs.readFileSync(`package-lock.json`)).packages)) fs.mkdirSync(path || `.`, { recursive: true })'";

describe("installRunner", () => {
  it("installs what its lock file names, without scripts, and once", async () => {
    npmThat(`echo "$@" >> ${folder.path("calls")}; test -f package-lock.json && test -f run.mjs && ${MAKE_FOLDERS}`);
    const at = folder.path("runners");
    expect(await findRunner(at)).toBeNull();
    const runner = await installRunner({ folder: at });
    expect(existsSync(join(runner.folder, "node_modules"))).toBe(true);
    expect(await findRunner(at)).toEqual(runner);
    // The second time npm would fail, and is not asked.
    npmThat("exit 1");
    expect(await installRunner({ folder: at })).toEqual(runner);
    expect(readdirSync(at)).toHaveLength(1);
    // One that lost a package is none, and is installed anew.
    rmSync(join(runner.folder, "node_modules", "@testing-library"), { recursive: true });
    expect(await findRunner(at)).toBeNull();
    npmThat(MAKE_FOLDERS);
    expect(await installRunner({ folder: at })).toEqual(runner);
    expect(await findRunner(at)).toEqual(runner);
    expect(readdirSync(at)).toHaveLength(1);
  });

  it("says why npm could not, and leaves nothing behind", async () => {
    npmThat("echo no network >&2; exit 1");
    const at = folder.path("runners");
    await expect(installRunner({ folder: at })).rejects.toThrow(/Expected npm to install .* found: no network\. Check/);
    expect(readdirSync(at)).toEqual([]);
  });

  it("says that there can be no folder for it", async () => {
    writeFileSync(folder.path("file"), "");
    const at = folder.path("file/runners");
    await expect(installRunner({ folder: at })).rejects.toThrow(`Expected to write ${at}, found a file where a folder`);
  });
});

it("keeps runners in the user's cache", () => {
  expect(runnersFolder({ XDG_CACHE_HOME: "/c" })).toBe("/c/code-review-probe/runners");
});

it("provides what tests of pages are written with", async () => {
  expect([...(await providedPackages())]).toEqual(
    expect.arrayContaining(["react", "vitest", "@testing-library/react"]),
  );
});
