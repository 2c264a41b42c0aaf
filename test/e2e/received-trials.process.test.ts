import { execFileSync } from "node:child_process";
import { existsSync, lstatSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runProbe } from "../fixtures/cli.js";
import { sumsBench } from "../fixtures/suites/sums-bench/entry.js";
import { temporaryFolder } from "../fixtures/temporary-folder.js";

/** Folders of runs and patches that somebody sent: an archive holds links and pipes as well as files. */
const folder = temporaryFolder();
const env = { XDG_CACHE_HOME: join(folder, "cache") };
const probe = (...args: readonly string[]) => runProbe(args, { more: [sumsBench], cwd: folder, env });
const bench = (...rest: readonly string[]) =>
  probe("suite", "run", "sums-bench", "-q", "--task-id", "times-2,times-3", ...rest);
const at = (...path: readonly string[]) => join(folder, ...path);
const trials = (run: string) => readFileSync(at(run, "trials.jsonl"), "utf8");

describe("trials of somebody else's", () => {
  it("that have a pipe in place of a patch are told, and waited for by nobody", async () => {
    mkdirSync(at("patches"));
    execFileSync("mkfifo", [at("patches/times-2.patch")]);
    expect((await bench("--patches", "patches", "--out", "piped")).code).toBe(4);
    expect(trials("piped")).toContain("found no plain file");
  });

  it("whose folders are links empty and write no folder elsewhere when the run goes on", async () => {
    expect((await bench("--agent", "scripted:gold", "--out", "linked")).code).toBe(0);
    mkdirSync(at("victim/0"), { recursive: true });
    writeFileSync(at("victim/0/kept"), "");
    rmSync(at("linked/artifacts/times-2/plain"), { recursive: true });
    symlinkSync(at("victim"), at("linked/artifacts/times-2/plain"));
    rmSync(at("linked/trials.jsonl"));
    expect((await bench("--agent", "scripted:gold", "--out", "linked")).code).toBe(4);
    expect(existsSync(at("victim/0/kept"))).toBe(true);
    expect(existsSync(at("victim/0/patch.diff"))).toBe(false);
    expect(trials("linked")).toContain("found a link or a file. Remove it.");
  });

  it("are merged without their links and pipes", async () => {
    for (const share of ["1", "2"])
      expect((await bench("--agent", "scripted:gold", "--shard", `${share}/2`, "--out", `share-${share}`)).code).toBe(
        0,
      );
    execFileSync("mkfifo", [at("share-1/artifacts/pipe")]);
    symlinkSync(at("victim"), at("share-2/artifacts/link"));
    expect((await probe("merge", "share-1", "share-2", "--out", "merged")).code).toBe(0);
    for (const name of ["pipe", "link"])
      expect(lstatSync(at("merged/artifacts", name), { throwIfNoEntry: false })).toBeUndefined();
    expect(existsSync(at("merged/artifacts/times-2/plain/0/patch.diff"))).toBe(true);
  });
});
