import { groupBy } from "../../base/grouping.js";
import { sha256 } from "../../base/sha256.js";
import { isTestPath } from "../../base/source-path.js";
import type { BenchAdapter } from "../../trial/adapter.js";
import {
  type Baseline,
  type Bench,
  type BenchData,
  benchData,
  type Grade,
  type HiddenOutcome,
  type Submission,
} from "../../trial/bench-task.js";
import { addedJaccard } from "../../trial/make/gold-book.js";
import { changesOf, HAND_IN, rootedAssignment } from "../../trial/make/work-tools.js";
import { headlineRows, type SummaryOptions } from "../../trial/score/summarise-trials.js";
import type { SummaryRow } from "../../trial/score/trial-tables.js";
import { type ScoreColumn, scoreColumns, type TrialRecord } from "../../trial/trial-records.js";
import { hasLines, type PatchedFile, patchSections } from "../../workspace/patched-files.js";
import type { Workspace } from "../../workspace/workspace.js";
import { type Measured, measuredScores } from "./atlas-scores.js";
import { type AtlasTask, loadOwnPrompts, WORKFLOWS, type Workflow } from "./atlas-task.js";
import { goldOf, handedIn } from "./hand-in.js";
import { OWN_TASKS, readTasks } from "./read-tasks.js";
import { manifestNames, TEST_LIMIT_SECONDS } from "./run-tests.js";
import { hiddenTests, testMutation, testRefactoring, touchedTests } from "./test-outcomes.js";

const COLUMNS = scoreColumns([
  ["reward", "share", "All that the workflow asks for; empty: it is not known."],
  ["reward_published", "share", "The reward by the released rules."],
  ["rubrics_pass", "share", "All must-haves that can be read pass; empty: none can, or nobody judged."],
  ["rubrics_pass_published", "share", "Rubrics pass by the released rule of the workflow."],
  ["agg_score", "mean", "Share of the rubrics that can be read that pass."],
  ["manifest_pass", "share", "tw: the manifest names the tests that were added."],
  ["mutation_pass", "share", "tw: every test of the manifest fails once the code is gone."],
  ["tests_reward", "share", "rf: nothing relevant broke or is gone, and all that is listed ran."],
  ["tests_reward_published", "share", "rf: nothing relevant broke; a patch after which nothing runs passes."],
  ["answer_words", "count", "qa: words of the answer; empty: there is none."],
  ["tests_written", "count", "tw: tests that the manifest names; empty: there is none."],
  ["gold_jaccard", "mean", "Of rewarded trials: similarity of the added lines with the right solution's, 0–1."],
]);

/** Scores that no judge has a part in. */
const UNJUDGED = new Set(["mutation_pass", "tests_reward", "tests_reward_published", "answer_words", "tests_written"]);

/** Scores that leaderboards show beside the reward, and of which workflow. */
const BOARDS: Readonly<Record<string, readonly Workflow[]>> = {
  answer_words: ["qa"],
  tests_written: ["tw"],
  mutation_pass: ["tw"],
};

/** Columns of the suite in `trials.csv`. */
export const SCORE_COLUMNS: readonly ScoreColumn[] = COLUMNS.map((column) => ({
  ...column,
  ...(BOARDS[column.name] && { boards: BOARDS[column.name] }),
  ...(!UNJUDGED.has(column.name) && { isJudged: true }),
}));

/** Group of the tasks of all workflows together, each counted once. */
const ALL = "all";

const GROUPINGS = [
  { groupBy: "category", of: ({ scores }: TrialRecord) => scores["category"] },
  { groupBy: "language", of: ({ scores }: TrialRecord) => scores["language"] },
  { groupBy: "group", of: ({ group }: TrialRecord) => group },
] as const;

/** The reward, Pass@k and Pass^k of all workflows together, weighted by tasks, and by category, language and repository. */
export function moreSummary(records: readonly TrialRecord[], options: SummaryOptions): SummaryRow[] {
  return [...groupBy(records, ({ agent }) => agent)].flatMap(([agent, own]) => {
    const place = { agent, condition: ALL };
    return [
      ...headlineRows(own, options, { ...place, groupBy: "overall", group: "" }),
      ...GROUPINGS.flatMap(({ groupBy: by, of }) => {
        const named = own.filter((record) => typeof of(record) === "string" && of(record) !== "");
        return [...groupBy(named, (record) => String(of(record)))]
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .flatMap(([group, part]) => headlineRows(part, options, { ...place, groupBy: by, group }));
      }),
    ];
  });
}

/** The benchmark as the shared layers run it; the judge reads what it leaves. */
export const sweAtlasAdapter: BenchAdapter<AtlasTask> = {
  name: "swe-atlas",
  title: "SWE Atlas: agents answer questions, write tests, refactor; tests and a judge with rubrics decide",
  conditions: WORKFLOWS.map((name) => ({ name, isDefault: true })),
  options: {},
  scores: SCORE_COLUMNS,
  headline: "reward",
  moreSummary,
  groupings: ["category", "language"].map((name) => ({ name, of: ({ scores }: TrialRecord) => labelIn(scores[name]) })),
  prompts: async () => Object.values(await loadOwnPrompts()),
  limits: { hidden_test_seconds: TEST_LIMIT_SECONDS },
  load: loadTasks,
  runtime: async () => ({ sha256: sha256(process.version), versions: { node: process.version } }),
  baselines,
  runHidden,
  tested,
  testTexts: hiddenTests,
  unreachable: ({ obstacle }) => obstacle,
  gold: goldOf,
  changesOf,
  request: async ({ instruction }) => instruction,
  prepare: async ({ instruction: text }, _, workspace, bench) => {
    const system = (await loadOwnPrompts()).agent.text;
    const finish = "Ends the task: everything that is asked for is written.";
    return rootedAssignment({ system, text, place: "/app", finish }, workspace, bench);
  },
  grade,
};

function labelIn(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

async function loadTasks(data: string | null): Promise<BenchData<AtlasTask>> {
  return benchData("swe-atlas", data, await readTasks(data ?? OWN_TASKS, await loadOwnPrompts()));
}

/** A right solution has to pass what no judge decides. */
async function baselines(task: AtlasTask): Promise<readonly Baseline[]> {
  const gold = task.workflow === "qa" ? null : await goldOf(task);
  return gold === null ? [] : [{ check: "gold", patch: gold, expected: "pass" }];
}

async function runHidden(task: AtlasTask, tree: Workspace, bench: Bench): Promise<HiddenOutcome> {
  const patch = await tree.patch();
  const text = patch.status === "made" ? changesOf(patch.bytes.toString("utf8")) : "";
  const { passes, detail } = await measure(task, tree, text, bench);
  if (passes === null) return { outcome: null, detail };
  return { outcome: passes ? "pass" : "fail", detail: passes ? null : detail };
}

/**
 * Files that a right refactoring changes: the tests are about these. For the other workflows no tests judge given code.
 */
async function tested(task: AtlasTask): Promise<string[]> {
  const gold = task.workflow === "rf" ? await goldOf(task) : null;
  const sections = patchSections(changesOf(gold?.toString("utf8") ?? ""));
  const isThere = ({ before, after }: PatchedFile) => before !== null && (after === null || after === before);
  return sections
    .filter(({ path, file }) => !isTestPath(path) && hasLines(file) && isThere(file))
    .map(({ path }) => path);
}

/** Test scores of a tree. */
interface TreeScore {
  /** `null`: no tests decide, or they could not be run. */
  readonly passes: boolean | null;
  readonly passesPublished: boolean | null;
  readonly manifest: string | null;
  readonly answer: string | null;
  readonly testFiles: readonly string[];
  readonly output: string;
  readonly detail: string | null;
  readonly report: object;
  /** True if expectations that were turned held; `null`: no tests were lined up. */
  readonly tampered: boolean | null;
}

async function measure(task: AtlasTask, tree: Workspace, changes: string, bench: Bench): Promise<TreeScore> {
  if (task.workflow === "qa") return { ...NOTHING, answer: await handedIn(tree.tree, "answer.txt") };
  const manifest = task.workflow === "tw" ? await handedIn(tree.tree, "manifest.txt") : null;
  // What is handed in is no part of the repository, and no judge is shown it as such: nobody may keep code there.
  await tree.restore([HAND_IN]);
  if (task.workflow === "rf") {
    const { result, output, detail } = await testRefactoring(task, tree, bench);
    const [passes, passesPublished] = [result?.reward ?? null, result?.rewardPublished ?? null];
    const tampered = result?.line_up === undefined ? null : result.line_up.turned.length > 0;
    const why = detail ?? JSON.stringify(result);
    return { ...NOTHING, passes, passesPublished, output, detail: why, report: { tests: result }, tampered };
  }
  const own = { ...NOTHING, manifest, testFiles: touchedTests(changes) };
  if (own.testFiles.length === 0) return { ...own, passes: false, detail: "no file of tests was touched" };
  const { result, output, detail } = await testMutation(task, tree, { files: own.testFiles, manifest }, bench);
  const passes = result?.passes ?? null;
  const why = detail ?? JSON.stringify(result);
  return { ...own, passes, passesPublished: passes, output, detail: why, report: { mutation: named(result) } };
}

function named(result: Awaited<ReturnType<typeof testMutation>>["result"]): object | null {
  return result && { ...result, survivors: result.survivors.slice(0, MOST_NAMED) };
}

const NOTHING: TreeScore = {
  passes: null,
  passesPublished: null,
  manifest: null,
  answer: null,
  testFiles: [],
  output: "",
  detail: null,
  report: {},
  tampered: null,
};

/** Test scores of a patch that does not apply. */
const NOT_APPLIED = { ...NOTHING, passes: false, passesPublished: false, output: "The patch does not apply." };

async function grade(task: AtlasTask, { graded, applies, patch }: Submission, bench: Bench): Promise<Grade> {
  const changes = changesOf(patch.toString("utf8"));
  const found = applies ? await measure(task, graded, changes, bench) : NOT_APPLIED;
  const { workflow, category, language } = task;
  const gold = (await goldOf(task))?.toString("utf8") ?? null;
  const measured: Measured = {
    workflow,
    category,
    language,
    submitted: isSubmitted(task, found, changes),
    rubrics_listed: task.rubrics.length,
    has_manifest: workflow === "tw" ? found.manifest !== null : null,
    answer_words: found.answer === null ? null : wordsIn(found.answer),
    tests_written: found.manifest === null ? null : manifestNames(found.manifest).length,
    mutation_pass: workflow === "tw" ? found.passes : null,
    tests_reward: workflow === "rf" ? found.passes : null,
    tests_reward_published: workflow === "rf" ? found.passesPublished : null,
    jaccard: workflow === "qa" || gold === null ? null : addedJaccard(changes, changesOf(gold)),
  };
  return {
    status: "graded",
    scores: measuredScores(measured),
    nonTrivial: measured.submitted,
    tampered: found.tampered,
    report: {
      answer: found.answer,
      manifest: found.manifest,
      test_files: found.testFiles.slice(0, MOST_NAMED),
      ...found.report,
    },
    output: found.output,
  };
}

/** Names of files and tests that a report has, of each kind: an agent may have made millions, and a judge reads it. */
const MOST_NAMED = 1000;

function wordsIn(text: string): number {
  return text.split(/\s+/).filter((word) => word !== "").length;
}

function isSubmitted({ workflow }: AtlasTask, { answer, testFiles }: TreeScore, changes: string): boolean {
  if (workflow === "qa") return answer !== null;
  return changes !== "" && (workflow === "rf" || testFiles.length > 0);
}
