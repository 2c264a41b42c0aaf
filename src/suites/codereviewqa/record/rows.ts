import type { Cell } from "../../../store/csv.js";
import { type Generation, generationStatus } from "../example/generation.js";
import type { GenerationScore } from "../metric/acr/generation-score.js";
import type { QuestionScore } from "../metric/question-score.js";
import type { SummaryRow } from "../metric/summary-row.js";
import type { RowOwner } from "./answer-row.js";

/** A row of `questions.csv`, in the order of its columns. */
export function questionRow(owner: RowOwner, score: QuestionScore): Cell[] {
  return [
    owner.runId,
    owner.model,
    score.task,
    score.difficulty,
    score.exampleId,
    score.language,
    score.changeType,
    score.permutations,
    score.answered,
    score.correctPermutations,
    score.invariantCorrect,
    score.pluralityOption,
    score.pluralityAgreement,
    score.meanAccuracy,
    score.minMargin,
    score.meanSymbolMass,
    score.failed,
  ];
}

/** A row of `summary.csv`, in the order of its columns. */
export function summaryRow(owner: RowOwner, row: SummaryRow): Cell[] {
  return [
    owner.runId,
    owner.model,
    row.task,
    row.difficulty,
    row.groupBy,
    row.group,
    row.metric,
    row.value,
    row.ciLow,
    row.ciHigh,
    row.n,
    row.note,
  ];
}

/**
 * A row of `generations.csv`, in the order of its columns.
 * @param score `null` for a failed generation: it matches nothing, and is similar to nothing
 */
export function generationRow(owner: RowOwner, generation: Generation, score: GenerationScore | null): Cell[] {
  const { outcome } = generation;
  const written = outcome.status === "generated" ? outcome : null;
  return [
    owner.runId,
    owner.model,
    generation.exampleId,
    generation.language,
    generation.changeType,
    written?.text ?? null,
    score?.em ?? false,
    score?.emTrim ?? false,
    score?.emNoSpace ?? false,
    score?.emNoComment ?? false,
    score?.paperEm ?? false,
    score?.paperEmTrim ?? false,
    score?.paperEmNoSpace ?? false,
    score?.paperEmNoComment ?? false,
    score?.bleu ?? null,
    score?.editSimilarity ?? null,
    generationStatus(outcome),
    outcome.status === "failed" ? outcome.failure : null,
    written?.tokens ?? null,
  ];
}
