import type { ScoreColumn } from "../../../trial/adapter.js";

/** What a judge scores, in the order of `trials.csv`. */
export const JUDGED = ["smell_elimination", "cross_file_coordination", "structural_soundness", "code_quality"] as const;

/** One of the four things that a judge scores. */
export type Judged = (typeof JUDGED)[number];

type Line = readonly [ScoreColumn["name"], ScoreColumn["kind"], ScoreColumn["description"]];

const LINES: readonly Line[] = [
  ["tpr", "share", "The case's tests pass within 60 s, with their files as they were."],
  ["la", "share", "The patch changes a line of the smelly class or method; empty: there is none of that name."],
  ["la_file", "share", "The patch changes the smelly file."],
  ["smell_elimination", "mean", "By the judge, 0–1: the smell is gone; empty: not judged, or not readable."],
  ["cross_file_coordination", "mean", "Likewise: all files go together."],
  ["structural_soundness", "mean", "Likewise: the parts are where they belong."],
  ["code_quality", "mean", "Likewise: the code reads well."],
  ["tpr_and_la", "share", "The tests pass and the smelly code was changed: our verdict, which a judge has no part in."],
];

/** What the suite adds to `trials.csv`. */
export const SCORE_COLUMNS: readonly ScoreColumn[] = LINES.map(([name, kind, description]) => ({
  ...{ name, kind, description },
  ...(JUDGED.some((each) => each === name) && { isJudged: true }),
}));
