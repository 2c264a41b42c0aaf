import { z } from "zod";
import { LANGUAGES } from "../../../base/language.js";
import type { ChoiceSymbol } from "../../../base/symbol.js";
import { CHANGE_TYPES, DIFFICULTIES } from "../../../dataset/example.js";
import { WITHHELD } from "../../../question/form.js";

const symbol = z
  .string()
  .regex(/^[A-Z]$/)
  .transform((value) => value as ChoiceSymbol);
const count = z.int().nonnegative();

/** One line of the journal. Names are those of the columns of `answers.csv` where both have them. */
export const answerRecord = z.object({
  kind: z.literal("answer"),
  question_index: count,
  task: z.string(),
  difficulty: z.enum(DIFFICULTIES).nullable(),
  /** Absent where nothing was withheld, and in runs that were recorded before anything could be. */
  ablation: z.enum(WITHHELD).optional(),
  example_id: z.string(),
  language: z.enum(LANGUAGES),
  change_type: z.enum(CHANGE_TYPES),
  permutation_index: count,
  permutation: z.string(),
  correct_symbol: symbol,
  status: z.enum(["chosen", "undecided", "failed"]),
  chosen_symbol: symbol.nullable(),
  chosen_option: count.nullable(),
  margin: z.number().nonnegative().nullable(),
  reason: z.enum(["tie", "unknown_symbol"]).nullable(),
  failure: z.string().nullable(),
  detail: z.string().nullable(),
  logprobs: z.record(z.string(), z.number().nullable()),
  symbol_mass: z.number().nullable(),
  extraction: z.string().nullable(),
  prompt_tokens: count.nullable(),
  cached_tokens: count.nullable(),
  duration_ms: z.number().nonnegative(),
  prompt_sha256: z.string(),
});

export type AnswerRecord = z.infer<typeof answerRecord>;
