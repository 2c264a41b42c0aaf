import type { Withheld } from "./form.js";
import type { StemValues } from "./question.js";

/** What stands in the prompt in place of what is withheld. */
const NOT_SHOWN = "(not shown)";

/** The values of a stem that an ablation takes away. */
export const WITHHELD_VALUES: Readonly<Record<Withheld, readonly string[]>> = {
  review: ["code_review"],
  code: ["code_snippet"],
  both: ["code_review", "code_snippet"],
};

/** The stem without the review, the code, or both (spec §5, *Ablations*); the options are no part of it and stay. */
export function withhold(stem: StemValues, ablation: Withheld | undefined): StemValues {
  if (ablation === undefined) return stem;
  return { ...stem, ...Object.fromEntries(WITHHELD_VALUES[ablation].map((name) => [name, NOT_SHOWN])) };
}
