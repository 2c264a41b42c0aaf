import type { Language } from "../../../../base/language.js";
import type { ChangeType } from "../../../../dataset/example.js";
import type { TextScore } from "../../../../question/question.js";
import type { GenerationStatus } from "../../answer/generation.js";
import type { CaseOf } from "../../record/run-file.js";
import { type Measure, measure, shareByCase } from "../summary-row.js";
import type { NgramCounts } from "./bleu.js";
import type { GenerationScore } from "./generation-score.js";

/** Facts about one generation that the summary needs: a few hundred bytes. */
export interface ScoredGeneration {
  readonly task: string;
  readonly exampleId: string;
  readonly language: Language;
  readonly changeType: ChangeType;
  readonly status: GenerationStatus;
  /** Measurement as code; `null` for a failed one, and where the probe scores what is written itself. */
  readonly measured: MeasuredGeneration | null;
  /** Answer, where the probe scores what is written itself. */
  readonly open?: OpenAnswer | undefined;
}

/** A written answer that is no code. */
export interface OpenAnswer {
  /** `null`: it failed, or is no answer. */
  readonly score: TextScore | null;
  readonly reference: string;
  readonly preReview: string;
}

/** Tests for exactly the text that was to be written. */
export function isExact({ measured, open }: ScoredGeneration): boolean {
  return open === undefined ? measured?.score.em === true : open.score?.em === true;
}

/** Measurement of a text as the revision of an example. */
export interface MeasuredText {
  readonly score: GenerationScore;
  readonly ngrams: NgramCounts;
}

export interface MeasuredGeneration extends MeasuredText {
  /** Measurement of the pre-review code in its place; `null` where the run did not record that code. */
  readonly copy: MeasuredText | null;
}

/** Shares of generations by their status. */
export function statusMeasures(generations: readonly ScoredGeneration[], caseOf: CaseOf | null): Measure[] {
  const written = generations.filter(({ status }) => status !== "failed");
  const share = (of: readonly ScoredGeneration[], wanted: GenerationStatus) =>
    shareByCase(of, caseOf, ({ status }) => status === wanted);
  return [
    measure("truncated_rate", share(written, "truncated"), written.length, "cut off at the most tokens allowed"),
    measure("empty_rate", share(written, "empty"), written.length, "nothing but whitespace"),
    measure("failure_rate", share(generations, "failed"), generations.length, "of generations"),
  ];
}
