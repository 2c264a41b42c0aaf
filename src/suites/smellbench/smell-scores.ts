import { z } from "zod";
import type { Opinion } from "../../judge/rating-records.js";
import type { ScoreColumn, ScoreValue } from "../../trial/score/score-column.js";
import type { TrialRecord } from "../../trial/trial-records.js";
import { DIFFICULTIES, SMELL_NAMES } from "./smell-case.js";

/** Marks of a judge, in the order of `trials.csv`. */
export const JUDGED = ["smell_elimination", "cross_file_coordination", "structural_soundness", "code_quality"] as const;

/** One of the four things that a judge scores. */
export type Judged = (typeof JUDGED)[number];

type Line = readonly [ScoreColumn["name"], ScoreColumn["kind"], ScoreColumn["description"]];

const LINES: readonly Line[] = [
  ["tpr", "share", "The case's tests pass within 60 s, with their files as they were."],
  ["la", "share", "The patch changes a line of the smelly class or method; empty: there is none of that name."],
  ["la_file", "share", "The patch changes the smelly file."],
  ["smell_elimination", "mean", "By the judge, 0–1: the smell is gone; empty: not judged, or not readable."],
  ["cross_file_coordination", "mean", "By the judge, 0–1: all files go together."],
  ["structural_soundness", "mean", "By the judge, 0–1: the parts are where they belong."],
  ["code_quality", "mean", "By the judge, 0–1: the code reads well."],
  ["tpr_and_la", "share", "The tests pass and the smelly code was changed: our verdict, which a judge has no part in."],
];

/** Columns of the suite in `trials.csv`. */
export const SCORE_COLUMNS: readonly ScoreColumn[] = LINES.map(([name, kind, description]) => ({
  name,
  kind,
  description,
  ...(JUDGED.some((each) => each === name) && { isJudged: true }),
}));

const measuredSchema = z.object({
  /** Groups of tables besides the project. */
  smell: z.enum(SMELL_NAMES),
  difficulty: z.enum(DIFFICULTIES),
  tpr: z.boolean(),
  la: z.boolean().nullable(),
  la_file: z.boolean(),
});

/** Scores of a trial before anybody judged it. */
type Measured = z.infer<typeof measuredSchema>;

/** Scores as the journal of trials has them. */
export function measuredScores(measured: Measured): Readonly<Record<string, ScoreValue>> {
  return { ...measured };
}

/** Scores of a trial, read from its journal. */
export function measuredIn({ scores }: Pick<TrialRecord, "scores">): Measured {
  return measuredSchema.parse(scores);
}

/** All scores of a trial. @param opinions `null`: nobody judged */
export function trialScores(
  record: Pick<TrialRecord, "scores">,
  opinions: readonly Opinion[] | null,
): Record<string, ScoreValue> {
  const measured = measuredIn(record);
  const { tpr, la } = measured;
  const scoreOf = (name: string) => opinions?.find(({ criterion }) => criterion === name)?.score ?? null;
  return {
    ...measured,
    ...Object.fromEntries(JUDGED.map((name) => [name, scoreOf(name)])),
    // Not if one does not hold; not known only where that is.
    tpr_and_la: tpr && la !== false ? la : false,
  };
}

/** Mark below which a dimension is not reached, 0–1. */
const LEAST_MARK = 0.5;

/** Classes of failures that a rule tells. */
export type ErrorClass = "timeout" | "broken" | "location" | "incomplete" | "wrong fix";

/**
 * Class of a failure by rule, without a model: the first that matches; `null`: none does. A class that needs marks is found
 * where somebody judged alone.
 */
export function errorClass({ agent_end, scores }: Pick<TrialRecord, "agent_end" | "scores">): ErrorClass | null {
  const mark = (name: Judged) => (typeof scores[name] === "number" ? scores[name] : null);
  const [elimination, coordination] = [mark("smell_elimination"), mark("cross_file_coordination")];
  const isLow = (value: number | null) => value !== null && value < LEAST_MARK;
  if (agent_end === "time_limit") return "timeout";
  if (scores["tpr"] === false) return "broken";
  if (scores["la"] === false) return "location";
  if (scores["la"] === true && (isLow(elimination) || isLow(coordination))) return "incomplete";
  return isLow(elimination) ? "wrong fix" : null;
}
