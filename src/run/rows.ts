import type { QuestionScore } from "../metric/question-score.js";
import type { SummaryRow } from "../metric/summary.js";
import type { Cell } from "../result/csv.js";
import type { RowOwner } from "../result/rows.js";

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
