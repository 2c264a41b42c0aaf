import { WITHHELD } from "../../../question/form.js";
import type { Judgement } from "../../../verdict/judgement.js";
import type { SummaryRow } from "../metric/summary-row.js";

/** Looks up an overall metric of one probe form. */
export type FindMetric = (name: SummaryRow["metric"]) => SummaryRow | undefined;

/** What the score of a form is worth (spec §7); `null` where that was not judged. */
export function judgementOf(metric: FindMetric): Judgement | null {
  return (metric("invariant_accuracy") ?? metric("em"))?.detail?.judgement ?? null;
}

/** What each ablation of a form says, a sentence each; none where nothing was withheld. */
export function gainTexts(metric: FindMetric): string[] {
  return WITHHELD.flatMap((withheld) => metric(`${withheld}_gain`)?.detail?.gain ?? []);
}
