import type { ScoreColumn, ScoreValue } from "../../../trial/adapter.js";
import type { Scores } from "./scores.js";

type Line = readonly [
  ScoreColumn["name"],
  ScoreColumn["kind"],
  ScoreColumn["description"],
  (scores: Scores) => ScoreValue,
];

const LINES: readonly Line[] = [
  ["passes_tests", "share", "The hidden tests passed, and were not tampered with.", (own) => own.passesTests],
  [
    "decomposed",
    "share",
    "Passes, at least one new file, the target at least a tenth shorter, tests not tampered with.",
    (own) => own.decomposed,
  ],
  ["files_compiled", "mean", "1 − files with a new error/files.", (own) => own.filesCompiled],
  ["files_compiled_published", "mean", "1 − new errors/files: may be below 0.", (own) => own.filesCompiledPublished],
  [
    "failure_bucket",
    "label",
    "Passed, or the first released class of failures that matches.",
    (own) => own.failureBucket,
  ],
  ["failure_kind", "label", "What failed, by the structure of the report.", (own) => own.failureKind],
  ["target_lines_before", "count", "Lines of the target as it was.", (own) => own.targetLinesBefore],
  ["target_lines_after", "count", "Lines of the target now; empty: it is gone.", (own) => own.targetLinesAfter],
  ["files_before", "count", "Files in src as it was.", (own) => own.filesBefore],
  ["files_after", "count", "Files in src now.", (own) => own.filesAfter],
];

/** What the suite adds to `trials.csv`. */
export const SCORE_COLUMNS: readonly ScoreColumn[] = LINES.map(([name, kind, description]) => ({
  ...{ name, kind, description },
}));

/** What the journal keeps besides, for `per_fixture.csv`. */
export const FILES_CHECKED = "files_checked";

/** The scores by their columns. */
export function scoreValues(scores: Scores): Record<string, ScoreValue> {
  const columns = Object.fromEntries(LINES.map(([name, , , value]) => [name, value(scores)]));
  return { ...columns, [FILES_CHECKED]: scores.filesChecked };
}
