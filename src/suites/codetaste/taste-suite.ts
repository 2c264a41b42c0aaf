import { adviserPart, type PlannedPhase } from "../../judge/plan-adviser.js";
import { agentSuite } from "../../trial/agent-suite.js";
import {
  conditionOf,
  judgeText,
  loadPrompts,
  MOST_JUDGE_TOKENS,
  type PhaseText,
  planText,
  TOOL_PLACE,
  workText,
} from "./plans.js";
import { withSixPlans } from "./six-plans/six-part.js";
import { codetasteAdapter } from "./taste-adapter.js";
import type { TasteTask } from "./taste-task.js";

/** The phases of a trial, for a preview; plans that nobody wrote yet are empty. */
async function phasesOf(task: TasteTask, name: string): Promise<PlannedPhase[]> {
  const condition = conditionOf(name);
  const prompts = await loadPrompts();
  const phase = (phaseName: string, asked: PlannedPhase["asked"], { system, user }: PhaseText): PlannedPhase => ({
    name: phaseName,
    asked,
    prompt: `${system}\n${user}`,
    maxTokens: asked === "judge" ? MOST_JUDGE_TOKENS : 0,
  });
  const empty = Array.from({ length: condition.plans }, () => "");
  return [
    ...(condition.plans === 0 ? [] : [phase("plan", "agent", planText(prompts, task, condition, TOOL_PLACE))]),
    ...(condition.plans < 2 ? [] : [phase("judge", "judge", judgeText(prompts, task, empty))]),
    phase("work", "agent", workText(prompts, task, condition, condition.plans === 0 ? null : "")),
  ];
}

/** CodeTaste as every command runs a suite. */
export const suite = agentSuite(codetasteAdapter, withSixPlans(adviserPart(phasesOf)));
