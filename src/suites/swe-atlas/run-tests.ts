import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { jsonValue } from "../../base/text.js";
import type { Bench } from "../../trial/bench-task.js";
import type { CommandResult } from "../../workspace/run-command.js";
import { copyTree, sealedText } from "../../workspace/sealed-files.js";
import type { AtlasTask, Script } from "./atlas-task.js";

/** Seconds that a run of tests may take. */
export const TEST_LIMIT_SECONDS = 900;

/** Result of a run of tests. */
export interface TestRun {
  /** `null`: there is none that can be read. */
  readonly report: TestReport | null;
  /** `null`: the script could not be started, which is no fault of what is tested. */
  readonly end: CommandResult["end"];
  readonly output: string;
}

/**
 * All tests of a refactoring's task, on a tree: the script writes its report. Of one that did not end by itself there is none,
 * whatever lies there: tested code may have written it, and killed the script.
 */
export async function runAllTests(
  task: AtlasTask,
  tree: string,
  bench: Bench,
  writes: readonly string[] = [],
): Promise<TestRun> {
  const place = await openPlace(task, tree, bench);
  const { run } = scriptsOf(task);
  const { end, code, output } = await runScript(place, run, [join(place.folder, REPORT)], { writes });
  const isOwn = end === "exited" && code !== null && code < KILLED;
  return { report: isOwn ? readLists(await sealedText(place.folder, REPORT)) : null, end, output };
}

/** Exit codes from here on are those of shells and cages for programs that a signal ended. */
const KILLED = 128;

/** Name of the report in the folder that a script may write to. */
const REPORT = "report.json";

/**
 * Some files of tests, on a tree: one script runs them, another reads what that printed. The second has a place of its own,
 * and what is written between the two is in a folder that neither may write to: what the tests leave is none of it.
 */
export async function runTestFiles(
  task: AtlasTask,
  tree: string,
  files: readonly string[],
  bench: Bench,
): Promise<TestRun> {
  const { run, parse } = scriptsOf(task);
  if (parse === null) throw new Error(`Expected a script that reads the tests of ${task.id}, found none.`);
  const logs = await bench.folder();
  const [said, errors] = [join(logs, "stdout.log"), join(logs, "stderr.log")];
  const ran = await runScript(await openPlace(task, tree, bench), run, files, { outputFile: said });
  await writeFile(errors, ran.output);
  const place = await openPlace(task, tree, bench);
  const read = await runScript(place, parse, [said, errors, join(place.folder, REPORT)], { reads: [logs] });
  const output = `${(await sealedText(logs, "stdout.log")) ?? ""}\n${ran.output}\n${read.output}`;
  return { report: readStates(await sealedText(place.folder, REPORT)), end: ran.end, output };
}

function scriptsOf({ scripts, id }: AtlasTask): NonNullable<AtlasTask["scripts"]> {
  if (scripts === null) throw new Error(`Expected scripts of ${id}, found none.`);
  return scripts;
}

/**
 * Files of a task that no script is shown: they are applied here. By hidden tests as they were, code under test would tell
 * which copies of a line-up are right.
 */
const HIDDEN = /\.(?:patch|diff)$/;

/** Folders in which scripts work: a copy of theirs, so that none changes the task. */
interface Place {
  readonly tree: string;
  readonly tests: string;
  readonly folder: string;
  readonly bench: Bench;
}

async function openPlace({ folder: from }: AtlasTask, tree: string, bench: Bench): Promise<Place> {
  const folder = await bench.folder();
  const tests = join(folder, "tests");
  await copyTree(join(from, "tests"), tests, (path) => !HIDDEN.test(path));
  await mkdir(join(folder, "home"));
  return { tree, tests, folder, bench };
}

interface ScriptOptions {
  readonly outputFile?: string;
  readonly reads?: readonly string[];
  /** Folders that it may write to, besides its place. */
  readonly writes?: readonly string[];
}

/**
 * Runs a script. A cage has the tree at `/app` and the scripts at `/tests`; without one their paths are put in for
 * these.
 */
async function runScript(
  { tree, tests, folder, bench }: Place,
  { file, program }: Script,
  args: readonly string[],
  { outputFile, reads = [], writes = [] }: ScriptOptions = {},
): Promise<CommandResult> {
  const path = join(tests, file);
  const isCaged = bench.cage.kind !== "none";
  if (!isCaged && file.endsWith(".sh")) await writeFile(path, placed(await readFile(path, "utf8"), tree, tests));
  const command = {
    argv: [program, path, ...args] as const,
    cwd: tree,
    env: { PATH: process.env["PATH"] ?? "/usr/bin:/bin", LANG: "C.UTF-8", HOME: join(folder, "home") },
    limitMs: TEST_LIMIT_SECONDS * 1000,
    ...(outputFile !== undefined && { outputFile }),
  };
  const permissions = { workspace: tree, writesWorkspace: true, writes: [folder, ...writes], reads, network: false };
  const at = isCaged ? { at: { "/app": tree, "/tests": tests } } : {};
  const result = await bench.cage.run(command, { ...permissions, ...at }, bench.signal);
  bench.signal.throwIfAborted();
  return result;
}

/** A text whose `/app` and `/tests` are other folders. */
export function placed(text: string, app: string, tests: string): string {
  return text.replace(/(?<![\w./-])\/app(?![\w-])/g, () => app).replace(/(?<![\w./-])\/tests(?![\w-])/g, () => tests);
}

/** State of each test of a run, by its name. */
export type TestReport = ReadonlyMap<string, TestState>;

/** `other`: skipped, for one; it says nothing. */
export type TestState = "passed" | "failed" | "other";

const named = z.looseObject({ name: z.string() });
const listsSchema = z.looseObject({
  passed_tests: z.array(named).default([]),
  failed_tests: z.array(named).default([]),
});
const statesSchema = z.looseObject({ tests: z.array(named.extend({ status: z.unknown() })) });

/** The report that a script of a refactoring writes: names by what became of them. `null`: it is none. */
export function readLists(text: string | null): TestReport | null {
  const lists = listsSchema.safeParse(jsonValue(text ?? "")).data;
  if (lists === undefined) return null;
  // A name that stands in both lists has passed.
  return new Map<string, TestState>([
    ...lists.failed_tests.map(({ name }) => [name, "failed"] as const),
    ...lists.passed_tests.map(({ name }) => [name, "passed"] as const),
  ]);
}

const STATES: Readonly<Record<string, TestState>> = { PASSED: "passed", FAILED: "failed", ERROR: "failed" };

/** The report that is read from what tests print: a state a name. `null`: it is none. */
export function readStates(text: string | null): TestReport | null {
  const states = statesSchema.safeParse(jsonValue(text ?? "")).data;
  if (states === undefined) return null;
  return new Map(states.tests.map(({ name, status }) => [name, stateOf(status)] as const));
}

/** Code that was handed in may have a hand in the report: what is no text is no state. */
function stateOf(status: unknown): TestState {
  return (typeof status === "string" ? STATES[status.trim().toUpperCase()] : undefined) ?? "other";
}

/** The names of a manifest: the `tests` of a JSON object, else its bullets that name no file; each once, sorted. */
export function manifestNames(manifest: string): string[] {
  const names = jsonNames(manifest) ?? bulletNames(manifest);
  return [...new Set(names.map((name) => name.trim()).filter((name) => name !== ""))].sort();
}

/** Anybody's JSON: an object in a name's place that says nothing of itself must not end the grading. */
function jsonNames(manifest: string): string[] | null {
  try {
    const { tests } = z.object({ tests: z.array(z.unknown()) }).parse(JSON.parse(manifest));
    return tests.map((entry) => {
      if (typeof entry !== "object" || entry === null) return String(entry);
      return "name" in entry ? String(entry.name) : "";
    });
  } catch {
    return null;
  }
}

function bulletNames(manifest: string): string[] {
  return manifest
    .split("\n")
    .map((line) => line.trim())
    .map((line) => (line.startsWith("-") ? line.slice(1).trim() : ""))
    .filter((item) => !/^file:|^tests?:$/i.test(item))
    .map(unquoted);
}

function unquoted(text: string): string {
  return /^(["'])(.*)\1$/s.exec(text)?.[2]?.trim() ?? text;
}

/**
 * Test of names of tests that ran for being in a manifest: some form of the name is some form of a listed one. Both may have
 * hundreds of thousands.
 */
export function listedIn(manifest: readonly string[]): (name: string) => boolean {
  const listed = new Set(manifest.flatMap(manifestForms));
  return (name) => runnerForms(name).some((form) => listed.has(form));
}

/** A runner's name whole, its last part, its last two, and what stands before a description. */
function runnerForms(name: string): string[] {
  const plain = normal(name);
  const bars = partsOf(plain, " | ");
  const colons = partsOf(plain, "::");
  const [beforeDash = ""] = plain.split(" - ");
  return [
    plain,
    beforeDash.trim(),
    bars.last,
    colons.last,
    bars.two.join(" | "),
    colons.two.join("::"),
    colons.two.join("."),
  ];
}

/** A name of a manifest: whole, or less what stands before its last part or its last two, by its language's separator. */
function manifestForms(name: string): string[] {
  const plain = normal(name);
  const [bars, colons, dots] = [partsOf(plain, " | "), partsOf(plain, "::"), partsOf(plain, ".")];
  return [
    plain,
    colons.last,
    dots.last,
    bars.two.join(" | "),
    colons.two.join("::"),
    colons.two.join("."),
    dots.two.join("."),
    ...(plain.includes("/") ? [plain.replaceAll(" ", "_")] : []),
  ];
}

function partsOf(name: string, separator: string): { readonly last: string; readonly two: readonly string[] } {
  const parts = name
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== "");
  return { last: parts.at(-1) ?? name, two: parts.slice(-2) };
}

/** Quotes and outer blanks off, ` > ` for ` | `, blanks folded, small letters. */
function normal(name: string): string {
  return unquoted(name.trim()).replaceAll(" > ", " | ").replace(/\s+/g, " ").toLowerCase();
}

/**
 * Tests if a test is one of those listed: its name equals, holds or is held by a listed one, or its last part behind `
 * | ` ends one, its last part behind `::` or its first before `/` equals one. Letters of either case are not the same.
 */
export function isRelevant(name: string, listed: readonly string[]): boolean {
  const afterBar = lastPart(name, " | ");
  const afterColons = lastPart(name, "::");
  const [beforeSlash] = name.split("/");
  return listed.some(
    (each) =>
      name.includes(each) ||
      each.includes(name) ||
      (name.includes(" | ") && each.endsWith(afterBar)) ||
      (name.includes("::") && each === afterColons) ||
      (name.includes("/") && each === beforeSlash),
  );
}

function lastPart(name: string, separator: string): string {
  return name.split(separator).at(-1) ?? name;
}
