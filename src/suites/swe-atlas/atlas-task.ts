import { loadPromptsIn, type PromptTemplate } from "../../base/prompt-template.js";
import type { BenchTask } from "../../trial/bench-task.js";
import { sealedText } from "../../workspace/sealed-files.js";

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
interface PromptPair {
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

/** Our wording: for agents, and for judges of tasks that bring no prompts of their own. */
export type OwnPrompts = Awaited<ReturnType<typeof loadOwnPrompts>>;

export function loadOwnPrompts() {
  const names = [
    "agent",
    "qa_system",
    "tw_system",
    "rf_system",
    "rubric_user",
    "manifest_system",
    "manifest_user",
  ] as const;
  return loadPromptsIn("suites/swe-atlas", names);
}

/** The prompts in a task's folder of tests; ours stand for those that it lacks. */
export async function promptsOf(
  tests: string,
  workflow: Workflow,
  own: OwnPrompts,
): Promise<{ readonly prompts: PromptPair; readonly manifestPrompts: PromptPair | null }> {
  const prefix = workflow === "qa" ? "" : "rubrics_";
  const pair = async (name: string, system: PromptTemplate, template: PromptTemplate) => ({
    system: (await sealedText(tests, `${name}system_prompt.txt`)) ?? system.text,
    template: (await sealedText(tests, `${name}user_prompt_template.txt`)) ?? template.text,
  });
  return {
    prompts: await pair(prefix, own[`${workflow}_system`], own.rubric_user),
    manifestPrompts: workflow === "tw" ? await pair("manifest_", own.manifest_system, own.manifest_user) : null,
  };
}

/** A place, or a brace that is doubled as it means itself. */
const PLACES = /\{\{|\}\}|\{(\w+)\}/g;

/**
 * A template as the released evaluators fill it, in one pass: what is put in stays as it is, doubled braces are single ones.
 * A place that nothing is known for stays.
 */
export function filled(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(PLACES, (own, name: string | undefined) => {
    if (name === undefined) return own.charAt(0);
    return Object.hasOwn(values, name) ? (values[name] ?? own) : own;
  });
}

/** A text as JSON whose characters are all ASCII. */
export function asciiJson(text: string): string {
  return JSON.stringify(text).replace(
    /[^\0-\u007f]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
