import { lstatSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { badInput } from "../../base/errors.js";
import { groupBy } from "../../base/grouping.js";
import { sha256 } from "../../base/sha256.js";
import { isTestPath, languageOfFile } from "../../base/source-path.js";
import type { Bytes } from "../../base/text.js";
import type { BenchAdapter, OwnValues } from "../../trial/adapter.js";
import {
  type Assignment,
  type Baseline,
  type Bench,
  type BenchData,
  benchData,
  type Grade,
  type HiddenOutcome,
  type Submission,
} from "../../trial/bench-task.js";
import type { Lead, Led } from "../../trial/make/attempt-lead.js";
import { workTools } from "../../trial/make/work-tools.js";
import { type ScoreColumn, type ScoreValue, scoreColumns } from "../../trial/trial-records.js";
import { diffCommits } from "../../workspace/received-repository.js";
import { temporaryFolder, textsIn } from "../../workspace/tree-files.js";
import { readPatch, type Workspace } from "../../workspace/workspace.js";
import { PATCH_SECTION } from "./patch-section.js";
import { CONDITIONS, conditionOf, loadPrompts, type PhaseText, planned, workText } from "./plans.js";
import { OWN_INSTANCES, readInstances } from "./read-instances.js";
import { programEngine } from "./rules/program-engine.js";
import { scanTree } from "./rules/scan-tree.js";
import { ENGINES, type EngineName, type RuleEngine } from "./rules/taste-rule.js";
import { changedLines } from "./score/changed-lines.js";
import { measureTree } from "./score/measure-tree.js";
import { runTests, TEST_LIMIT_SECONDS } from "./score/run-repo-tests.js";
import { notRunBlocks, RULES_NOT_RUN, type Scores, scoreBlocks, scoresOf } from "./score/taste-scores.js";
import { passes } from "./score/test-counts.js";
import type { TrialReport } from "./score/trial-report.js";
import { INSTANCE_OPTIONS } from "./taste-options.js";
import type { GoldSource, TasteTask } from "./taste-task.js";

/** Time limit of a regular expression in a file. */
const REGEX_LIMIT_MS = 10_000;

const PROGRAMS = ["opengrep", "semgrep"] as const;

/**
 * The engine that is asked for; `auto`: the first of Opengrep, Semgrep and the built-in one.
 * @throws ProbeError `bad_input` when a program is asked for and there is none
 */
export async function findEngine(name: EngineName, ignoreFile: string | null): Promise<RuleEngine> {
  const wanted = name === "auto" ? PROGRAMS : PROGRAMS.filter((program) => program === name);
  for (const program of wanted) {
    const engine = await programEngine(program, ignoreFile);
    if (engine !== null) return engine;
  }
  if (name === "auto" || name === "regex") return regexEngine(REGEX_LIMIT_MS);
  throw badInput(
    `Expected ${name} on the search path for --rule-engine ${name}, found none that works. Install it, or use --rule-engine regex.`,
  );
}

/** The built-in engine: regular expressions alone. */
function regexEngine(limitMs: number): RuleEngine {
  return {
    name: "regex",
    version: "1",
    scan: (set, tree, { signal }, patched) => scanTree(set, { tree, patched, limitMs, signal }),
  };
}

/** The verdict on a trial: a no-op passes, and follows the rules that happen to hold already. */
const HEADLINE = "refactored";

const LINES: readonly (readonly [Exclude<keyof Scores, "published"> | "ifr_published", ScoreColumn["kind"], string])[] =
  [
    ["ifr", "mean", "Rules followed/rules; empty: not every rule was run, or there is no rule."],
    ["ifr_published", "mean", "Rules followed/rules as released: missing results hold no match."],
    ["ifr_additive", "mean", "Share followed of the rules that look for what is to come."],
    ["ifr_reductive", "mean", "Share followed of the rules that look for what is to go."],
    ["ifr_supported", "mean", "Share followed of the rules that were run."],
    ["rules_supported", "count", "Rules that were run."],
    ["pass", "share", "As many tests pass as in any baseline run, and no more fail."],
    ["alignment", "mean", "Pass × IFR."],
    ["alignment_additive", "mean", "Pass × IFR of the additive rules."],
    ["alignment_reductive", "mean", "Pass × IFR of the reductive rules."],
    ["precision", "mean", "Changed lines that a rule wanted/changed lines."],
    ["precision_added", "mean", "Share of added lines that a rule wanted."],
    ["precision_removed", "mean", "Share of removed lines that a rule wanted."],
    ["precision_filtered", "mean", "precision of lines of code alone: no documents, configuration, comments, blanks."],
    ["precision_added_filtered", "mean", "precision_added of lines of code alone."],
    ["precision_removed_filtered", "mean", "precision_removed of lines of code alone."],
    ["edited_lines", "count", "Lines of code added and removed."],
    ["added_lines", "count", "Lines of code added."],
    ["removed_lines", "count", "Lines of code removed."],
    [HEADLINE, "share", "Passes, and follows every rule."],
  ];

/** Key in the journal: the language that most lines of people's own change are in, which sets trials apart. */
const LANGUAGE = "language";

/** Columns of the suite in `trials.csv`. */
export const SCORE_COLUMNS: readonly ScoreColumn[] = [
  ...scoreColumns(LINES),
  { name: LANGUAGE, kind: "label", description: "Language that most lines of people's own change are in." },
];

/** The scores by their columns. */
function scoreValues(scores: Scores): Record<string, ScoreValue> {
  return Object.fromEntries(
    LINES.map(([name]) => [name, name === "ifr_published" ? scores.published.ifr : scores[name]]),
  );
}

/** Budget of a trial, where the command line names none (suites.md §4). */
const BUDGET_USD = 11;

/** The benchmark as the shared layers run it. */
export const codetasteAdapter: BenchAdapter<TasteTask> = {
  name: "codetaste",
  title: "CodeTaste: agents refactor, told how or not; static rules and tests judge",
  conditions: CONDITIONS.map(({ name }) => ({ name, isDefault: true })),
  options: INSTANCE_OPTIONS,
  scores: SCORE_COLUMNS,
  headline: HEADLINE,
  groupings: [{ name: LANGUAGE, of: ({ scores }) => (typeof scores[LANGUAGE] === "string" ? scores[LANGUAGE] : null) }],
  prompts: async () => Object.values(await loadPrompts()),
  limits: {
    default_budget_usd: BUDGET_USD,
    hidden_test_seconds: TEST_LIMIT_SECONDS,
    regex_file_seconds: REGEX_LIMIT_MS / 1000,
  },
  budgetUsd: BUDGET_USD,
  load: loadTasks,
  async runtime(values) {
    const { name, version } = await engineOf(values, null);
    const versions = { node: process.version, [name]: version };
    return { sha256: sha256(JSON.stringify(versions)), versions };
  },
  baselines,
  runHidden,
  tested,
  // Tests of the repository, which agents see: which of them its command runs is not told.
  testTexts: async (_, { tree }) => textsIn(tree, (path) => isTestPath(path) && languageOfFile(path) !== null),
  unreachable: ({ obstacle }) => obstacle,
  gold: ({ goldSource }) => goldOf(goldSource),
  prepare: async (task, condition, workspace, bench) =>
    assignmentOf(workText(await loadPrompts(), task, conditionOf(condition), null), workspace, bench),
  moreBlocks: (run, summary, records) => [...scoreBlocks(run, summary), ...notRunBlocks(records)],
  sections: [PATCH_SECTION],
  request: async ({ description }) => description.instructed,
  lead,
  grade,
};

/** Rules that no engine ran, a line each. */
function notRun({ rules }: TrialReport): string {
  return rules
    .flatMap(({ id, matches, why }) => (matches === null ? [`${id}: ${why ?? "no results"}`] : []))
    .join("\n");
}

function engineOf({ ruleEngine }: OwnValues, ignoreFile: string | null): Promise<RuleEngine> {
  return findEngine(ENGINES.find((name) => name === ruleEngine) ?? "auto", ignoreFile);
}

async function loadTasks(
  named: string | null,
  workingDirectory: string,
  values: OwnValues,
): Promise<BenchData<TasteTask>> {
  const data = named ?? OWN_INSTANCES;
  const { repo, testCmd } = values;
  const ignored = join(data, "assets/default.semgrepignore");
  const clones = typeof repo === "string" ? resolve(workingDirectory, repo) : null;
  const tasks = await readInstances({
    data,
    repo: clones,
    testCmd: typeof testCmd === "string" ? testCmd : null,
    engine: await engineOf(values, lstatSync(ignored, { throwIfNoEntry: false })?.isFile() === true ? ignored : null),
  });
  return benchData("codetaste", named, tasks, clones);
}

/** Its own tests have to tell how they went, and to stay in the band of the baselines. */
async function baselines(task: TasteTask): Promise<readonly Baseline[]> {
  const expected = task.band === null ? "told" : "pass";
  const gold = await goldOf(task.goldSource);
  return [
    { check: "original", patch: null, expected },
    ...(gold === null ? [] : [{ check: "gold", patch: gold, expected }]),
  ];
}

async function runHidden(task: TasteTask, { tree }: Workspace, bench: Bench): Promise<HiddenOutcome> {
  if (task.tests === null) return { outcome: null, detail: task.obstacle };
  const { counts, end, output } = await runTests(task.tests, tree, bench);
  if (end === "not_started") return { outcome: null, detail: output.trim() };
  if (counts === null) return { outcome: "no report", detail: output.trim().slice(-300) };
  const pass = passes(counts, task.band);
  const detail = `${counts.passed} passed, ${counts.failed} failed`;
  if (pass === null) return { outcome: "told", detail };
  return { outcome: pass ? "pass" : "fail", detail: pass ? null : detail };
}

/** Files that people changed: the tests of the repository are about more, and at least about these. */
async function tested({ goldSource }: TasteTask): Promise<readonly string[]> {
  const gold = await goldOf(goldSource);
  const lines = gold === null ? null : changedLines(gold.toString("utf8"));
  return [...new Set(lines?.removed.map(({ path }) => path))];
}

function assignmentOf({ system, user }: PhaseText, tree: Workspace, bench: Bench): Assignment {
  const tools = workTools(tree, bench, "Ends the task: the refactoring is in the working tree.");
  return { system, user, instruction: `${system}\n${user}`, tools };
}

async function lead(task: TasteTask, condition: string, own: Lead, bench: Bench): Promise<Led> {
  const prompts = await loadPrompts();
  const found = await planned(prompts, task, condition, own);
  if (found.status !== "planned") return found;
  const text = workText(prompts, task, conditionOf(condition), found.plan);
  return { status: "ready", prepare: async (workspace) => assignmentOf(text, workspace, bench) };
}

async function grade(task: TasteTask, { graded, applies, patch }: Submission, bench: Bench): Promise<Grade> {
  const changes = { patch: applies ? patch : Buffer.alloc(0), applies };
  const { measured, report, tests } = await measureTree(task, graded, changes, bench);
  if (tests?.end === "not_started") return { status: "grader_failed", detail: tests.output.trim() };
  const scores = scoresOf(measured);
  return {
    status: "graded",
    scores: { ...scoreValues(scores), [RULES_NOT_RUN]: notRun(report), [LANGUAGE]: await languageOf(task) },
    nonTrivial: applies && patch.length > 0,
    tampered: report.line_up == null ? null : report.line_up.turned.length > 0,
    report,
    output: tests?.output ?? "",
  };
}

const BY_ENDING: ReadonlyMap<string, string> = new Map([
  ...["c", "h"].map((ending) => [ending, "C"] as const),
  ...["js", "jsx", "mjs", "cjs", "ts", "tsx", "mts", "cts"].map((ending) => [ending, "JavaScript"] as const),
  ["go", "Go"],
  ["java", "Java"],
  ["py", "Python"],
  ["rs", "Rust"],
]);

/** `null`: it is not known, or in none of the languages of the benchmark. */
async function languageOf({ goldSource }: TasteTask): Promise<string | null> {
  const gold = await goldOf(goldSource);
  if (gold === null) return null;
  const lines = changedLines(gold.toString("utf8"));
  const named = [...(lines?.added ?? []), ...(lines?.removed ?? [])].flatMap(
    ({ path }) => BY_ENDING.get(/\.([^./]+)$/.exec(path)?.[1] ?? "") ?? [],
  );
  const [most] = [...groupBy(named, (name) => name)].toSorted(([, a], [, b]) => b.length - a.length);
  return most?.[0] ?? null;
}

/** Patch of people's own solution; `null`: it is not known. */
async function goldOf(source: GoldSource | null): Promise<Bytes | null> {
  if (source === null) return null;
  if (source.kind === "patch") return readPatch(source.path);
  const folder = await temporaryFolder("probe-gold-");
  try {
    const outputFile = join(folder, "gold.patch");
    await diffCommits(source.repository, source.base, source.commit, outputFile);
    return await readFile(outputFile);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
