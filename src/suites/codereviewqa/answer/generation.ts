import type { Language } from "../../../base/language.js";
import type { ChangeType } from "../../../dataset/example.js";

/** Which open question a generation answers. */
export interface GenerationPlace {
  /** Position among the run's open questions, from 0. */
  readonly generationIndex: number;
  readonly task: string;
  readonly exampleId: string;
  readonly language: Language;
  readonly changeType: ChangeType;
  /** The right text, which the generation is compared with. */
  readonly reference: string;
  /** The text that was to be revised; `null` in a run that did not record it yet. */
  readonly preReview: string | null;
}

/** Why a generation ended: at a stop text, at the most tokens allowed, or because the model ended it. */
type GenerationEnd = "stop" | "length" | "end_of_text";

/** What the model wrote, or why it did not. */
export type GenerationOutcome =
  | {
      readonly status: "generated";
      /** As it came, up to the stop. */
      readonly text: string;
      readonly end: GenerationEnd;
      /** Tokens generated; `null` where the engine does not tell. */
      readonly tokens: number | null;
    }
  | { readonly status: "failed"; readonly failure: string; readonly detail: string };

export interface Generation extends GenerationPlace {
  readonly outcome: GenerationOutcome;
  readonly promptTokens: number | null;
  /** From request to reply; `null` for a failed one. */
  readonly durationMs: number | null;
  readonly promptSha256: string;
}

/**
 * The state a generation is in.
 * - `complete`: it ended by itself
 * - `truncated`: it was cut off at the most tokens allowed
 * - `empty`: there is nothing but whitespace in it, cut off or not
 * - `failed`: there is none
 */
const GENERATION_STATUSES = ["complete", "truncated", "empty", "failed"] as const;
export type GenerationStatus = (typeof GENERATION_STATUSES)[number];

export function generationStatus(outcome: GenerationOutcome): GenerationStatus {
  if (outcome.status === "failed") return "failed";
  if (outcome.text.trim() === "") return "empty";
  return outcome.end === "length" ? "truncated" : "complete";
}
