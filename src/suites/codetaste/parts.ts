import type { PlannedPart } from "../../judge/advised-suite.js";
import type { TasteTask } from "./instance/instance.js";
import { conditionOf } from "./phase/conditions.js";
import { MOST_JUDGE_TOKENS, TOOL_PLACE } from "./phase/plans.js";
import { judgeText, loadPrompts, type PhaseText, planText, workText } from "./phase/prompts.js";

/** What a trial is made of, for a preview; plans that nobody wrote yet are empty. */
export async function partsOf(task: TasteTask, name: string): Promise<PlannedPart[]> {
  const condition = conditionOf(name);
  const prompts = await loadPrompts();
  const part = (phase: string, asked: PlannedPart["asked"], { system, user }: PhaseText): PlannedPart => ({
    ...{ name: phase, asked, prompt: `${system}\n${user}` },
    maxTokens: asked === "judge" ? MOST_JUDGE_TOKENS : 0,
  });
  const empty = Array.from({ length: condition.plans }, () => "");
  return [
    ...(condition.plans === 0 ? [] : [part("plan", "agent", planText(prompts, task, condition, TOOL_PLACE))]),
    ...(condition.plans < 2 ? [] : [part("judge", "judge", judgeText(prompts, task, empty))]),
    part("work", "agent", workText(prompts, task, condition, condition.plans === 0 ? null : "")),
  ];
}
