import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { diskStates, RECORDER } from "../fixtures/store/disk-states.js";
import { WORKS } from "../fixtures/store/work.js";
import { buildProgram } from "../fixtures/suites/build.js";
import { temporaryFolder } from "../fixtures/temporary-folder.js";

describe("work that is killed at any operation on the disk", () => {
  const folder = temporaryFolder();
  let program: string;

  beforeAll(async () => {
    program = await buildProgram("../store/work-main.ts");
  });

  it.each(["folder", "file", "import", "review"])(
    "is gone on with by the same command, to the same bytes: %s",
    async (kind) => {
      const fileOf = (path: string) =>
        kind === "folder" ? join(path, "test.jsonl") : existsSync(path) ? path : `${path}.partial.jsonl`;
      const base = join(folder, kind, "whole");
      mkdirSync(base, { recursive: true });
      const states = await diskStates(base, async (env) => {
        const args = [`--import=${RECORDER}`, program, kind, join(base, "work")];
        const { status, stderr } = spawnSync(process.execPath, args, { env: { ...process.env, ...env } });
        expect([status, stderr.toString()]).toEqual([0, ""]);
      });
      expect(states.length).toBeGreaterThanOrEqual(15);
      const whole = readFileSync(fileOf(join(base, "work")), "utf8");
      expect(whole.split("\n").length).toBeGreaterThanOrEqual(5);
      for (const [at, state] of states.entries()) {
        const killed = join(folder, kind, String(at));
        const path = join(killed, "work");
        cpSync(state, killed, { recursive: true });
        await WORKS[kind]?.(path);
        expect(readFileSync(fileOf(path), "utf8"), `after state ${at}`).toBe(whole);
        const rest = readdirSync(kind === "folder" ? path : killed).filter(
          // Of a lock that was about to be taken: it may be that of a process which cannot be seen from here.
          (name) => /lock|tmp/.test(name) && !/\.lock\.[0-9a-f]+\.\d+\.tmp$/.test(name),
        );
        expect(rest).toEqual([]);
      }
    },
  );
});
