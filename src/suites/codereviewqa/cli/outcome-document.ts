import { entryOf } from "../../../store/table.js";
import type { RunOutcome } from "../ask/run-probes.js";
import type { ScoredRun } from "../ask/score.js";
import { SUMMARY_COLUMNS } from "../record/summary-columns.js";

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
  return { folder, run, summary: summary.map((row) => entryOf(SUMMARY_COLUMNS, row)) };
}
