import type { Example } from "../dataset/example.js";
import type { ProbeForm } from "./build.js";
import { formName } from "./form.js";

/** Whether a question of this form is asked of an example: it suits the probe, and nobody dropped it by hand. */
export function isAsked({ probe, difficulty }: Pick<ProbeForm, "probe" | "difficulty">, example: Example): boolean {
  return probe.isEligible(example) && example.notAsked?.includes(formName({ task: probe.task, difficulty })) !== true;
}
