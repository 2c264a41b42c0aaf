import type { PlanCounts } from "../ask/count-plan.js";
import type { RunPlan } from "../ask/plan.js";
import { ablationField } from "../example/form.js";
import { recordedProbe } from "../record/recorded-probes.js";
import type { RunFile } from "../record/run-file.js";

/** The probes of one's own of a plan, as `run.json` keeps them. */
export function recordedProbes({ ownProbes }: RunPlan): Pick<RunFile, "probes"> {
  return ownProbes.length > 0 ? { probes: ownProbes.map(recordedProbe) } : {};
}

/** The forms of a plan, likewise. */
export function recordedForms({ forms }: PlanCounts): RunFile["forms"] {
  return forms.map(({ probe, difficulty, ablation, questions, skipped }) => ({
    task: probe.task,
    difficulty,
    ...ablationField(ablation),
    questions,
    skipped,
    ...(probe.kind === "choice" ? { options: probe.optionCount } : {}),
  }));
}
