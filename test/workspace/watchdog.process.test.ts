import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { MARK_VARIABLE, Watchdog } from "../../src/workspace/watchdog.js";
import { temporaryFolder } from "../fixtures/temporary-folder.js";

const folder = temporaryFolder();
/** Files of the kernel have no size that could be copied by. */
const copyStat = (from: string, to: string) => writeFileSync(to, readFileSync(from));

/** A stray that has just been started, as the kernel shows it while it becomes another program: without an environment. */
async function startStray(name: string) {
  const stray = spawn("/bin/sleep", ["100"]);
  const [proc, pid] = [join(folder, name), String(stray.pid)];
  for (const path of [pid, "self"]) mkdirSync(join(proc, path), { recursive: true });
  copyStat(`/proc/${pid}/stat`, join(proc, pid, "stat"));
  copyStat("/proc/1/stat", join(proc, "self/stat"));
  for (const file of ["environ", "exe"]) writeFileSync(join(proc, pid, file), "");
  return { stray, proc, environ: join(proc, pid, "environ") };
}

it("a process that is only just becoming another program is waited for", async () => {
  const { stray, proc, environ } = await startStray("late");
  const watchdog = new Watchdog("a-mark", proc);
  watchdog.watch(2 ** 22 + 1);
  const swept = watchdog.sweep();
  const ended = once(stray, "exit");
  // Longer than two rounds take.
  await sleep(300);
  writeFileSync(environ, `A=1\0${MARK_VARIABLE}=a-mark\0`);
  expect((await ended)[1]).toBe("SIGKILL");
  await swept;
});

it("one that began before, or has another mark, is neither killed nor waited for", async () => {
  const { stray, proc, environ } = await startStray("other");
  copyStat(`/proc/self/stat`, join(proc, "self/stat"));
  copyStat("/proc/1/stat", join(proc, String(stray.pid), "stat"));
  await new Watchdog("a-mark", proc).sweep();
  writeFileSync(environ, `${MARK_VARIABLE}=b-mark\0`);
  await new Watchdog("a-mark", proc).sweep();
  expect(stray.exitCode ?? stray.signalCode).toBeNull();
  stray.kill("SIGKILL");
});
