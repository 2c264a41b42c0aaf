import type { BenchTask } from "../../trial/bench-task.js";

/** Workflows: an answer to a question, tests, or a refactoring. Each is a condition of its own. */
export const WORKFLOWS = ["qa", "tw", "rf"] as const;
/** Workflow: an answer to a question (`qa`), tests (`tw`), or a refactoring (`rf`). */
export type Workflow = (typeof WORKFLOWS)[number];

/** One statement that a judge reads a submission by. */
export interface Rubric {
  readonly id: string;
  readonly title: string;
  readonly type: string;
  readonly importance: string;
}

/** Prompts of a judge, with places for the submission. */
export interface PromptPair {
  readonly system: string;
  readonly template: string;
}

/** The scripts of a task's tests, by how they are started. */
export interface TestScripts {
  readonly run: Script;
  /** Reads what `run` printed; `null`: `run` writes its report itself. */
  readonly parse: Script | null;
}

/** A script: its file in the folder of tests, and what runs it. */
export interface Script {
  readonly file: string;
  readonly program: string;
}

/** A task as its folder tells it. */
export interface AtlasTask extends BenchTask {
  readonly workflow: Workflow;
  readonly folder: string;
  /** Such as `Architecture & system design`; empty: not told. */
  readonly category: string;
  readonly language: string;
  readonly instruction: string;
  /** Description of the task for a judge. */
  readonly problem: string;
  readonly rubrics: readonly Rubric[];
  readonly prompts: PromptPair;
  /** `null`: the program's own. */
  readonly manifestPrompts: PromptPair | null;
  /** Hidden tests as scripts; `null`: there are none, or they cannot be run. */
  readonly scripts: TestScripts | null;
  /** Names of tests that a refactoring must keep. */
  readonly relevantTests: readonly string[];
  /** Files of tests that an agent's changes do not count in. */
  readonly testFiles: readonly string[];
  /** Reason why nobody can be judged by it here; `null`: somebody can. */
  readonly obstacle: string | null;
}
