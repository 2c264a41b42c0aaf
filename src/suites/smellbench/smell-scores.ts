import { z } from "zod";
import { languageOfFile } from "../../base/source-path.js";
import type { TextRange } from "../../base/text.js";
import type { Opinion } from "../../judge/rating-records.js";
import { type Declaration, pathOf } from "../../syntax/declarations.js";
import { loadSyntax } from "../../syntax/load.js";
import { type ScoreColumn, type ScoreValue, scoreColumns, type TrialRecord } from "../../trial/trial-records.js";
import { DIFFICULTIES, SMELL_NAMES, type SmellPlace } from "./smell-case.js";

/** Marks of a judge, in the order of `trials.csv`. */
export const JUDGED = ["smell_elimination", "cross_file_coordination", "structural_soundness", "code_quality"] as const;

/** One of the four things that a judge scores. */
export type Judged = (typeof JUDGED)[number];

/** Columns of the suite in `trials.csv`. */
export const SCORE_COLUMNS: readonly ScoreColumn[] = scoreColumns([
  ["tpr", "share", "The case's tests pass within 60 s, with their files as they were."],
  ["la", "share", "The patch changes a line of the smelly class or method; empty: there is none of that name."],
  ["la_file", "share", "The patch changes the smelly file."],
  ["smell_elimination", "mean", "By the judge, 0–1: the smell is gone; empty: not judged, or not readable."],
  ["cross_file_coordination", "mean", "By the judge, 0–1: all files go together."],
  ["structural_soundness", "mean", "By the judge, 0–1: the parts are where they belong."],
  ["code_quality", "mean", "By the judge, 0–1: the code reads well."],
  ["tpr_and_la", "share", "The tests pass and the smelly code was changed: our verdict, which a judge has no part in."],
]).map((column) => ({ ...column, ...(JUDGED.some((each) => each === column.name) && { isJudged: true }) }));

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

/** Lines of a file, from 1, both included; 0: what stands before the first. */
export interface LineSpan {
  readonly first: number;
  readonly last: number;
}

/**
 * The lines of the class or method that a smell was put into, in the smelly file: by the syntax tree, with decorators and
 * the whole body. Of a class alone: all of it, and its methods where they stand beside it, as in Go. A name that is declared
 * several times has several spans. Without class and method: the whole file.
 * @returns a text where there are none: why
 */
export async function smellyLines(place: SmellPlace, text: string): Promise<readonly LineSpan[] | string> {
  const { file, className, methodName } = place;
  if (className === null && methodName === null) return [{ first: 0, last: Number.POSITIVE_INFINITY }];
  const language = languageOfFile(file);
  if (language === null) return `no syntax for ${file}`;
  const syntax = await loadSyntax(language);
  const spans = rangesOf(syntax.declarations(text), className, methodName).map((range) => linesOf(text, range));
  const named = [className, methodName].filter((name) => name !== null).join(".");
  return spans.length === 0 ? `no ${named} in ${file}` : spans;
}

function rangesOf(
  declarations: readonly Declaration[],
  className: string | null,
  methodName: string | null,
): readonly TextRange[] {
  const types = className === null ? [] : pathOf(className);
  if (methodName === null)
    return declarations.filter(({ kind, name, within }) =>
      endsWith(kind === "type" ? [...within, name] : within, types),
    );
  // A method may be named with its class.
  const path = pathOf(methodName.replace(/^self\./, ""));
  const functions = declarations.filter(
    ({ kind, name, within }) => kind === "function" && endsWith([...within, name], path),
  );
  if (className !== null) return functions.filter(({ within }) => endsWith(within, types));
  const free = functions.filter(({ within }) => within.length === 0);
  return free.length > 0 ? free : functions;
}

/** Tests if a path ends with the names of another. */
function endsWith(path: readonly string[], names: readonly string[]): boolean {
  return names.length <= path.length && names.every((name, i) => path[path.length - names.length + i] === name);
}

function linesOf(text: string, { start, end }: TextRange): LineSpan {
  const lineAt = (offset: number) => text.slice(0, offset).split("\n").length;
  return { first: lineAt(start), last: lineAt(Math.max(start, end - 1)) };
}
