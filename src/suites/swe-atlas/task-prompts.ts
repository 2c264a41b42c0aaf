import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { loadPrompt, type PromptTemplate } from "../../base/prompt-template.js";
import type { PromptPair, Workflow } from "./atlas-task.js";

const NAMES = [
  "agent",
  "qa_system",
  "tw_system",
  "rf_system",
  "rubric_user",
  "manifest_system",
  "manifest_user",
] as const;

/** Our wording: for agents, and for judges of tasks that bring no prompts of their own. */
export type OwnPrompts = Readonly<Record<(typeof NAMES)[number], PromptTemplate>>;

export async function loadOwnPrompts(): Promise<OwnPrompts> {
  const entries = NAMES.map(async (name) => [name, await loadPrompt(`suites/swe-atlas/${name}`)] as const);
  return Object.fromEntries(await Promise.all(entries)) as OwnPrompts;
}

/** The prompts in a task's folder of tests; ours stand for those that it lacks. */
export async function promptsOf(
  tests: string,
  workflow: Workflow,
  own: OwnPrompts,
): Promise<{ readonly prompts: PromptPair; readonly manifestPrompts: PromptPair | null }> {
  const prefix = workflow === "qa" ? "" : "rubrics_";
  const pair = async (name: string, system: PromptTemplate, template: PromptTemplate) => ({
    system: await textOf(join(tests, `${name}system_prompt.txt`), system),
    template: await textOf(join(tests, `${name}user_prompt_template.txt`), template),
  });
  return {
    prompts: await pair(prefix, own[`${workflow}_system`], own.rubric_user),
    manifestPrompts: workflow === "tw" ? await pair("manifest_", own.manifest_system, own.manifest_user) : null,
  };
}

async function textOf(path: string, own: PromptTemplate): Promise<string> {
  return existsSync(path) ? readFile(path, "utf8") : own.text;
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
