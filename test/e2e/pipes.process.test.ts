import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { PROBE, runProbe, startProbe } from "../fixtures/cli.js";
import { useFreshFolder } from "../fixtures/fresh-folder.js";

const folder = useFreshFolder();

describe("a run folder of somebody else's", () => {
  it.each(["answers.jsonl", "run.json"])("with a pipe for its %s is refused at once, by name", async (file) => {
    const out = folder.path("run");
    await runProbe(["run", "--model", "scripted:oracle", "--task", "CTR", "--limit", "1", "--out", out]);
    rmSync(`${out}/${file}`);
    execFileSync("mkfifo", [`${out}/${file}`]);
    const { code, stderr } = await runProbe(["score", out]);
    expect(code).toBe(2);
    expect(stderr).toContain(`Expected a plain file at ${out}/${file}, found a pipe.`);
  });
});

describe("a stream that nobody reads on, as behind `| head`", () => {
  const ASKED = ["run", "--model", "scripted:always-A", "--task", "CL", "--limit", "1"];

  it("leaves a gate its exit code", async () => {
    const { child, result } = startProbe([...ASKED, "--fail-under", "1", "--out", folder.path("run")]);
    child.stdout?.destroy();
    child.stderr?.destroy();
    // Always A is right under no question's every order: 5, where a closed pipe made it 0 or 1.
    expect((await result).code).toBe(5);
  });

  it("ends no matrix before its runs are there", async () => {
    const matrix = { models: ["scripted:oracle"], tasks: ["CTR", "CL"] };
    writeFileSync(folder.path("probe.config.json"), JSON.stringify({ run: { limit: 1 }, matrix }));
    const { child, result } = startProbe(["run", "--matrix", "--out", "out"], { cwd: folder.path() });
    child.stderr?.destroy();
    const { code, stdout } = await result;
    expect([code, stdout.match(/asked/g)?.length, existsSync(folder.path("out/report.html"))]).toEqual([0, 2, true]);
  });
});

describe.skipIf(!existsSync("/dev/full"))("a disk that is full behind standard output", () => {
  const toFull = (...args: readonly string[]) => {
    const line = [process.execPath, PROBE, ...args].map((word) => `'${word}'`).join(" ");
    return spawnSync("sh", ["-c", `${line} >/dev/full`], { cwd: folder.path(), encoding: "utf8" });
  };

  it("is told in a line, and is a fault", () => {
    const { status, stderr } = toFull("models", "--json");
    expect(stderr).toMatch(/^probe: Expected to write standard output, found: ENOSPC.+$/m);
    expect(stderr).not.toMatch(/^ +at /m);
    expect(status).toBe(2);
  });

  it("leaves a gate its exit code", () => {
    const asked = ["run", "--model", "scripted:always-A", "--task", "CL", "--limit", "1", "--out", "run"];
    const { status, stderr } = toFull(...asked, "--fail-under", "1", "-q");
    expect(stderr).toContain("found: ENOSPC");
    expect(status).toBe(5);
  });
});
