import { join } from "node:path";
import { loadPrompt } from "../../base/prompt-template.js";
import { sha256 } from "../../base/sha256.js";
import type { BenchAdapter } from "../../trial/adapter.js";
import { agentSuite } from "../../trial/agent-suite.js";
import {
  type Baseline,
  type Bench,
  type BenchData,
  benchData,
  type Grade,
  type HiddenOutcome,
  type Submission,
} from "../../trial/bench-task.js";
import { lineUpText, stands } from "../../trial/lineup/line-up.js";
import { changesOf, rootedAssignment } from "../../trial/make/work-tools.js";
import type { ScoreColumn } from "../../trial/trial-records.js";
import { textsIn } from "../../workspace/tree-files.js";
import { Workspace } from "../../workspace/workspace.js";
import type { HarborTask } from "./harbor-task.js";
import { OWN_TASKS, readHarbor } from "./read-harbor.js";
import { goldOf, lineUpOf, runVerifier, solve, type Verdict } from "./run-verifier.js";

/** Reward of a trial that passes. */
const FULL = 1;

/** Columns of the suite in `trials.csv`. */
export const SCORE_COLUMNS: readonly ScoreColumn[] = [
  { name: "passed", kind: "share", description: "The reward is at least 1, and the line-up of the tests stands." },
  {
    name: "reward",
    kind: "mean",
    description: "The reward that the tests left, 0 where they were stopped; empty: none that can be read.",
  },
];

/** Any data set in Harbor's layout, as the shared layers run it. */
export const harborAdapter: BenchAdapter<HarborTask> = {
  name: "harbor",
  title: "Harbor: tasks in the layout of task.toml, environment, tests and solution; their reward file decides",
  conditions: [{ name: "plain", isDefault: true }],
  options: {},
  scores: SCORE_COLUMNS,
  headline: "passed",
  prompts: async () => [await loadPrompt("suites/harbor/agent")],
  limits: {},
  load: loadTasks,
  runtime: async () => ({ sha256: sha256(process.version), versions: { node: process.version } }),
  baselines: async ({ hasSolution }): Promise<readonly Baseline[]> => [
    { check: "noop", patch: null, expected: "fail" },
    ...(hasSolution ? [{ check: ORACLE, patch: null, expected: "pass" }] : []),
  ],
  runHidden,
  testTexts: ({ folder }) => textsIn(join(folder, "tests")),
  faulty: ({ fault }) => fault,
  unreachable: ({ obstacle }) => obstacle,
  gold: goldOf,
  hasGold: ({ hasSolution, obstacle, fault }) => hasSolution && obstacle === null && fault === null,
  timeLimit: ({ settings }) => settings.agent.timeout_sec,
  changesOf,
  request: async ({ instruction }) => instruction.trim(),
  prepare: async ({ instruction, place }, _, workspace, bench) => {
    const { text: system } = await loadPrompt("suites/harbor/agent");
    const finish = "Ends the task: all that is asked for is done.";
    return rootedAssignment({ system, text: instruction, place, finish }, workspace, bench);
  },
  grade,
};

/** The check that runs the right solution's script. */
const ORACLE = "oracle";

async function loadTasks(data: string | null): Promise<BenchData<HarborTask>> {
  return benchData("harbor", data, await readHarbor(data ?? OWN_TASKS));
}

async function runHidden(task: HarborTask, tree: Workspace, bench: Bench, check: string): Promise<HiddenOutcome> {
  const fault = check === ORACLE ? await solve(task, tree.tree, bench) : null;
  if (fault !== null) return { outcome: "fail", detail: fault };
  const { reward, end, output } = await runVerifier(task, tree.tree, bench);
  if (end === null) return { outcome: null, detail: `the tests could not be started: ${output.trim()}` };
  if (reward === null) return { outcome: "no reward", detail: `${end}: ${lastLines(output)}` };
  const passes = reward >= FULL;
  return {
    outcome: passes ? "pass" : "fail",
    detail: passes ? null : `reward ${reward}, ${end}: ${lastLines(output)}`,
  };
}

function lastLines(output: string): string {
  return output.trim().split("\n").slice(-6).join("\n");
}

async function grade(task: HarborTask, { graded, applies, patch }: Submission, bench: Bench): Promise<Grade> {
  // Copied first: what the tests leave in their tree is none of the line-up's.
  const untouched = await Workspace.create(join(await bench.folder(), "work"), { kind: "folder", path: graded.tree });
  const found = applies ? await runVerifier(task, graded.tree, bench) : NOT_APPLIED;
  if (found.end === null)
    return { status: "grader_failed", detail: `the tests could not be started: ${found.output.trim()}` };
  const isFull = found.reward !== null && found.reward >= FULL;
  const line = isFull ? await lineUpOf(task, untouched.tree, await goldOf(task), bench) : null;
  const passed = isFull && (line === null || stands(line));
  return {
    status: "graded",
    scores: { passed, reward: found.reward },
    nonTrivial: patch.length > 0,
    tampered: line === null ? null : line.turned.length > 0,
    report: { rewards: found.rewards, end: found.end, line_up: line },
    output: line === null || stands(line) ? found.output : `${found.output}\n${lineUpText(line)}\n`,
  };
}

/** Verdict on a patch that does not apply. */
const NOT_APPLIED: Verdict = { reward: 0, rewards: {}, end: "not run", output: "The patch does not apply." };

/** Data sets in Harbor's layout, as every command runs a suite. */
export const suite = agentSuite(harborAdapter);
