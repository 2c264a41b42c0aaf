import { chmod, cp, mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Bench } from "../../../trial/bench-task.js";
import type { CommandResult } from "../../../workspace/command.js";
import type { TestCommand } from "../taste-task.js";
import { type TestCounts, testCounts } from "./test-counts.js";

/** Seconds that a run of tests may take, as released. */
export const TEST_LIMIT_SECONDS = 1200;
/** Runs of tests that end without a report are made again, up to so many in all. */
const MOST_TRIES = 4;

/** Run of a repository's tests. */
export interface TestRun {
  /** `null`: it did not tell. */
  readonly counts: TestCounts | null;
  readonly end: CommandResult["end"];
  readonly output: string;
}

/**
 * The tests of a tree, once more where they told nothing.
 * @throws the reason of the bench's signal when that stops it
 */
export async function runTests(command: TestCommand, tree: string, bench: Bench): Promise<TestRun> {
  for (let tries = 1; ; tries++) {
    const { end, output } = await runOnce(command, tree, bench);
    // Tests stopped at their limit failed, whatever they printed before, and would be stopped again.
    const counts = end === "exited" ? testCounts(output) : null;
    if (counts !== null || tries === MOST_TRIES || end !== "exited") return { counts, end, output };
  }
}

async function runOnce(command: TestCommand, tree: string, bench: Bench): Promise<CommandResult> {
  const folder = await bench.folder();
  const home = join(folder, "home");
  await mkdir(home);
  const permissions = { workspace: tree, writesWorkspace: true, writes: [folder], reads: [], network: false };
  const started = {
    argv: await argumentsOf(command, folder),
    cwd: tree,
    env: { PATH: process.env["PATH"] ?? "/usr/bin:/bin", LANG: "C.UTF-8", HOME: home },
    limitMs: TEST_LIMIT_SECONDS * 1000,
  };
  const result = await bench.cage.run(started, permissions, bench.signal);
  bench.signal.throwIfAborted();
  return result;
}

/** A script is copied: what it is part of is hidden, and it may write beside itself. */
async function argumentsOf(command: TestCommand, folder: string): Promise<readonly [string, ...string[]]> {
  if (command.kind === "line") return ["/bin/sh", "-c", command.line];
  const scripts = join(folder, "scripts");
  await cp(command.folder, scripts, { recursive: true });
  const file = join(scripts, command.file);
  await chmod(file, 0o755);
  return [file];
}
