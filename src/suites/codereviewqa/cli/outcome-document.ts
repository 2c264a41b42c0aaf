import type { RunOutcome } from "../ask/run-probes.js";
import type { ScoredRun } from "../ask/score.js";
import type { SummaryRow } from "../metric/summary-row.js";

/** What `--json` prints of a run; names are those of the tables. */
export function outcomeDocument(outcome: RunOutcome): object {
  if (outcome.status === "interrupted") {
    const { status, folder, recorded, planned } = outcome;
    return {
      status,
      folder,
      answered: recorded.answers,
      planned_answers: planned.answers,
      generated: recorded.generations,
      planned_generations: planned.generations,
    };
  }
  return { status: outcome.status, ...scoredDocument(outcome.scored) };
}

/** What `--json` prints of a scored run. */
export function scoredDocument({ folder, run, summary }: ScoredRun): object {
  return { folder, run, summary: summary.map(summaryEntry) };
}

function summaryEntry(row: SummaryRow): object {
  return {
    task: row.task,
    difficulty: row.difficulty,
    group_by: row.groupBy,
    group: row.group,
    metric: row.metric,
    value: row.value,
    ci_low: row.ciLow,
    ci_high: row.ciHigh,
    n: row.n,
    note: row.note,
  };
}
