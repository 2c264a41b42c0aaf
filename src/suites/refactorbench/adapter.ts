import { rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { ProbeError } from "../../base/errors.js";
import { packageRoot } from "../../base/package-root.js";
import { sha256, sha256OfFile } from "../../base/sha256.js";
import { readText } from "../../store/read-text.js";
import type { Bench, BenchAdapter, BenchData, BenchTask } from "../../trial/adapter.js";
import { readPatch } from "../../workspace/read-patch.js";
import { filesOf } from "../../workspace/tree-files.js";
import type { Fixture } from "./fixture/fixture.js";
import { proveMutants } from "./fixture/prove-mutants.js";
import { OWN_FIXTURES, readFixtures } from "./fixture/read-fixtures.js";
import { OWN_OPTIONS } from "./options.js";
import { assignmentText, loadPrompts, requestText } from "./prompt/assignment.js";
import { CONDITIONS, conditionOf, withFullTools } from "./prompt/conditions.js";
import { NOT_STARTED, runHiddenTest, runOwnTest, TEST_LIMIT_MS, type TestRun } from "./runner/hidden-test.js";
import { findRunner, type InstalledRunner, installRunner, providedPackages } from "./runner/install.js";
import type { TestResult } from "./runner/judge-report.js";
import { SCORE_COLUMNS, scoreValues } from "./score/columns.js";
import { PER_FIXTURE } from "./score/per-fixture.js";
import { readOriginal, scoreRefactoring } from "./score/scores.js";
import { refactorTools, SCRATCH } from "./tools/refactor-tools.js";

/** A fixture as a task. */
interface RefactorTask extends BenchTask {
  readonly fixture: Fixture;
}

/** The benchmark as the shared layers run it. */
export const refactorbenchAdapter: BenchAdapter<RefactorTask> = {
  name: "refactorbench",
  title: "RefactorBench-JS: agents split a large file into modules; hidden tests judge",
  conditions: CONDITIONS.map(({ name, isDefault }) => ({ name, isDefault })),
  options: OWN_OPTIONS,
  conditionBy: (condition, { tools }) => (tools === "full" ? withFullTools(condition) : condition),
  scores: SCORE_COLUMNS,
  headline: "decomposed",
  tables: [PER_FIXTURE],
  prompts: async () => Object.values(await loadPrompts()).map(({ id, sha256: hash }) => ({ id, sha256: hash })),
  limits: { hidden_test_seconds: TEST_LIMIT_MS / 1000 },
  load: loadTasks,
  async runtime() {
    const { sha256: hash } = await requireRunner();
    return { sha256: hash, versions: { vitest_runner: hash.slice(0, 16) }, isPinned: true };
  },
  async setup(say) {
    if ((await findRunner()) === null) say("Installing the test runner (130 MB; once).");
    const { folder } = await installRunner();
    say(`The test runner is there: ${folder}`);
  },
  async baselines({ fixture }) {
    const expected = "pass";
    const gold = await goldOf(fixture);
    return [
      { check: "original", patch: null, expected },
      ...(gold === null ? [] : [{ check: "gold", patch: gold, expected }]),
    ];
  },
  async runHidden({ fixture }, { tree }, bench) {
    const { passes, failureKind, message, missingPackages } = await hiddenTest(fixture, tree, bench);
    if (failureKind === NOT_STARTED) return { outcome: null, detail: message };
    const needs = missingPackages.map((name) => `needs ${name}`).join(", ");
    return { outcome: passes ? "pass" : "fail", detail: passes ? null : needs || message.trim() || failureKind };
  },
  async testTexts({ fixture: { testFile } }) {
    return [{ path: basename(testFile), text: await readText(testFile) }];
  },
  tested: async ({ fixture }) => [`src/${fixture.target}`],
  async proofs({ fixture, source }, bench) {
    const score = async (tree: string) =>
      scoreRefactoring({
        ...{ fixture, tree, hidden: await hiddenTest(fixture, tree, bench), reportedSuccess: true },
        ...{ original: await readOriginal(fixture), provided: await providedPackages() },
      });
    return proveMutants({ fixture, source, bench, score });
  },
  gold: ({ fixture }) => goldOf(fixture),
  request: async ({ fixture }) => requestText(await loadPrompts(), fixture),
  async prepare({ fixture }, name, { tree }, bench) {
    const condition = conditionOf(name);
    const tools = refactorTools({
      ...{ tree, condition, provided: await providedPackages() },
      original: (await readOriginal(fixture)).check,
      runTest: async (path) => runOwnTest({ tree, path, isDom: fixture.isDom }, await testRun(bench)),
    });
    const told = tools.map(({ definition }) => definition);
    return { ...(await assignmentText(await loadPrompts(), fixture, told, condition.hasTestRunner)), tools };
  },
  settle: (_, { tree }) => rm(join(tree, SCRATCH), { recursive: true, force: true }),
  async grade({ fixture }, { graded, applies, reportedSuccess }, bench) {
    const original = await readOriginal(fixture);
    const { tree } = graded;
    const hidden = applies ? await hiddenTest(fixture, tree, bench) : NOT_APPLIED;
    if (hidden.failureKind === NOT_STARTED) return { status: "grader_failed", detail: hidden.message };
    const provided = await providedPackages();
    const scores = await scoreRefactoring({ fixture, original, tree, hidden, reportedSuccess, provided });
    return {
      status: "graded",
      scores: scoreValues(applies ? scores : { ...scores, filesCompiled: 0, filesCompiledPublished: null }),
      nonTrivial: scores.nonTrivial,
      tampered: scores.tampered,
      report: { ...scores, tests: hidden },
      output: hidden.message,
    };
  },
};

/** What stands for the tests of a patch that does not apply. */
const NOT_APPLIED: TestResult = {
  ...{ passes: false, isTampered: false, testsPassed: 0, testsFailed: 0, missingPackages: [], durationMs: 0 },
  failureKind: "patch_does_not_apply",
  message: "The patch does not apply.",
};

async function hiddenTest(fixture: Fixture, tree: string, bench: Bench): Promise<TestResult> {
  const { testFile, isDom } = fixture;
  return runHiddenTest({ tree, testFile, isDom }, await testRun(bench));
}

async function testRun(bench: Bench): Promise<TestRun> {
  const { cage, signal } = bench;
  return { runner: await requireRunner(), cage, folder: await bench.folder(), signal };
}

async function requireRunner(): Promise<InstalledRunner> {
  const runner = await findRunner();
  if (runner !== null) return runner;
  throw new ProbeError(
    "bad_input",
    "Expected the test runner of refactorbench, found none. Install it once: probe suite setup refactorbench",
  );
}

async function goldOf({ goldPatch }: Fixture): Promise<Buffer | null> {
  return goldPatch === null ? null : readPatch(goldPatch);
}

async function loadTasks(data: string | null): Promise<BenchData<RefactorTask>> {
  const source = data ?? OWN_FIXTURES;
  const fixtures = await readFixtures(source);
  const tasks = await Promise.all(fixtures.map(taskOf));
  const hash = sha256(tasks.map((task) => `${task.id} ${task.sha256}\n`).join(""));
  // In a clone of this program, its history has them too.
  const hidden = data === null ? [source, join(packageRoot, ".git")] : [source];
  return { source: data ?? "datasets/suites/refactorbench", sha256: hash, tasks, hidden };
}

async function taskOf(fixture: Fixture): Promise<RefactorTask> {
  const { folder, name } = fixture;
  const files = await filesOf(folder);
  const lines = await Promise.all(files.map(async (path) => `${path} ${await sha256OfFile(join(folder, path))}\n`));
  const source = { kind: "folder", path: join(folder, "src"), at: "src" } as const;
  return { id: name, group: name, source, sha256: sha256(lines.join("")), fixture };
}
