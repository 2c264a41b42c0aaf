import { chmod, cp, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { isTestPath } from "../../../base/source-path.js";
import type { Bench } from "../../../trial/bench-task.js";
import { type LineUp, type LineUpSetting, lineUp } from "../../../trial/lineup/line-up.js";
import type { CommandResult } from "../../../workspace/run-command.js";
import { writeSealed } from "../../../workspace/sealed-files.js";
import { filesOf, readTexts } from "../../../workspace/tree-files.js";
import { Workspace } from "../../../workspace/workspace.js";
import type { TasteTask, TestCommand } from "../taste-task.js";
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
    const { end, output } = await runOnce(command, tree, bench, []);
    // Tests stopped at their limit failed, whatever they printed before, and would be stopped again.
    const counts = end === "exited" ? testCounts(output) : null;
    if (counts !== null || tries === MOST_TRIES || end !== "exited") return { counts, end, output };
  }
}

/**
 * Tests that passed, once more as a line-up: those files of them that a patch left as they were.
 * @param submitted a tree in which no test has run
 * @param changed paths that the patch changed
 */
export async function lineUpOf(
  task: TasteTask,
  submitted: string,
  changed: ReadonlySet<string>,
  bench: Bench,
): Promise<LineUp | null> {
  const { tests: command, source, id, sha256 } = task;
  if (command === null) return null;
  const paths = (await filesOf(submitted)).filter((path) => isTestPath(path) && !changed.has(path));
  const setting: LineUpSetting = {
    tests: await readTexts(submitted, paths),
    reference: JSON.stringify(["codetaste", id, sha256, command, paths, bench.cage.setting]),
    async run(code, files, writes) {
      const from = code === "submitted" ? ({ kind: "folder", path: submitted } as const) : source;
      const { tree } = await Workspace.create(join(await bench.folder(), "work"), from);
      for (const { path, text } of files) await writeSealed({ root: tree, path }, text);
      await runOnce(command, tree, bench, [writes]);
    },
  };
  return lineUp(setting, bench);
}

async function runOnce(
  command: TestCommand,
  tree: string,
  bench: Bench,
  writes: readonly string[],
): Promise<CommandResult> {
  const folder = await bench.folder();
  const home = join(folder, "home");
  await mkdir(home);
  const permissions = {
    workspace: tree,
    writesWorkspace: true,
    writes: [folder, ...writes],
    reads: [],
    network: false,
  };
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
