import { lstat, mkdir, realpath, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { badInput } from "../../../base/errors.js";
import { sha256 } from "../../../base/sha256.js";
import { jsonValue } from "../../../base/text.js";
import { readText } from "../../../store/text-lines.js";
import type { Bench, CodeText } from "../../../trial/bench-task.js";
import { type LineUp, type LineUpSetting, lineUp, lineUpText, stands } from "../../../trial/lineup/line-up.js";
import type { CommandResult } from "../../../workspace/run-command.js";
import { copyTree, sealedText } from "../../../workspace/sealed-files.js";
import type { InstalledRunner } from "./install-runner.js";
import { judgeReport, NOT_RUN, type RunnerReport, reportSchema, type TestResult } from "./runner-report.js";

/** Setting in which a test is run. */
export interface TestRun {
  readonly runner: InstalledRunner;
  readonly bench: Bench;
  /** Time limit of all tests together, milliseconds; `TEST_LIMIT_MS` unless told otherwise. */
  readonly limitMs?: number;
}

/** Time limit of the tests of a file together. */
export const TEST_LIMIT_MS = 120_000;

/**
 * Runs a hidden test on a tree, in a cage where there is one: it reads the tree, writes nothing but its report, has no
 * network. The tree itself stays as it is: what is tested is a copy of its `src`. Where the test passes, it runs once more as
 * a line-up.
 * @throws the signal's reason when it stops the run
 */
export async function runHiddenTest(hidden: HiddenTest, run: TestRun): Promise<TestResult> {
  const { tree, original, testFile } = hidden;
  const test = { path: basename(testFile), text: await readTest(testFile) };
  const first = await runFiles(await layOut(tree, test, run), test.path, hidden, run);
  if (!first.passes) return first;
  const setting: LineUpSetting = {
    tests: [test],
    reference: JSON.stringify(["refactorbench", original, sha256(test.text), run.bench.cage.setting]),
    async run(code, [file], writes) {
      if (file === undefined) return;
      const root = await layOut(code === "submitted" ? tree : original, file, run);
      await runFiles(root, file.path, hidden, run, [writes]);
    },
  };
  return withLineUp(first, await lineUp(setting, run.bench));
}

function withLineUp(first: TestResult, found: LineUp): TestResult {
  const common = { ...first, lineUp: found };
  if (found.turned.length > 0) return { ...common, isTampered: true };
  if (stands(found)) return common;
  return {
    ...common,
    passes: false,
    failureKind: "unseen",
    message: `Expectations of the test were ${lineUpText(found)}.`,
  };
}

/**
 * Runs a test that an agent wrote itself; without a line-up, as nobody is judged by it.
 * @param path of the test, from the root of the tree
 */
export async function runOwnTest(
  { tree, path, ...kind }: TestKind & { readonly tree: string; readonly path: string },
  run: TestRun,
): Promise<TestResult> {
  const root = await rootIn(run);
  await copyOwn(root, tree, path);
  return runFiles(root, path, kind, run);
}

async function rootIn({ bench }: TestRun): Promise<string> {
  const root = join(await realpath(await bench.folder()), "fixture");
  await mkdir(root);
  return root;
}

async function runFiles(
  root: string,
  test: string,
  kind: TestKind,
  run: TestRun,
  writes: readonly string[] = [],
): Promise<TestResult> {
  const { report, result } = await startRunner(root, test, kind, run, writes);
  if (report !== null) return judgeReport(report, result.durationMs);
  const found = withoutReport(result);
  if (found.failureKind !== NO_REPORT || (await works(kind, run))) return found;
  const { folder } = run.runner;
  const message = `the test runner in ${folder} runs no test at all. Delete that folder, then: probe suite setup refactorbench`;
  return { ...found, failureKind: NOT_STARTED, message };
}

/** Tests if the runner runs a test of our own: where it reports nothing, code under test may have ended it. */
async function works(kind: TestKind, run: TestRun): Promise<boolean> {
  const root = await rootIn(run);
  await mkdir(join(root, "src"));
  await writeFile(join(root, "works.test.js"), 'it("works", () => {});\n');
  return (await startRunner(root, "works.test.js", kind, run)).report?.test.tests.length === 1;
}

async function startRunner(
  root: string,
  test: string,
  { isDom, isJest = false }: TestKind,
  { runner, bench, limitMs = TEST_LIMIT_MS }: TestRun,
  writes: readonly string[] = [],
): Promise<{ readonly report: RunnerReport | null; readonly result: CommandResult }> {
  const out = join(dirname(root), "out");
  await mkdir(out);
  // Path as a cage shows it: on the way there a link may be in a place that is hidden.
  const folderOfRunner = await realpath(runner.folder);
  const command = {
    argv: [process.execPath, join(folderOfRunner, "run.mjs")] as const,
    cwd: root,
    env: environmentOf(out),
    input: JSON.stringify({ root, test, isDom, isJest, out }),
    limitMs,
  };
  const permissions = {
    workspace: root,
    writesWorkspace: false,
    writes: [out, ...writes],
    reads: [folderOfRunner],
    network: false,
  };
  const result = await bench.cage.run(command, permissions, bench.signal);
  bench.signal.throwIfAborted();
  return { report: readReport(await sealedText(out, "report.json")), result };
}

function environmentOf(out: string): Record<string, string> {
  return {
    PATH: process.env["PATH"] ?? "/usr/bin:/bin",
    HOME: out,
    TMPDIR: out,
    LANG: "C.UTF-8",
    TZ: "UTC",
    NO_COLOR: "1",
    CI: "1",
  };
}

/**
 * Report of the runner, or of the code under test in its place, which the line-up then shows; `null`: nothing that can
 * be read.
 */
function readReport(text: string | null): RunnerReport | null {
  return reportSchema.safeParse(jsonValue(text ?? "")).data ?? null;
}

/** The kind of a failure that is none of the code's: the runner did not start, or runs nothing. */
export const NOT_STARTED = "not_started";
const NO_REPORT = "no_report";

function withoutReport({ end, output, durationMs }: CommandResult): TestResult {
  const kinds = { timed_out: "time_limit", not_started: NOT_STARTED, exited: NO_REPORT, killed: NO_REPORT };
  const message = end === "timed_out" ? "The tests took too long, and were stopped." : output;
  return { ...NOT_RUN, durationMs, failureKind: end === "aborted" ? NO_REPORT : kinds[end], message };
}

/** Needs of a test. */
interface TestKind {
  /** True if it needs a page: matchers for the DOM, and a document. */
  readonly isDom: boolean;
  /** True if it is written for Jest; absent: for vitest. */
  readonly isJest?: boolean;
}

/** A hidden test, and what it is run on. */
interface HiddenTest extends TestKind {
  /** The tree whose `src` is tested. */
  readonly tree: string;
  /** The tree with the code as it was, which passes. */
  readonly original: string;
  /** The test's file; outside the tree. */
  readonly testFile: string;
}

/**
 * Lays out what is tested: `src` of the tree, the test beside it. Nothing else of the tree comes in: neither a configuration
 * nor packages that somebody put there.
 */
async function layOut(tree: string, { path, text }: CodeText, run: TestRun): Promise<string> {
  const root = await rootIn(run);
  await copyFolder(tree, root, "src");
  await writeFile(join(root, path), text);
  return root;
}

/**
 * Lays out `src`, and the folder that a test of the tree itself is in.
 * @param path of the test: in a folder of the tree
 */
async function copyOwn(root: string, tree: string, path: string): Promise<void> {
  const [folder = ""] = path.split("/");
  for (const name of new Set(["src", folder])) await copyFolder(tree, root, name);
}

async function copyFolder(tree: string, root: string, name: string): Promise<void> {
  const source = join(tree, name);
  const info = await lstat(source).catch(() => null);
  if (info?.isDirectory() === true) {
    await copyTree(source, join(root, name), (path) => basename(path) !== "node_modules");
  } else await mkdir(join(root, name));
}

async function readTest(path: string): Promise<string> {
  try {
    return await readText(path);
  } catch (error) {
    throw badInput(`Expected a hidden test, found none at ${path}.`, error);
  }
}
