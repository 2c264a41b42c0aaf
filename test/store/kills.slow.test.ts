import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../fixtures/temporary-folder.js";

describe("work that is killed at any operation on the disk", () => {
  const folder = temporaryFolder();
  const script = join(import.meta.dirname, "../fixtures/store/work.mjs");

  /** Its exit code, or the signal that ended it. */
  const work = (kind: string, path: string, killAt: number): Promise<{ end: unknown; stderr: string }> =>
    new Promise((resolve) => {
      const child = spawn(process.execPath, [script, kind, path, String(killAt)], {
        stdio: ["ignore", "ignore", "pipe"],
      });
      let stderr = "";
      child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
        stderr += chunk;
      });
      child.on("close", (code, signal) => resolve({ end: signal ?? code, stderr }));
    });

  it.each(["folder", "file", "import", "review"])(
    "is gone on with by the same command, to the same bytes: %s",
    async (kind) => {
      const fileOf = (path: string) =>
        kind === "folder" ? join(path, "test.jsonl") : existsSync(path) ? path : `${path}.partial.jsonl`;
      const pathOf = (name: string) => join(folder, kind, name, "work");
      mkdirSync(dirname(pathOf("whole")), { recursive: true });
      expect(await work(kind, pathOf("whole"), 0)).toEqual({ end: 0, stderr: "" });
      const whole = readFileSync(fileOf(pathOf("whole")), "utf8");
      expect(whole.split("\n").length).toBeGreaterThanOrEqual(5);
      // Starting processes is slow: the folder alone is killed at every operation.
      for (let killAt = 1; ; killAt += kind === "folder" ? 1 : 3) {
        const path = pathOf(String(killAt));
        mkdirSync(dirname(path), { recursive: true });
        const killed = await work(kind, path, killAt);
        if (killed.end === 0) {
          // It made fewer operations than that: every one was tried.
          expect(killAt).toBeGreaterThan(15);
          return;
        }
        expect(killed.end).toBe("SIGKILL");
        expect(await work(kind, path, 0)).toEqual({ end: 0, stderr: "" });
        expect(readFileSync(fileOf(path), "utf8")).toBe(whole);
        const rest = readdirSync(kind === "folder" ? path : dirname(path)).filter(
          // Of a lock that was about to be taken: it may be that of a process which cannot be seen from here.
          (name) => /lock|tmp/.test(name) && !/\.lock\.[0-9a-f]+\.\d+\.tmp$/.test(name),
        );
        expect(rest).toEqual([]);
      }
    },
    300_000,
  );
});
