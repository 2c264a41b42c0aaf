import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { takeLock } from "../../../src/store/folder/lock.js";
import { temporaryFolder } from "../../fixtures/temporary-folder.js";

const folder = temporaryFolder();
const WHAT = { name: "the data", advice: "name other data" };

describe("takeLock", () => {
  it("says which process has it, and gives the lock back", async () => {
    const lock = join(folder, "a.lock");
    const release = await takeLock(lock, WHAT);
    expect(JSON.parse(readFileSync(lock, "utf8"))).toMatchObject({ host: hostname(), pid: process.pid });
    await release();
    expect(existsSync(lock)).toBe(false);
  });

  it("is refused while another process lives that has it", async () => {
    const other = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
    const lock = join(folder, "b.lock");
    writeFileSync(lock, `${other.pid}\n`);
    try {
      await expect(takeLock(lock, WHAT)).rejects.toThrow(
        `Expected the data to be free, found it in use by process ${other.pid}. Wait for it, or name other data.`,
      );
    } finally {
      other.kill("SIGKILL");
    }
    await once(other, "exit");
    // Now it is what a killed process left.
    await (await takeLock(lock, WHAT))();
  });

  it.each(["", "nonsense", "0"])("takes over a lock that names no process: %j", async (content) => {
    const lock = join(folder, "c.lock");
    writeFileSync(lock, content);
    await (await takeLock(lock, WHAT))();
  });
});
