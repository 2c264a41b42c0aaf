import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { badInput } from "../../base/errors.js";
import { isTestPath } from "../../base/source-path.js";
import type { Bench, CodeText } from "../../trial/bench-task.js";
import { type LineUp, type LineUpSetting, lineUp, stands } from "../../trial/lineup/line-up.js";
import { changesOf } from "../../trial/make/work-tools.js";
import { hasLines, patchSections } from "../../workspace/patched-files.js";
import { writeSealed } from "../../workspace/sealed-files.js";
import { filesOf, readTexts } from "../../workspace/tree-files.js";
import { Workspace } from "../../workspace/workspace.js";
import type { AtlasTask } from "./atlas-task.js";
import { goldOf } from "./hand-in.js";
import {
  isRelevant,
  listedIn,
  manifestNames,
  runAllTests,
  runTestFiles,
  type TestReport,
  type TestRun,
} from "./run-tests.js";

/** Result of tests on a tree, and their output. `null`: they could not be run here. */
interface Tested<Result> {
  readonly result: Result | null;
  readonly output: string;
  /** Reason in words, where there is no result. */
  readonly detail: string | null;
}

const NOT_STARTED = "the tests could not be started";

/** Runs of the unmodified code, by task: the same for every trial of a session. */
const unmodified = new Map<string, Promise<TestRun>>();

/** Runs all tests on the unmodified code and, with the tests of the task on it, on a tree; what an agent made of tests does not count. */
export async function testRefactoring(
  task: AtlasTask,
  submitted: Workspace,
  bench: Bench,
): Promise<Tested<RefactoringTests>> {
  const before = await runUnmodified(task, bench);
  // Nothing ran even there, so that nothing can be said of a change: scripts of released tasks report that as no tests.
  if (before.report === null || before.report.size === 0)
    return { result: null, output: before.output, detail: `no test ran on the unmodified code: ${before.end}` };
  await submitted.restore(task.testFiles);
  const patch = await readFile(join(task.folder, "tests/test_patch.diff"));
  const changed = await freshTree({ source: { kind: "folder", path: submitted.tree } }, bench);
  const fault = await changed.apply(patch);
  if (fault !== null) return lostReport(before, task, `the tests of the task do not apply: ${fault}`);
  const after = await runAllTests(task, changed.tree, bench);
  if (after.end === "not_started") return { result: null, output: after.output, detail: NOT_STARTED };
  if (after.report === null) return lostReport(before, task, after.output);
  const result = compareRuns(before.report, after.report, task.relevantTests);
  if (!result.reward) return { result, output: after.output, detail: null };
  const line_up = await lineUpOf(task, submitted, bench);
  return { result: { ...result, reward: stands(line_up), line_up }, output: after.output, detail: null };
}

/** Tests of the task that passed, once more as a line-up; right is what the right solution is, else the unmodified code. */
async function lineUpOf(task: AtlasTask, submitted: Workspace, bench: Bench): Promise<LineUp> {
  const patch = await readFile(join(task.folder, "tests/test_patch.diff"));
  const withTests = async (code: "reference" | "submitted") => {
    const source = code === "submitted" ? ({ kind: "folder", path: submitted.tree } as const) : task.source;
    const tree = await freshTree({ source }, bench);
    const gold = code === "submitted" ? null : await goldOf(task);
    if (gold !== null) {
      await tree.apply(Buffer.from(changesOf(gold.toString("utf8"))));
      await tree.restore(task.testFiles);
    }
    await tree.apply(patch);
    return tree.tree;
  };
  const fresh = await withTests("submitted");
  const named = new Set([...touchedTests(patch.toString("utf8")), ...task.testFiles]);
  const paths = (await filesOf(fresh)).filter((path) => named.has(path));
  const setting: LineUpSetting = {
    tests: await readTexts(fresh, paths),
    reference: JSON.stringify(["swe-atlas", task.id, task.sha256, bench.cage.setting]),
    async run(code, files, writes) {
      const tree = await withTests(code);
      for (const { path, text } of files) await writeSealed({ root: tree, path }, text);
      await runAllTests(task, tree, bench, [writes]);
    },
  };
  return lineUp(setting, bench);
}

/** The report that there was before is gone: nothing ran. */
function lostReport({ report }: TestRun, { relevantTests }: AtlasTask, output: string): Tested<RefactoringTests> {
  return { result: compareRuns(report ?? new Map(), new Map(), relevantTests), output, detail: null };
}

/** Runs all tests on the unmodified code, once a session; what gave no report is run again for the next trial. */
function runUnmodified(task: AtlasTask, bench: Bench): Promise<TestRun> {
  const key = `${task.sha256} ${bench.cage.setting}`;
  const known = unmodified.get(key);
  if (known !== undefined) return known;
  const run = freshTree(task, bench).then(({ tree }) => runAllTests(task, tree, bench));
  unmodified.set(key, run);
  const forget = () => unmodified.delete(key);
  run.then(({ report }) => (report?.size ?? 0) > 0 || forget(), forget);
  return run;
}

async function freshTree({ source }: Pick<AtlasTask, "source">, bench: Bench): Promise<Workspace> {
  return Workspace.create(join(await bench.folder(), "work"), source);
}

/** The hidden tests of a refactoring, as they stand on the unmodified code; of the other workflows there are none. */
export async function hiddenTests(
  { workflow, folder, scripts }: AtlasTask,
  fresh: Workspace,
): Promise<readonly CodeText[]> {
  if (workflow !== "rf" || scripts === null) return [];
  const patch = await readFile(join(folder, "tests/test_patch.diff"));
  const fault = await fresh.apply(patch);
  if (fault !== null) throw badInput(`its hidden tests do not apply: ${fault}`);
  return readTexts(fresh.tree, touchedTests(patch.toString("utf8")));
}

/** Files of tests that a patch makes or changes. */
export function touchedTests(patch: string): string[] {
  return patchSections(patch).flatMap(({ path, file }) =>
    isTestPath(path) && file.after !== null && hasLines(file) ? [path] : [],
  );
}

/** Runs the tests that a patch brings, then once more without the code that they are about. */
export async function testMutation(
  task: AtlasTask,
  { tree }: Workspace,
  { files, manifest }: { readonly files: readonly string[]; readonly manifest: string | null },
  bench: Bench,
): Promise<Tested<MutationTests>> {
  const names = manifestNames(manifest ?? "");
  // Copied first: what the tests leave in their tree is none of the other's.
  const gone = await freshTree({ source: { kind: "folder", path: tree } }, bench);
  const before = await runTestFiles(task, tree, files, bench);
  if (before.end === "not_started") return { result: null, output: before.output, detail: NOT_STARTED };
  const fault = await gone.apply(await readFile(join(task.folder, "tests/skeleton_code_swap.patch")));
  const report = before.report ?? new Map();
  if (fault !== null) {
    const { relevant } = mutationTests(report, new Map(), names);
    return {
      result: { relevant, survivors: [], passes: false },
      output: `the code cannot be taken away: ${fault}`,
      detail: null,
    };
  }
  const after = await runTestFiles(task, gone.tree, files, bench);
  if (after.end === "not_started") return { result: null, output: after.output, detail: NOT_STARTED };
  const result = mutationTests(report, after.report ?? new Map(), names);
  return { result, output: `${before.output}\n---\n${after.output}`, detail: null };
}

/** Test of tests: they should notice that the code under them is gone. */
interface MutationTests {
  /** Tests of the manifest that pass on the code as it is. */
  readonly relevant: number;
  /** Tests of these that do not fail once the code is gone; a test that is missing then has not failed. */
  readonly survivors: readonly string[];
  readonly passes: boolean;
}

/** @param manifest names of tests, as their writer lists them */
export function mutationTests(before: TestReport, after: TestReport, manifest: readonly string[]): MutationTests {
  const isListed = listedIn(manifest);
  const relevant = [...before].filter(([name, state]) => state === "passed" && isListed(name));
  const survivors = relevant.map(([name]) => name).filter((name) => after.get(name) !== "failed");
  return { relevant: relevant.length, survivors, passes: relevant.length > 0 && survivors.length === 0 };
}

/** Change of a test from the unmodified code to now; skipped counts as missing. */
type Transition = `${"pass" | "fail" | "missing"}_to_${"pass" | "fail" | "missing"}`;

/** Result of the tests of a refactoring. */
interface RefactoringTests {
  /** Count of relevant tests by their change; those that were never there are none. */
  readonly transitions: Readonly<Partial<Record<Transition, number>>>;
  /** Listed names that no test has afterwards. */
  readonly unseen: readonly string[];
  /** Nothing relevant broke, nothing relevant is gone, all that is listed ran, something did, and the line-up saw it. */
  readonly reward: boolean;
  /** Reward by the released rule, which a patch passes after which nothing runs. */
  readonly rewardPublished: boolean;
  /** Line-up of tests that passed; absent: they did not. */
  readonly line_up?: LineUp;
}

/** @param listed names of tests that have to hold */
export function compareRuns(before: TestReport, after: TestReport, listed: readonly string[]): RefactoringTests {
  const names = [...new Set([...before.keys(), ...after.keys()])].filter((name) => isRelevant(name, listed));
  const transitions: Partial<Record<Transition, number>> = {};
  for (const name of names) {
    const transition: Transition = `${stateOf(before, name)}_to_${stateOf(after, name)}`;
    if (transition !== "missing_to_missing") transitions[transition] = (transitions[transition] ?? 0) + 1;
  }
  const seen = [...after].filter(([, state]) => state !== "other").map(([name]) => name);
  const unseen = listed.filter((each) => !seen.some((name) => isRelevant(name, [each])));
  const has = (transition: Transition) => (transitions[transition] ?? 0) > 0;
  const rewardPublished = !has("pass_to_fail") && !has("missing_to_fail");
  const isWhole = !has("pass_to_missing") && unseen.length === 0 && seen.length > 0;
  return { transitions, unseen, reward: rewardPublished && isWhole, rewardPublished };
}

function stateOf(report: TestReport, name: string): "pass" | "fail" | "missing" {
  const state = report.get(name);
  return state === "passed" ? "pass" : state === "failed" ? "fail" : "missing";
}
