import { fillTemplate } from "../../../base/prompt-template.js";
import type { Assignment, Bench } from "../../../trial/adapter.js";
import { workTools } from "../../../trial/work-tools.js";
import type { Workspace } from "../../../workspace/workspace.js";
import type { SmellCase } from "../case/smell-case.js";
import { SMELLS } from "../case/smells.js";
import type { Prompts } from "./prompts.js";

/** What an agent is told: the smell and its file (`guided`), or class and method too (`targeted`). */
export function assignmentOf(
  { type, hint_guided, hint_targeted, testsuites }: SmellCase,
  setting: string,
  tree: Workspace,
  bench: Bench,
  prompts: Prompts,
): Assignment {
  const hint = setting === "targeted" ? hint_targeted : hint_guided;
  const user = fillTemplate(prompts.task, { smell: SMELLS[type], hint: hint.trim(), tests: testsuites.join(", ") });
  return {
    system: prompts.agent.text,
    user,
    instruction: `${user}\n${prompts.agent.text}`,
    tools: workTools(tree, bench, "Ends the task: the smell is gone, or you cannot do more."),
  };
}
