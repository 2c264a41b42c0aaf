import type { RunPlan } from "../ask/plan.js";
import { ablationField } from "../example/form.js";
import { recordedProbe } from "../record/recorded-probes.js";
import type { RunFile } from "../record/run-file.js";

/** The forms of a plan, and its probes of one's own, as `run.json` keeps them. */
export function recordedForms({ forms, ownProbes }: RunPlan): Pick<RunFile, "forms" | "probes"> {
  return {
    ...(ownProbes.length > 0 ? { probes: ownProbes.map(recordedProbe) } : {}),
    forms: forms.map(({ probe, difficulty, ablation, questions, skipped }) => ({
      task: probe.task,
      difficulty,
      ...ablationField(ablation),
      questions,
      skipped,
      ...(probe.kind === "choice" ? { options: probe.optionCount } : {}),
    })),
  };
}
