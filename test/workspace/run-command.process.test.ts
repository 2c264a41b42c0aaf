import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { type Command, runCommand } from "../../src/workspace/run-command.js";
import { temporaryFolder } from "../fixtures/temporary-folder.js";

const folder = temporaryFolder();
const never = new AbortController().signal;
const shell = (script: string, rest: Partial<Command> = {}): Command => ({
  argv: ["/bin/sh", "-c", script],
  cwd: folder,
  env: { PATH: "/usr/bin:/bin" },
  limitMs: 20_000,
  ...rest,
});
const isThere = (pid: number) =>
  existsSync(`/proc/${pid}`) && !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
const pidIn = (name: string) => Number(readFileSync(join(folder, name), "utf8"));

describe("a command", () => {
  it("with more arguments than the system takes exits as in a shell: they may be all files that an agent left", async () => {
    // 40 of 100,000 letters are 4 MB; Linux takes 2 MB at the most.
    const command = shell("exit 0");
    const argv = [...command.argv, ...Array.from({ length: 40 }, () => "x".repeat(100_000))] as const;
    const result = await runCommand({ ...command, argv: ["/bin/sh", ...argv.slice(1)] }, never);
    expect(result).toMatchObject({ end: "exited", code: 126 });
    expect(result.output).toContain("E2BIG");
  });

  it("gives its exit code, and both outputs as they came", async () => {
    const result = await runCommand(shell("echo out; echo err >&2; exit 7"), never);
    expect(result).toMatchObject({ end: "exited", code: 7 });
    expect(result.output.split("\n").toSorted()).toEqual(["", "err", "out"]);
  });

  it("has no environment but the one it is given, and reads what it is handed", async () => {
    const result = await runCommand(
      shell("cat; env | cut -d= -f1 | sort", { input: "hello\n", env: { A: "1" } }),
      never,
    );
    expect(result.output).toMatch(/^hello\nA\n(?:OLDPWD\n)?PROBE_COMMAND\nPWD\n/);
  });

  it("is told apart from one that could not start", async () => {
    const result = await runCommand({ ...shell(""), argv: ["/no/such/program"] }, never);
    expect(result).toMatchObject({ end: "not_started", code: null });
    expect(result.output).toContain("ENOENT");
  });

  it("is killed at its limit with all of its group", async () => {
    const result = await runCommand(shell("sleep 100 & echo $! > child; wait", { limitMs: 300 }), never);
    expect(result).toMatchObject({ end: "timed_out", code: null });
    expect(isThere(pidIn("child"))).toBe(false);
  });

  it("is killed when it is aborted", async () => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 200);
    expect(await runCommand(shell("sleep 100"), controller.signal)).toMatchObject({ end: "aborted" });
  });

  it("leaves no process behind, not in its group and not outside it", async () => {
    const script = "sleep 100 & echo $! > inside; setsid sh -c 'echo $$ > outside; exec sleep 100' & sleep 0.3; exit 0";
    expect(await runCommand(shell(script), never)).toMatchObject({ end: "exited", code: 0 });
    expect([isThere(pidIn("inside")), isThere(pidIn("outside"))]).toEqual([false, false]);
  });

  it("is killed when the process that waits for it is killed itself", async () => {
    const { spawn } = await import("node:child_process");
    const program = `
      import { runCommand } from ${JSON.stringify(join(import.meta.dirname, "../../dist/src/workspace/run-command.js"))};
      await runCommand({ argv: ["/bin/sh", "-c", "setsid sh -c 'echo $$ > stray; exec sleep 100' & echo $$ > main; sleep 100"],
        cwd: ${JSON.stringify(folder)}, env: { PATH: "/usr/bin:/bin" }, limitMs: null }, new AbortController().signal);`;
    const child = spawn(process.execPath, ["--input-type=module", "-e", program], { stdio: "inherit" });
    for (let i = 0; i < 200 && !(existsSync(join(folder, "stray")) && existsSync(join(folder, "main"))); i++)
      await sleep(50);
    await sleep(100);
    const pids = [pidIn("main"), pidIn("stray")];
    expect(pids.map(isThere)).toEqual([true, true]);
    child.kill("SIGKILL");
    for (let i = 0; i < 100 && pids.some(isThere); i++) await sleep(50);
    expect(pids.map(isThere)).toEqual([false, false]);
  });

  it.each(["sweep", "watch"])("is killed when that happens as it starts: %s", async (strays) => {
    const program = `
      import { runCommand } from ${JSON.stringify(join(import.meta.dirname, "../../dist/src/workspace/run-command.js"))};
      void runCommand({ argv: ["/bin/sh", "-c", "echo $$ > at-start-${strays}; exec sleep 100"], strays: "${strays}",
        cwd: ${JSON.stringify(folder)}, env: { PATH: "/usr/bin:/bin" }, limitMs: null }, new AbortController().signal);
      process.kill(process.pid, "SIGKILL");`;
    expect(spawnSync(process.execPath, ["--input-type=module", "-e", program]).signal).toBe("SIGKILL");
    // It may have been killed before it could say its name.
    await sleep(1500);
    const name = `at-start-${strays}`;
    expect(existsSync(join(folder, name)) && isThere(pidIn(name))).toBe(false);
  });

  it("may flood its output: head and tail stay, the memory does not grow", async () => {
    const before = process.memoryUsage().rss;
    const script = "echo first; head -c 300000000 /dev/zero | tr '\\0' x; echo; echo last";
    const result = await runCommand(shell(script, { limitMs: 60_000 }), never);
    expect(result.output.length).toBeLessThan(1.1 * 1024 * 1024);
    expect(result.output.startsWith("first\nxxx")).toBe(true);
    expect(result.output.endsWith("xxx\nlast\n")).toBe(true);
    expect(process.memoryUsage().rss - before).toBeLessThan(200_000_000);
  });
});
