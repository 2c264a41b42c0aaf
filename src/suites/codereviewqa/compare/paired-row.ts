import type { Difficulty } from "../example/example.js";
import type { PairedMeans } from "./paired-means.js";

/** What every row tells: who is right, and whether the runs differ in that. */
interface RowBase {
  readonly examples: number;
  /**
   * Share right. Of multiple-choice questions: under all orders. Of generations, which have one order: exact match
   * (`em`), a failed one being none.
   */
  readonly invariantAccuracy: PairedMeans;
  /** Questions that just one of the runs has right. */
  readonly onlyBaseline: number;
  readonly onlyCandidate: number;
  /** Not right only because something failed or was undecided. */
  readonly lost: { readonly baseline: number; readonly candidate: number };
  /** McNemar's where each example has one question; else the sign-flip test by example, as its questions go together. */
  readonly test: "mcnemar_exact" | "sign_flip_by_example";
  /** Two-sided, of equal shares right; not adjusted for how many tests there are. */
  readonly pValue: number;
  /** Least difference found in 80 % of samples of this size; `null` where that is not defined. */
  readonly detectableDifference: number | null;
}

/** How two runs differ on one multiple-choice form, or on all of them. */
export interface QuestionRow extends RowBase {
  readonly kind: "questions";
  /** `null`: all multiple-choice forms together. */
  readonly form: { readonly task: string; readonly difficulty: Difficulty | null } | null;
  /** `null` where no question has the value in both runs, as with early stopping. */
  readonly meanAccuracy: PairedMeans | null;
  readonly pluralityAgreement: PairedMeans | null;
}

/** How two runs differ on the generations of one task (ACR). */
export interface GenerationRow extends RowBase {
  readonly kind: "generations";
  readonly form: { readonly task: string; readonly difficulty: null };
  /** Over the generations that failed in neither run; `null` without any. */
  readonly editSimilarity: PairedMeans | null;
}

/** One line of a comparison: a form's questions, or the revisions written. */
export type PairedRow = QuestionRow | GenerationRow;

/** What a row is about: such as `CL hard` or `ACR em`; `null` for all multiple-choice forms together. */
export function rowLabel({ kind, form }: PairedRow): string | null {
  if (form === null) return null;
  return [form.task, kind === "generations" ? "em" : (form.difficulty ?? "")].join(" ").trim();
}
