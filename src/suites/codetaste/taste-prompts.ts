import { fillTemplate, loadPrompt, type PromptTemplate } from "../../base/prompt-template.js";
import type { TasteTask } from "./taste-task.js";

const NAMES = ["system", "work", "work_planned", "plan_system", "plan", "judge_system", "judge"] as const;

/** Our own wording of all phases. */
export type Prompts = Readonly<Record<(typeof NAMES)[number], PromptTemplate>>;

export async function loadPrompts(): Promise<Prompts> {
  const entries = NAMES.map(async (name) => [name, await loadPrompt(`suites/codetaste/${name}`)] as const);
  return Object.fromEntries(await Promise.all(entries)) as Prompts;
}

/** Prompts of a phase. */
export interface PhaseText {
  readonly system: string;
  readonly user: string;
}

/** @param plan to be followed; `null`: none */
export function workText(
  prompts: Prompts,
  task: TasteTask,
  { track }: Pick<TasteCondition, "track">,
  plan: string | null,
): PhaseText {
  const description = task.description[track].trim();
  const user =
    plan === null
      ? fillTemplate(prompts.work, { description })
      : fillTemplate(prompts.work_planned, { description, plan: plan.trim() });
  return { system: prompts.system.text, user };
}

/** @param place where plans are to be written, in a sentence */
export function planText(
  prompts: Prompts,
  task: TasteTask,
  { track, plans }: Pick<TasteCondition, "track" | "plans">,
  place: string,
): PhaseText {
  const count = plans === 1 ? "a plan" : `${plans} plans`;
  const differing = plans === 1 ? "" : ", which differ in what they would change, not in their words";
  const description = task.description[track].trim();
  return {
    system: prompts.plan_system.text,
    user: fillTemplate(prompts.plan, { count, differing, place, description }),
  };
}

/** Prompt of the judge, with the wanted result, which the planner did not see. */
export function judgeText(prompts: Prompts, task: TasteTask, plans: readonly string[]): PhaseText {
  const listed = plans.map((plan, i) => `## Plan ${i}\n\n${plan.trim()}`).join("\n\n");
  const description = task.description.instructed.trim();
  return { system: prompts.judge_system.text, user: fillTemplate(prompts.judge, { description, plans: listed }) };
}

/** Condition: the description that an agent is given, and the phases before its work. */
export interface TasteCondition {
  readonly name: string;
  /** Description: the full one, or the short one. */
  readonly track: "instructed" | "open";
  /** Plans that come before the work. */
  readonly plans: number;
}

/** The four arms of the benchmark. */
export const CONDITIONS: readonly TasteCondition[] = [
  { name: "instructed/direct", track: "instructed", plans: 0 },
  { name: "open/direct", track: "open", plans: 0 },
  { name: "open/plan", track: "open", plans: 1 },
  { name: "open/multiplan", track: "open", plans: 5 },
];

/** The condition of this name. */
export function conditionOf(name: string): TasteCondition {
  const found = CONDITIONS.find((condition) => condition.name === name);
  if (found === undefined) throw new Error(`Expected a condition, found ${name}.`);
  return found;
}
