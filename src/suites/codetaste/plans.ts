import { join } from "node:path";
import { z } from "zod";
import { fileTools } from "../../agent/file-tools.js";
import { defineTool, finishTool, type Tool, ToolFault } from "../../agent/tool.js";
import { fillTemplate, loadPromptsIn } from "../../base/prompt-template.js";
import type { Assignment } from "../../trial/bench-task.js";
import type { Lead, Led, Phase } from "../../trial/make/attempt-lead.js";
import { sealedText } from "../../workspace/sealed-files.js";
import type { Workspace } from "../../workspace/workspace.js";
import type { TasteTask } from "./taste-task.js";

/** Our own wording of all phases. */
export type Prompts = Awaited<ReturnType<typeof loadPrompts>>;

export function loadPrompts() {
  const names = ["system", "work", "work_planned", "plan_system", "plan", "judge_system", "judge"] as const;
  return loadPromptsIn("suites/codetaste", names);
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
interface TasteCondition {
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

/** Tokens that a judge may write. */
export const MOST_JUDGE_TOKENS = 1024;
/** A longer plan is none. */
const MOST_PLAN_BYTES = 256 * 1024;
/** Tools that change nothing. */
const READING = ["list_files", "read_file", "search"];

/** The plan that an attempt follows, or why there is none. */
type Planned =
  | { readonly status: "planned"; readonly plan: string | null }
  | Exclude<Led, { readonly status: "ready" }>;

/** Lets the agent plan as its condition asks for; of several plans a judge chooses one. */
export async function planned(prompts: Prompts, task: TasteTask, name: string, lead: Lead): Promise<Planned> {
  const condition = conditionOf(name);
  if (condition.plans === 0) return { status: "planned", plan: null };
  const written = new Map<number, string>();
  const { result, outputFolder } = await lead.run(planPhase(prompts, task, condition, written));
  if (result.status === "unreachable") return result;
  await readPlans(outputFolder, condition.plans, written);
  const plans = Array.from({ length: condition.plans }, (_, i) => written.get(i) ?? "");
  lead.note({ role: "plans", plans });
  const missing = plans.filter((plan) => plan.trim() === "").length;
  if (missing > 0)
    return noPlan(`${plans.length - missing} of ${plans.length} plans were written; planning ended: ${result.end}`);
  const [first = ""] = plans;
  return plans.length === 1 ? { status: "planned", plan: first } : chosen(judgeText(prompts, task, plans), plans, lead);
}

async function chosen(
  text: { readonly system: string; readonly user: string },
  plans: readonly string[],
  lead: Lead,
): Promise<Planned> {
  if (lead.ask === null) return { status: "unreachable", detail: "nobody judges the plans: name a model with --judge" };
  const answer = await lead.ask({ ...text, maxTokens: MOST_JUDGE_TOKENS });
  if (answer.status === "failed") {
    const { failure, detail } = answer;
    const isLasting = failure === "refused" || failure === "context_overflow";
    return isLasting ? noPlan(`the judge: ${detail}`) : { status: "unreachable", detail };
  }
  const number = selectedPlan(answer.text, plans.length);
  const plan = number === null ? undefined : plans[number];
  return plan === undefined ? noPlan("the judge chose no plan that there is") : { status: "planned", plan };
}

function noPlan(detail: string): Planned {
  return { status: "ended", end: "no_plan", detail };
}

/** @param written takes the plans that a model hands over, by their numbers */
function planPhase(prompts: Prompts, task: TasteTask, condition: TasteCondition, written: Map<number, string>): Phase {
  return {
    name: "plan",
    async prepare({ tree }: Workspace, outputFolder: string): Promise<Assignment> {
      const { system, user } = planText(prompts, task, condition, TOOL_PLACE);
      const files = Array.from({ length: condition.plans }, (_, i) => join(outputFolder, planFile(i)));
      const forCommand = planText(prompts, task, condition, `Write to ${files.join(", ")}, and nowhere else.`);
      const tools = fileTools({ tree, within: [] }).filter(({ definition }) => READING.includes(definition.name));
      const finish = finishTool("finish", "Ends the planning: every plan that is asked for was handed over.");
      return {
        system,
        user,
        instruction: `${forCommand.system}\n${forCommand.user}`,
        tools: [...tools, planTool(condition.plans, written), finish],
      };
    },
  };
}

/** Instruction for a model that writes plans. */
export const TOOL_PLACE = "Hand each over by `write_plan`, with its number, from 0.";

function planTool(plans: number, written: Map<number, string>): Tool {
  const shape = {
    number: z.int().describe("which plan, from 0"),
    text: z.string().min(1).describe("the whole plan"),
  };
  return defineTool("write_plan", "Hands over a plan; again: in place of the one before.", shape, async (given) => {
    if (given.number < 0 || given.number >= plans)
      throw new ToolFault(`expected a number from 0 to ${plans - 1}, found ${given.number}`);
    written.set(given.number, given.text);
    return `Plan ${given.number} is there; ${written.size} of ${plans}.`;
  });
}

function planFile(number: number): string {
  return `plan-${number}.md`;
}

/** Reads the plans that a command wrote into files. */
async function readPlans(folder: string, plans: number, written: Map<number, string>): Promise<void> {
  for (let i = 0; i < plans; i++) {
    const text = written.has(i) ? null : await sealedText(folder, planFile(i), MOST_PLAN_BYTES);
    if (text !== null) written.set(i, text);
  }
}

/** Lines at the end of a reply in which a number may stand alone. */
const LAST_LINES = 3;

/**
 * Plan that a judge chose, from 0: `SELECTED: n`, else `Plan n`, else a number that stands alone on one of the last
 * three lines, the last such. `null`: none, or one that does not exist.
 */
export function selectedPlan(reply: string, plans: number): number | null {
  const lines = reply.trim().split("\n").slice(-LAST_LINES);
  const alone = lines.toReversed().map((line) => /^\d+$/.exec(line.trim())?.[0]);
  const found = [/SELECTED:\s*(\d+)/i.exec(reply)?.[1], /Plan\s*(\d+)/i.exec(reply)?.[1], ...alone];
  const numbers = found.flatMap((digits) => (digits === undefined ? [] : [Number(digits)]));
  return numbers.find((number) => number < plans) ?? null;
}
