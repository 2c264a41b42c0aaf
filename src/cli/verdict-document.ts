import { judgementText } from "../verdict/judgement.js";
import type { VerdictForm } from "../verdict/verdict.js";

/** What `--json` prints of what a form's score is worth (spec §7). */
export function verdictEntry({ task, difficulty, ablation, judgement }: VerdictForm): object {
  const { state, score, floor, floorRule, pValue } = judgement;
  const text = judgementText(judgement);
  return { task, difficulty, ablation, state, score, floor, floor_rule: floorRule, p_value: pValue, text };
}
