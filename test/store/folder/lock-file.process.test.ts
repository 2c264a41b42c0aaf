import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import timers from "node:timers/promises";
import { describe, expect, it, vi } from "vitest";
import { lockFile, takeLock, waitForFile } from "../../../src/store/folder/lock.js";
import { temporaryFolder } from "../../fixtures/temporary-folder.js";
import { openFiles, watchFlushes } from "../disk.js";

const folder = temporaryFolder();
const WHAT = { name: "the data", advice: "name other data" };

/** No process has this number: it is above what Linux gives out. */
const NOBODY = 4194999;

/** The pauses that are asked for while something is done; none is made. */
async function pausesOf(action: () => Promise<void>): Promise<number[]> {
  const pausesMs: number[] = [];
  vi.spyOn(timers, "setTimeout").mockImplementation(async (ms) => void pausesMs.push(ms ?? 0));
  syncBuiltinESMExports();
  try {
    await action();
  } finally {
    vi.restoreAllMocks();
    syncBuiltinESMExports();
  }
  return pausesMs;
}

describe("a lock", () => {
  it("is on the disk with its content before it is there", async () => {
    const lock = join(folder, "flushed.lock");
    const seen: string[] = [];
    await watchFlushes("sync", () => {
      const [name = ""] = readdirSync(folder).filter((name) => name.startsWith("flushed.lock"));
      seen.push(name, readFileSync(join(folder, name), "utf8"));
    });
    const release = await takeLock(lock, WHAT);
    vi.restoreAllMocks();
    expect(seen).toEqual([expect.stringMatching(/\.tmp$/), readFileSync(lock, "utf8")]);
    await release();
  });

  it("that can neither be taken nor read is given up at last, and in a folder that is not there at once", async () => {
    symlinkSync("nowhere", join(folder, "link.lock"));
    const pausesMs = await pausesOf(async () => {
      await expect(takeLock(join(folder, "link.lock"), WHAT)).rejects.toThrow("found other processes taking it");
    });
    // 200 attempts; the processes that try come apart by pauses that grow, 9 ms at most.
    expect(pausesMs).toEqual(Array.from({ length: 200 }, (_, attempt) => attempt % 10));
    expect(readdirSync(folder).filter((name) => name.startsWith("link.lock"))).toEqual(["link.lock"]);
    expect(openFiles(folder)).toEqual([]);
    const missing = async () => {
      await expect(waitForFile(join(folder, "none", "a"))).rejects.toThrow("found no folder for it");
    };
    expect(await pausesOf(missing)).toEqual([]);
  });

  it("of a file is waited for until it is given back", async () => {
    const path = join(folder, "file");
    writeFileSync(`${path}.${NOBODY}.tmp`, "half");
    const release = await lockFile(path);
    expect(existsSync(`${path}.${NOBODY}.tmp`)).toBe(false);
    await expect(lockFile(path)).rejects.toThrow(`Expected ${path} to be free`);
    let isReleased = false;
    const waiting = waitForFile(path).then((again) => ({ again, isReleased }));
    // It has found the lock held when its own file is gone again.
    await expect.poll(() => readdirSync(folder).filter((name) => /^file\.lock\..*tmp$/.test(name))).toHaveLength(1);
    isReleased = true;
    await release();
    const found = await waiting;
    expect(found.isReleased).toBe(true);
    await found.again();
  });

  it("of a file is waited for ten seconds, in pauses of 50 ms between 200 attempts", async () => {
    const path = join(folder, "held");
    const release = await lockFile(path);
    const pausesMs = await pausesOf(async () => {
      await expect(waitForFile(path)).rejects.toThrow(`Expected ${path} to be free`);
    });
    expect(pausesMs).toEqual(Array(199).fill(50));
    await release();
  });
});
