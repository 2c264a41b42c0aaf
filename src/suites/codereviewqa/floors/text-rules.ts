import type { OptionsView } from "../example/question.js";
import type { Rule } from "./rule.js";
import { SOLUTION_RULES } from "./solution-rules.js";

/** The rules of SI that look at nothing but texts, and so work for the options of any probe. */
const OF_ANY_TEXT: readonly string[] = ["longest", "shortest", "medoid_tokens"];

/** The rules of a probe of one's own (spec §7), besides those that it defines itself. */
export const TEXT_RULES: readonly Rule<OptionsView>[] = SOLUTION_RULES.filter(({ name }) =>
  OF_ANY_TEXT.includes(name),
).map(({ name, sees, score }) => ({
  name,
  sees,
  score: ({ options, example: { preReviewLines, review } }) => score({ solutions: options, preReviewLines, review }),
}));
