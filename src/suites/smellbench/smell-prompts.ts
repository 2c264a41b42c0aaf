import { loadPrompt, type PromptTemplate } from "../../base/prompt-template.js";

const NAMES = ["agent", "task", "judge_system", "judge_user", "analysis_system", "analysis_user"] as const;

/** Our wording, for agents and for judges. */
export type Prompts = Readonly<Record<(typeof NAMES)[number], PromptTemplate>>;

export async function loadPrompts(): Promise<Prompts> {
  const entries = NAMES.map(async (name) => [name, await loadPrompt(`suites/smellbench/${name}`)] as const);
  return Object.fromEntries(await Promise.all(entries)) as Prompts;
}
