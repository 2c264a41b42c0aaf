import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { ProbeError } from "../../../base/errors.js";
import { isTestPath } from "../../../base/test-path.js";
import type { Bench, CodeText } from "../../../trial/adapter.js";
import { readTexts } from "../../../workspace/tree-files.js";
import { Workspace } from "../../../workspace/workspace.js";
import { patchSections } from "../patch/patch-text.js";
import type { AtlasTask } from "../task/task.js";
import { type MutationTests, manifestNames, mutationTests } from "./mutation.js";
import { compareRuns, type RefactoringTests } from "./refactoring-tests.js";
import { runAllTests, runTestFiles, type TestRun } from "./run-tests.js";

/** What tests say of a tree, and what they printed. `null`: they could not be run here. */
export interface Tested<Result> {
  readonly result: Result | null;
  readonly output: string;
  /** In words, where there is no result. */
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
  const changed = await freshTree({ source: { kind: "folder", path: submitted.tree } }, bench);
  const fault = await changed.apply(await readFile(join(task.folder, "tests/test_patch.diff")));
  if (fault !== null) return lostReport(before, task, `the tests of the task do not apply: ${fault}`);
  const after = await runAllTests(task, changed.tree, bench);
  if (after.end === "not_started") return { result: null, output: after.output, detail: NOT_STARTED };
  if (after.report === null) return lostReport(before, task, after.output);
  return { result: compareRuns(before.report, after.report, task.relevantTests), output: after.output, detail: null };
}

/** The report that there was before is gone: nothing ran. */
function lostReport({ report }: TestRun, { relevantTests }: AtlasTask, output: string): Tested<RefactoringTests> {
  return { result: compareRuns(report ?? new Map(), new Map(), relevantTests), output, detail: null };
}

/** Runs all tests on the unmodified code, once a session; what gave no report is run again for the next trial. */
function runUnmodified(task: AtlasTask, bench: Bench): Promise<TestRun> {
  const key = `${task.sha256} ${bench.cage.kind}`;
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
  if (fault !== null) throw new ProbeError("bad_input", `its hidden tests do not apply: ${fault}`);
  return readTexts(fresh.tree, touchedTests(patch.toString("utf8")));
}

/** Files of tests that a patch makes or changes. */
export function touchedTests(patch: string): string[] {
  return patchSections(patch).flatMap(({ path, text }) =>
    isTestPath(path) && /^\+\+\+ "?b\//m.test(text) ? [path] : [],
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
