import type { ReportForm } from "../probe-forms.js";

/** Options of a form's questions; 0 where the model writes instead of choosing. */
export function optionCountOf({ probe }: ReportForm): number {
  return probe.kind === "choice" ? probe.optionCount : 0;
}
