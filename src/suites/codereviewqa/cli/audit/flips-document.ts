import { entryOf } from "../../../../store/table.js";
import { ablationOf } from "../../example/form.js";
import type { AnswerChanges } from "../../flips/answer-changes.js";
import type { FlipsComparison, FlipsReport } from "../../flips/flips.js";
import { CHANGED_ANSWER_COLUMNS } from "../../flips/flips-table-definition.js";
import type { StoredRun } from "../../record/stored-run.js";

/** What `probe audit --flips --json` prints. */
export function flipsDocument({ folder, hasModes, comparisons }: FlipsReport): object {
  return { status: "complete", folder, has_exact_mode: hasModes, comparisons: comparisons.map(comparisonEntry) };
}

function comparisonEntry({ kind, first, second, alsoDiffer, rows, answers }: FlipsComparison): object {
  return {
    comparison: kind,
    first: runEntry(first),
    second: runEntry(second),
    also_differ: alsoDiffer,
    rows: rows.map(rowEntry),
    changed_answers: answers.map((answer) => entryOf(CHANGED_ANSWER_COLUMNS, answer)),
  };
}

function runEntry({ folder, run }: StoredRun): object {
  return { folder, run_id: run.run_id, model: run.model.label, mode: run.parameters["mode"] ?? null };
}

/** `task`, `difficulty` and `ablation` are `null` on the row over all probe forms. */
function rowEntry({ form, ...row }: AnswerChanges): object {
  return {
    scope: form === null ? "overall" : "form",
    task: form?.task ?? null,
    difficulty: form?.difficulty ?? null,
    ablation: form && ablationOf(form),
    answers: row.compared,
    answers_changed: row.changed,
    answers_failed: row.failed,
    answers_unmatched: row.unmatched,
    questions: row.questions,
    verdicts_changed: row.verdictsChanged,
    verdicts_changed_with_failures: row.verdictsWithFailures,
    answers_measured: row.measured,
    largest_difference: row.largestDifference,
    near_ties: row.nearTies,
  };
}
