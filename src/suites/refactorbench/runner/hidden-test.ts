import { randomBytes } from "node:crypto";
import { lstat, mkdir, realpath, writeFile } from "node:fs/promises";
import { basename, extname, join } from "node:path";
import { ProbeError } from "../../../base/errors.js";
import { readText } from "../../../store/text-lines.js";
import type { Cage } from "../../../workspace/cage.js";
import type { CommandResult } from "../../../workspace/command.js";
import { copyTree, sealedText } from "../../../workspace/sealed-files.js";
import { canarySource } from "./canary.js";
import type { InstalledRunner } from "./install-runner.js";
import { judgeReport, type RunnerReport, reportSchema, type TestResult } from "./runner-report.js";

/** How a test is run. */
export interface TestRun {
  readonly runner: InstalledRunner;
  readonly cage: Cage;
  /** An empty folder, of this run alone. */
  readonly folder: string;
  readonly signal: AbortSignal;
  /** Of all tests together, milliseconds; `TEST_LIMIT_MS` unless told otherwise. */
  readonly limitMs?: number;
}

/** How long the tests of a file may take together. */
export const TEST_LIMIT_MS = 120_000;

/**
 * Runs a hidden test on a tree, in a cage where there is one: it reads the tree, writes nothing but its report, has no
 * network. The tree itself stays as it is: what is tested is a copy of its `src`.
 * @throws the signal's reason when it stops the run
 */
export async function runHiddenTest(hidden: HiddenTest, run: TestRun): Promise<TestResult> {
  const word = `c${randomBytes(8).toString("hex")}`;
  const root = await rootIn(run.folder);
  return runFiles(root, await layOut(root, hidden, word), hidden.isDom, run);
}

/**
 * Runs a test that an agent wrote itself, likewise; without a canary, as nobody is judged by it.
 * @param path of the test, from the root of the tree
 */
export async function runOwnTest(
  { tree, path, isDom }: { readonly tree: string; readonly path: string; readonly isDom: boolean },
  run: TestRun,
): Promise<TestResult> {
  const root = await rootIn(run.folder);
  return runFiles(root, await layOutOwn(root, tree, path), isDom, run);
}

async function rootIn(folder: string): Promise<string> {
  const root = join(await realpath(folder), "fixture");
  await mkdir(root);
  return root;
}

async function runFiles(
  root: string,
  files: RootFiles,
  isDom: boolean,
  { runner, cage, signal, folder, limitMs = TEST_LIMIT_MS }: TestRun,
): Promise<TestResult> {
  const key = randomBytes(24).toString("hex");
  const out = join(await realpath(folder), "out");
  await mkdir(out);
  // As a cage shows it: on the way there a link may be in a place that is hidden.
  const folderOfRunner = await realpath(runner.folder);
  const command = {
    argv: [process.execPath, join(folderOfRunner, "run.mjs")] as const,
    cwd: root,
    env: environmentOf(out),
    input: JSON.stringify({ key, root, ...files, isDom, out }),
    limitMs,
  };
  const permissions = {
    workspace: root,
    writesWorkspace: false,
    writes: [out],
    reads: [folderOfRunner],
    network: false,
  };
  const result = await cage.run(command, permissions, signal);
  signal.throwIfAborted();
  const report = readReport(await sealedText(out, "report.json"), key);
  return report === null ? withoutReport(result) : judgeReport(report, isDom, result.durationMs);
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

/** What the runner wrote; `null` where it wrote nothing, or somebody else did, who does not know the key. */
function readReport(text: string | null, key: string): RunnerReport | null {
  try {
    const report = reportSchema.parse(JSON.parse(text ?? ""));
    return report.key === key ? report : null;
  } catch {
    return null;
  }
}

/** The kind of a failure that is none of the code's: the runner did not start. */
export const NOT_STARTED = "not_started";

function withoutReport({ end, output, durationMs }: CommandResult): TestResult {
  const kinds = { timed_out: "time_limit", not_started: NOT_STARTED, exited: "no_report", killed: "no_report" };
  return {
    passes: false,
    isTampered: false,
    testsPassed: 0,
    testsFailed: 0,
    missingPackages: [],
    durationMs,
    failureKind: end === "aborted" ? "no_report" : kinds[end],
    message: end === "timed_out" ? "The tests took too long, and were stopped." : output,
  };
}

/** A hidden test, and what it is run on. */
interface HiddenTest {
  /** The tree whose `src` is tested. */
  readonly tree: string;
  /** The test's file; outside the tree. */
  readonly testFile: string;
  /** Whether it needs a page: matchers for the DOM, and a document. */
  readonly isDom: boolean;
}

/** Paths of the two files in a root. */
interface RootFiles {
  readonly test: string;
  /** `null`: there is none. */
  readonly canary: string | null;
}

/**
 * Lays out what is tested: `src` of the tree, the test beside it, and its canary. Nothing else of the tree comes in: neither
 * a configuration nor packages that somebody put there.
 * @param word of the canary
 */
async function layOut(root: string, { tree, testFile, isDom }: HiddenTest, word: string): Promise<RootFiles> {
  await copyFolder(tree, root, "src");
  const text = await readTest(testFile);
  const test = basename(testFile);
  const canary = `${word}.test${extname(testFile)}`;
  await writeFile(join(root, test), text);
  await writeFile(join(root, canary), canarySource(text, word, isDom));
  return { test, canary };
}

/**
 * Likewise for a test of the tree itself, with the folder it is in.
 * @param path of the test: in a folder of the tree
 */
async function layOutOwn(root: string, tree: string, path: string): Promise<RootFiles> {
  const [folder = ""] = path.split("/");
  for (const name of new Set(["src", folder])) await copyFolder(tree, root, name);
  return { test: path, canary: null };
}

async function copyFolder(tree: string, root: string, name: string): Promise<void> {
  const source = join(tree, name);
  const info = await lstat(source).catch(() => null);
  if (info?.isDirectory() === true) {
    await copyTree(source, join(root, name), isCopied);
  } else await mkdir(join(root, name));
}

function isCopied(path: string): boolean {
  return basename(path) !== "node_modules";
}

async function readTest(path: string): Promise<string> {
  try {
    return await readText(path);
  } catch (error) {
    throw new ProbeError("bad_input", `Expected a hidden test, found none at ${path}.`, { cause: error });
  }
}
