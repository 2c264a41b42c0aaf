import type { Language } from "../../../../base/language.js";
import type { Difficulty } from "../../../../dataset/example.js";
import type { SequenceScore } from "./sequence-score.js";

/** `ACR`: prompt and revision. `MCQA`: stem and options. `ACR_RENAMED`: as ACR, the identifiers made up. */
export const AUDIT_FORMS = ["ACR", "ACR_RENAMED", "MCQA"] as const;
export type AuditForm = (typeof AUDIT_FORMS)[number];

/** One way to write an example down. */
export interface SequenceForm {
  readonly form: AuditForm;
  /** `ACR` for both forms of it; else the probe. */
  readonly task: string;
  readonly difficulty: Difficulty | null;
}

/** Two forms with the same key are the same. */
export function formKey({ form, task, difficulty }: SequenceForm): string {
  return [form, task, difficulty ?? ""].join(" ");
}

export interface ScoreSummary extends Omit<SequenceScore, "hits"> {
  /** Of renamed code: how many of its characters are not those of ACR's text, which is as long; else `null`. */
  readonly renamedCharacters: number | null;
}

/** An example, and what was scored of it, by `formKey`. */
export interface ScoredExample {
  readonly id: string;
  readonly language: Language;
  readonly scores: ReadonlyMap<string, ScoreSummary>;
}

/** A benchmark, scored. */
export interface ScoredSet {
  readonly benchmark: string;
  readonly forms: readonly SequenceForm[];
  /** Of each example a few numbers a form. */
  readonly examples: readonly ScoredExample[];
}
