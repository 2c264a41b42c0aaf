import { resolve } from "node:path";
import { groupBy } from "../../base/grouping.js";
import { fillTemplate } from "../../base/prompt-template.js";
import { sha256 } from "../../base/sha256.js";
import type { BenchAdapter, OwnValues } from "../../trial/adapter.js";
import {
  type Assignment,
  type Baseline,
  type Bench,
  type BenchData,
  benchData,
  type CodeText,
  type Grade,
  type HiddenOutcome,
  type Proof,
  type Submission,
} from "../../trial/bench-task.js";
import { workTools } from "../../trial/make/work-tools.js";
import { judgedTrials, type SummaryOptions, scoreRows } from "../../trial/score/summarise-trials.js";
import type { SummaryRow } from "../../trial/score/trial-tables.js";
import type { TrialRecord } from "../../trial/trial-records.js";
import { type PatchedFile, patchedFiles } from "../../workspace/patched-files.js";
import { filesOf, readTexts } from "../../workspace/tree-files.js";
import { Workspace } from "../../workspace/workspace.js";
import { PER_CASE, smellBlocks } from "./per-case.js";
import { OWN_CASES, readCases } from "./read-cases.js";
import { lastLines, runTests, sessionPytest, TEST_LIMIT_SECONDS, testFilesAmong } from "./run-case-tests.js";
import {
  loadPrompts,
  type Prompts,
  SETTINGS,
  SMELLS,
  type SmellCase,
  type SmellPlace,
  type SmellTask,
} from "./smell-case.js";
import { OWN_OPTIONS } from "./smell-options.js";
import { errorClass, type LineSpan, measuredScores, SCORE_COLUMNS, smellyLines } from "./smell-scores.js";

const GROUPINGS = [
  { groupBy: "difficulty", of: ({ scores }: TrialRecord) => scores["difficulty"] },
  { groupBy: "smell", of: ({ scores }: TrialRecord) => scores["smell"] },
] as const;

function textOf(of: (typeof GROUPINGS)[number]["of"]) {
  return (record: TrialRecord) => {
    const value = of(record);
    return typeof value === "string" ? value : null;
  };
}

/** Every score by difficulty and by smell, of each agent and setting. */
function moreSummary(records: readonly TrialRecord[], options: SummaryOptions): SummaryRow[] {
  const arms = groupBy(judgedTrials(records), ({ agent, condition }) => JSON.stringify([agent, condition]));
  return [...arms.values()].flatMap((own) =>
    GROUPINGS.flatMap(({ groupBy: by, of }) =>
      [...groupBy(own, (record) => String(of(record)))].flatMap(([group, part]) => {
        const [first] = part;
        if (first === undefined) return [];
        return scoreRows(part, options, { agent: first.agent, condition: first.condition, groupBy: by, group });
      }),
    ),
  );
}

/** The benchmark as the shared layers run it; the judge reads what it leaves. */
export const smellbenchAdapter: BenchAdapter<SmellTask> = {
  name: "smellbench",
  title: "SmellBench: agents find a design smell and remove it; tests, its place and a judge decide",
  conditions: SETTINGS.map((name) => ({ name, isDefault: true })),
  options: OWN_OPTIONS,
  scores: SCORE_COLUMNS,
  headline: "tpr_and_la",
  tables: [PER_CASE],
  moreSummary,
  groupings: [
    ...GROUPINGS.map(({ groupBy: name, of }) => ({ name, of: textOf(of) })),
    { name: "error", of: errorClass },
  ],
  moreBlocks: smellBlocks,
  prompts: async () => Object.values(await loadPrompts()),
  limits: { hidden_test_seconds: TEST_LIMIT_SECONDS },
  load: loadTasks,
  async runtime() {
    const pytest = await sessionPytest();
    const versions = { node: process.version, ...(typeof pytest !== "string" && { pytest: pytest.version }) };
    return { sha256: sha256(JSON.stringify(versions)), versions };
  },
  baselines: async ({ clean, goldPatch }) => [
    { check: "clean", patch: null, source: clean, expected: "pass" },
    { check: "smelly", patch: null, expected: "pass" },
    { check: PLACE, patch: null, expected: "there" },
    ...(goldPatch === null ? [] : [{ check: "gold", patch: goldPatch, expected: "pass" } satisfies Baseline]),
  ],
  runHidden,
  tested: async ({ place }) => (place === null ? [] : [place.file]),
  testTexts,
  proofs,
  faulty: ({ fault }) => fault,
  unreachable: ({ obstacle }) => obstacle,
  gold: async ({ goldPatch }) => goldPatch,
  request: async (task) => readable(task).smellCase.hint_guided.trim(),
  prepare: async (task, setting, workspace, bench) =>
    assignmentOf(readable(task).smellCase, setting, workspace, bench, await loadPrompts()),
  grade,
};

/** The check that the smelly code has the class and method that the case names. */
const PLACE = "place";

async function loadTasks(
  data: string | null,
  workingDirectory: string,
  { repo }: OwnValues,
): Promise<BenchData<SmellTask>> {
  const clones = typeof repo === "string" ? resolve(workingDirectory, repo) : null;
  return benchData("smellbench", data, await readCases(data ?? OWN_CASES, clones), clones);
}

interface Readable {
  readonly smellCase: SmellCase;
  readonly place: SmellPlace;
}

/** Parts of a task that can be tried: one that cannot be read is invalid before. */
function readable({ id, smellCase, place }: SmellTask): Readable {
  if (smellCase === null || place === null) throw new Error(`Expected a case that can be read, found ${id}.`);
  return { smellCase, place };
}

async function runHidden(task: SmellTask, tree: Workspace, bench: Bench, check: string): Promise<HiddenOutcome> {
  const { smellCase, place } = readable(task);
  if (check === PLACE) {
    const { reason } = await locate(place, await smellyText(place, tree), "");
    return { outcome: reason === null ? "there" : "missing", detail: reason };
  }
  const { passes, end, output } = await runTests({ ...task, smellCase }, tree, bench);
  if (passes === null) return { outcome: null, detail: `the tests could not be started: ${end}` };
  return { outcome: passes ? "pass" : "fail", detail: passes ? null : `${end}: ${lastLines(output)}` };
}

/** Tests of the repository, which agents see. */
async function testTexts(task: SmellTask, { tree }: Workspace): Promise<readonly CodeText[]> {
  return readTexts(tree, testFilesAmong(await filesOf(tree), readable(task).smellCase.testsuites));
}

async function smellyText({ file }: SmellPlace, tree: Workspace): Promise<string | null> {
  return (await tree.original(file))?.toString("utf8") ?? null;
}

async function grade(task: SmellTask, submission: Submission, bench: Bench): Promise<Grade> {
  const { smellCase, place } = readable(task);
  const { graded, applies, patch } = submission;
  const located = await locate(place, await smellyText(place, graded), patch.toString("utf8"));
  const tests = applies ? await runTests({ ...task, smellCase }, graded, bench) : NOT_APPLIED;
  if (tests.passes === null) return { status: "grader_failed", detail: `the tests could not be started: ${tests.end}` };
  const measured = {
    smell: smellCase.type,
    difficulty: smellCase.difficulty,
    tpr: tests.passes,
    la: applies ? located.la : false,
    la_file: applies && located.laFile,
  };
  const { output, ...report } = tests;
  return {
    status: "graded",
    scores: measuredScores(measured),
    nonTrivial: patch.length > 0,
    tampered: tests.putBack.length > 0 || (tests.line_up?.turned.length ?? 0) > 0,
    report: { tests: report, la_reason: located.reason },
    output,
  };
}

/** Test outcome of a patch that does not apply. */
const NOT_APPLIED = { passes: false, end: "not run", putBack: [], line_up: null, output: "The patch does not apply." };

/** Wrong solutions are graded as they were made to be. */
async function proofs(task: SmellTask, bench: Bench): Promise<readonly Proof[]> {
  const found: Proof[] = [];
  for (const { name, patch, tpr, la } of task.wrong) {
    const graded = await Workspace.create(await bench.folder(), task.source);
    const fault = await graded.apply(patch);
    const key = { taskId: task.id, condition: "", trial: 0, attempt: 0 };
    const made = await graded.patch();
    const bytes = made.status === "made" ? made.bytes : Buffer.alloc(0);
    const submission = { key, graded, patch: bytes, applies: fault === null, reportedSuccess: null };
    const result = await grade(task, submission, bench);
    const outcome = result.status === "graded" ? wordsOf(result.scores["tpr"], result.scores["la"]) : null;
    const detail = fault ?? (result.status === "graded" ? null : result.detail);
    found.push({ check: `patch ${name}`, outcome, expected: wordsOf(tpr, la), detail });
  }
  return found;
}

function wordsOf(tpr: unknown, la: unknown): string {
  return `tpr ${tpr}, la ${la}`;
}

/** Location of a patch, against that of the smell. */
interface Located {
  /** True if it changes a line of the smelly class or method; `null`: the smelly tree has none of that name. */
  readonly la: boolean | null;
  /** True if it changes the smelly file. */
  readonly laFile: boolean;
  /** Reason why `la` is not known; `null`: it is. */
  readonly reason: string | null;
}

/**
 * Localization accuracy (LA), as we define it: no code for the paper's was released. A patch is located if it changes a line
 * of the smelly class or method in the smelly tree: removes or replaces one, or adds one behind a line of it that is not its
 * last. Lines are those of a diff that follows no renames: who renames or deletes the file, writes it anew or changes its
 * line ends changes every line.
 * @param smelly the file with the smell; `null`: there is none
 */
export async function locate(place: SmellPlace, smelly: string | null, patch: string): Promise<Located> {
  const files = patchedFiles(patch).filter(({ before }) => before === place.file);
  const laFile = files.length > 0;
  if (smelly === null) return { la: null, laFile, reason: `no ${place.file}` };
  const spans = await smellyLines(place, smelly);
  if (typeof spans === "string") return { la: null, laFile, reason: spans };
  return { la: files.some((file) => spans.some((span) => touches(file, span))), laFile, reason: null };
}

function touches({ removed, addedBehind, after }: PatchedFile, { first, last }: LineSpan): boolean {
  return (
    // A binary file that goes has no lines.
    after === null ||
    removed.some((line) => first <= line && line <= last) ||
    addedBehind.some((line) => first <= line && line < last)
  );
}

/** Assignment of an agent: the smell and its file (`guided`), or class and method too (`targeted`). */
function assignmentOf(
  { type, hint_guided, hint_targeted, testsuites }: SmellCase,
  setting: string,
  tree: Workspace,
  bench: Bench,
  prompts: Prompts,
): Assignment {
  const hint = setting === "targeted" ? hint_targeted : hint_guided;
  const user = fillTemplate(prompts.task, { smell: SMELLS[type], hint: hint.trim(), tests: testsuites.join(", ") });
  return {
    system: prompts.agent.text,
    user,
    instruction: `${user}\n${prompts.agent.text}`,
    tools: workTools(tree, bench, "Ends the task: the smell is gone, or you cannot do more."),
  };
}
