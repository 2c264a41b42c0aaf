import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { findContainers } from "../../src/workspace/containers.js";
import { runProbe, startProbe } from "../fixtures/cli.js";
import { makeImage, removeImages } from "../fixtures/container-image.js";
import { readTable } from "../fixtures/tables.js";
import { temporaryFolder } from "../fixtures/temporary-folder.js";
import { writeWordsTask } from "../fixtures/words-task.js";

const folder = temporaryFolder();
const options = { cwd: folder, env: { XDG_CACHE_HOME: join(folder, "cache") } };

const engine = await findContainers("podman", null);
if ("reason" in engine) process.stdout.write(`Skipping a kill in a container: ${engine.reason}\n`);

describe.skipIf("reason" in engine)("a run of a Harbor task in podman", () => {
  it("that is killed while its agent works goes on: oracle 1, no-op 0, no trial twice, no container left", async () => {
    if ("reason" in engine) return;
    const { argv } = engine;
    const base = `localhost/probe-test-${process.pid}:harbor-kills`;
    makeImage(argv, base, folder);
    writeWordsTask(join(folder, "data"), base);
    const [program, ...flags] = argv;
    const made = await runProbe(["suite", "setup", "harbor", "--data", "data"], options);
    const image = /localhost\/probe-harbor:\w+/.exec(made.stderr)?.[0] ?? "";
    try {
      expect(made.code, made.stderr).toBe(0);
      const agent = ["--agent-cmd", "sleep 3; echo pear >longest.txt", "--controls", "--trials", "2"];
      const all = ["suite", "run", "harbor", "--data", "data", ...agent, "-q", "--out", "run"];
      const { child, result } = startProbe(all, options);
      const journal = join(folder, "run/trials.jsonl");
      const recorded = () => (existsSync(journal) ? readFileSync(journal, "utf8").trim().split("\n").slice(1) : []);
      const running = () =>
        execFileSync(program, [...flags, "ps", "--quiet", "--filter", `ancestor=${image}`])
          .toString()
          .trim();
      // One trial is recorded, and the agent of the next is in its container.
      while (child.exitCode === null && (recorded().length === 0 || running() === "")) await sleep(50);
      child.kill("SIGKILL");
      expect((await result).signal).toBe("SIGKILL");
      const before = recorded();
      expect(before.length).toBeGreaterThan(0);
      expect(before.length).toBeLessThan(4);
      const again = await runProbe([...all], options);
      expect(again.code, again.stderr).toBe(0);
      expect(recorded().slice(0, before.length)).toEqual(before);
      const trials = readTable(join(folder, "run"), "trials.csv");
      expect(trials.map((row) => [row["agent"], row["trial"], row["reward"]].join(" ")).sort()).toEqual([
        "command 0 1",
        "command 1 1",
        "scripted:gold 0 1",
        "scripted:noop 0 0",
      ]);
      for (let tries = 0; running() !== "" && tries < 100; tries++) await sleep(100);
      expect(running()).toBe("");
    } finally {
      removeImages(argv, [image, base]);
    }
  });
});
