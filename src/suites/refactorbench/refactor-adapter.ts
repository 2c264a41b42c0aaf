import { basename, join } from "node:path";
import { badInput } from "../../base/errors.js";
import { sha256, sha256OfFile } from "../../base/sha256.js";
import type { Bytes } from "../../base/text.js";
import { modelName } from "../../model/vendor/model-name.js";
import { readText } from "../../store/text-lines.js";
import type { BenchAdapter } from "../../trial/adapter.js";
import { agentSuite } from "../../trial/agent-suite.js";
import { type Bench, type BenchData, type BenchTask, benchData } from "../../trial/bench-task.js";
import { ownTable } from "../../trial/score/own-table.js";
import { numberOf } from "../../trial/score/summarise-trials.js";
import type { TrialRecord } from "../../trial/trial-records.js";
import type { TrialRun } from "../../trial/trial-run.js";
import { filesOf, removeTree } from "../../workspace/tree-files.js";
import { readPatch } from "../../workspace/workspace.js";
import {
  assignmentText,
  CONDITIONS,
  conditionOf,
  loadPrompts,
  refactorTools,
  requestText,
  SCRATCH,
  withFullTools,
} from "./assignment.js";
import { proveMutants } from "./mutants.js";
import { ARMS, PUBLISHED_TABLE, type PublishedRow } from "./published/published-row.js";
import { type Fixture, OWN_FIXTURES, readFixtures } from "./read-fixtures.js";
import { OWN_OPTIONS } from "./refactor-commands.js";
import { FILES_CHECKED, readOriginal, SCORE_COLUMNS, scoreRefactoring, scoreValues } from "./refactor-scores.js";
import { NOT_STARTED, runHiddenTest, runOwnTest, TEST_LIMIT_MS, type TestRun } from "./runner/hidden-test.js";
import { findRunner, type InstalledRunner, installRunner, providedPackages } from "./runner/install-runner.js";
import { NOT_RUN, type TestResult } from "./runner/runner-report.js";

/** Names of our two arms in the released tables; the others keep theirs. */
const RELEASED_NAMES: ReadonlyMap<string, string> = new Map([
  ["no-test-runner", ARMS.disabled],
  ["test-runner", ARMS.enabled],
]);

/** Our own trials with the published columns, for `probe suite stats`: one row each, of the time at which their run began. */
const PER_FIXTURE = ownTable(PUBLISHED_TABLE, publishedRow);

function publishedRow(record: TrialRecord, run: TrialRun): PublishedRow {
  const { agent, condition, scores, task_id, trial } = record;
  const isControl = run.agents.some(({ name, is_control }) => is_control && name === agent);
  const model = isControl ? agent : modelName(run.model);
  const bucket = scores["failure_bucket"];
  return {
    provider: model,
    model,
    fixture: task_id,
    testRunner: RELEASED_NAMES.get(condition) ?? condition,
    passesTests: scores["passes_tests"] === true,
    reportedSuccess: record.reported_success,
    isNonTrivial: record.non_trivial,
    filesCompiled: numberOf(scores["files_compiled_published"]),
    failureBucket: typeof bucket === "string" ? bucket : null,
    durationMs: record.duration_ms,
    costUsd: record.cost_usd,
    promptTokens: record.prompt_tokens,
    completionTokens: record.completion_tokens,
    filesBefore: numberOf(scores["files_before"]),
    filesAfter: numberOf(scores["files_after"]),
    totalFilesCompiled: numberOf(scores[FILES_CHECKED]),
    isSynthetic: false,
    sourceExport: run.run_id,
    experimentId: run.run_id,
    resultId: [run.run_id, agent, condition, task_id, trial].join("/"),
    createdAt: run.times.created_at,
  };
}

/** A fixture as a task. */
interface RefactorTask extends BenchTask {
  readonly fixture: Fixture;
}

const PRESENT_RULE = "a quarter less code, half of it in no other file";
const EARLIER_RULE = "a tenth shorter (decomposed_lenient of today)";

/** The benchmark as the shared layers run it. */
export const refactorbenchAdapter: BenchAdapter<RefactorTask> = {
  name: "refactorbench",
  title: "RefactorBench-JS: agents split a large file into modules; hidden tests judge",
  conditions: CONDITIONS.map(({ name, isDefault }) => ({ name, isDefault })),
  options: OWN_OPTIONS,
  conditionBy: (condition, { tools }) => (tools === "full" ? withFullTools(condition) : condition),
  scores: SCORE_COLUMNS,
  headline: "decomposed",
  // The rule has been a stricter one since there is the lenient score.
  ruleOf: (scores) => (Object.hasOwn(scores, "decomposed_lenient") ? PRESENT_RULE : EARLIER_RULE),
  tables: [PER_FIXTURE],
  groupings: [{ name: "failure_bucket", of: ({ scores }) => String(scores["failure_bucket"]) }],
  prompts: async () => Object.values(await loadPrompts()),
  limits: { hidden_test_seconds: TEST_LIMIT_MS / 1000 },
  load: loadTasks,
  async runtime() {
    const { sha256: hash } = await requireRunner();
    return { sha256: hash, versions: { vitest_runner: hash.slice(0, 16) }, isPinned: true };
  },
  async setup(say) {
    if ((await findRunner()) === null) say("Installing the test runners, vitest and Jest (185 MB; once).");
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
    const tests = await hiddenTest(fixture, tree, bench);
    const { failureKind, message, missingPackages, testsPassed, failures = [] } = tests;
    const passes = tests.passes && !tests.isTampered;
    if (failureKind === NOT_STARTED) return { outcome: null, detail: message };
    const needs = missingPackages.map((name) => `needs ${name}`).join(", ");
    return {
      outcome: passes ? "pass" : "fail",
      detail: passes ? null : needs || message.trim() || failureKind,
      tests: { passed: testsPassed, failed: [...failures] },
    };
  },
  async testTexts({ fixture: { testFile } }) {
    return [{ path: basename(testFile), text: await readText(testFile) }];
  },
  tested: async ({ fixture }) => [`src/${fixture.target}`],
  async proofs({ fixture, source }, bench) {
    const score = async (tree: string) =>
      scoreRefactoring({
        fixture,
        tree,
        hidden: await hiddenTest(fixture, tree, bench),
        reportedSuccess: true,
        original: await readOriginal(fixture),
        provided: await providedPackages(),
      });
    return proveMutants({ fixture, source, bench, score });
  },
  gold: ({ fixture }) => goldOf(fixture),
  request: async ({ fixture }) => requestText(await loadPrompts(), fixture),
  async prepare({ fixture }, name, { tree }, bench) {
    const condition = conditionOf(name);
    const tools = refactorTools({
      tree,
      condition,
      provided: await providedPackages(),
      original: (await readOriginal(fixture)).check,
      runTest: async (path, leftMs) => {
        const run = { ...(await testRun(bench)), limitMs: Math.min(TEST_LIMIT_MS, leftMs) };
        return runOwnTest({ tree, path, ...kindOf(fixture) }, run);
      },
    });
    const told = tools.map(({ definition }) => definition);
    return { ...(await assignmentText(await loadPrompts(), fixture, told, condition.hasTestRunner)), tools };
  },
  async settle(_, { tree }) {
    const left = await removeTree(join(tree, SCRATCH));
    if (left !== null) throw new Error(`${SCRATCH}/ cannot be removed: ${left}`);
  },
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

/** Test result of a patch that does not apply. */
const NOT_APPLIED: TestResult = {
  ...NOT_RUN,
  durationMs: 0,
  failureKind: "patch_does_not_apply",
  message: "The patch does not apply.",
};

async function hiddenTest(fixture: Fixture, tree: string, bench: Bench): Promise<TestResult> {
  const { folder, testFile } = fixture;
  return runHiddenTest({ tree, original: folder, testFile, ...kindOf(fixture) }, await testRun(bench));
}

function kindOf({ isDom, isJest }: Fixture) {
  return { isDom, isJest };
}

async function testRun(bench: Bench): Promise<TestRun> {
  return { runner: await requireRunner(), bench };
}

async function requireRunner(): Promise<InstalledRunner> {
  const runner = await findRunner();
  if (runner !== null) return runner;
  throw badInput(
    "Expected the test runner of refactorbench, found none. Install it once: probe suite setup refactorbench",
  );
}

async function goldOf({ goldPatch }: Fixture): Promise<Bytes | null> {
  return goldPatch === null ? null : readPatch(goldPatch);
}

async function loadTasks(data: string | null): Promise<BenchData<RefactorTask>> {
  const fixtures = await readFixtures(data ?? OWN_FIXTURES);
  return benchData("refactorbench", data, await Promise.all(fixtures.map(taskOf)));
}

async function taskOf(fixture: Fixture): Promise<RefactorTask> {
  const { folder, name } = fixture;
  const files = await filesOf(folder);
  const lines = await Promise.all(files.map(async (path) => `${path} ${await sha256OfFile(join(folder, path))}\n`));
  const source = { kind: "folder", path: join(folder, "src"), at: "src" } as const;
  return { id: name, group: name, source, sha256: sha256(lines.join("")), fixture };
}

/** RefactorBench-JS as every command runs a suite. */
export const suite = agentSuite(refactorbenchAdapter);
