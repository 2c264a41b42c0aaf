import { z } from "zod";
import { LANGUAGES } from "../base/language.js";
import { sha256 } from "../base/sha256.js";
import { normaliseText } from "../base/text.js";
import { isHunkOfTask } from "../verdict/task-probe.js";
import type { ChangeType, Example } from "./example.js";
import { type DataProblem, showValue } from "./problem.js";

/** Longest line of code or review that is accepted, in characters. */
export const MAX_LINE_CHARACTERS = 20_000;

const code = z.string().refine((value) => longestLine(value) <= MAX_LINE_CHARACTERS, {
  error: (issue) =>
    `expected lines of at most ${MAX_LINE_CHARACTERS} characters, found one of ${longestLine(String(issue.input))}`,
});
const text = code.min(1);

function longestLine(value: string): number {
  return value.split("\n").reduce((longest, line) => Math.max(longest, line.length), 0);
}

/** Git's note on the line before it, `\ No newline at end of file`: no line of code. */
const NOTE = /^\\ /;

function withoutNotes(value: string): string {
  return value
    .split("\n")
    .filter((line) => !NOTE.test(line))
    .join("\n");
}

const marked = code.superRefine((value, context) => {
  const bad = value.split("\n").findIndex((line) => !/^([ +-]|\\ |\r?$)/.test(line));
  if (bad !== -1) {
    context.addIssue({
      code: "custom",
      message: `expected every line to start with a marker column (' ', '-' or '+'), found line ${bad + 1} without`,
    });
  }
});

/** A hunk: every line starts with its marker column; an empty line may be without. Git's notes are left out. */
export const hunk = marked.transform(withoutNotes);
/** A hunk before a review is of one line at least; one that is deleted whole leaves none. */
export const oldHunk = hunk.pipe(text);

/** A hunk whose lines the record's other fields number: a note is behind all of them. */
const numbered = marked.refine((value) => !/^\\ [\s\S]*\n[^\r\n]/m.test(value), {
  error: "expected '\\ No newline at end of file' behind all other lines, whose numbers it would shift",
});

/** Question forms of which a record holds the options, by name. */
export const QUESTION_FORMS = ["CTR", "CL easy", "CL hard", "SI easy", "SI hard"] as const;

export type QuestionForm = (typeof QUESTION_FORMS)[number];

const changeType = z.enum(["add_only", "remove_only", "modify"]);
const location = z.array(z.int().nonnegative()).min(1);
const three = <T extends z.ZodType>(item: T) => z.array(item).length(3);

/** `null`, `""` and `[]` stand for an absent field in some releases of the data. */
function optional<T extends z.ZodType>(schema: T) {
  const isEmpty = (value: unknown) => value === null || value === "" || (Array.isArray(value) && value.length === 0);
  return z.preprocess((value) => (isEmpty(value) ? undefined : value), schema.optional());
}

/** One line of an official file (spec §2.1), before the checks that need several fields. */
export const officialRecord = z.object({
  id: z.string().min(1).max(200).optional(),
  lang: z.enum(LANGUAGES),
  old: numbered.pipe(oldHunk),
  new: numbered.pipe(hunk),
  review: text,
  type_correct: changeType,
  type_wrong: z.array(changeType).length(2),
  loc_correct: location,
  loc_wrong_easy: optional(three(location)),
  loc_wrong_hard: optional(three(location)),
  solution_correct: optional(text),
  solution_wrong_easy: optional(three(text)),
  solution_wrong_hard: optional(three(text)),
  /** Reasons why questions could not be built, by task: their wrong options are then absent. */
  not_built: z.partialRecord(z.enum(["CL", "SI"]), z.string().min(1)).optional(),
  /**
   * Reasons why questions are not asked though they could be, by form (`CTR`, `CL hard` …): dropped by hand (`dataset
   * apply`).
   */
  not_asked: z.partialRecord(z.enum(QUESTION_FORMS), z.string().min(1)).optional(),
  repo: z.string().optional(),
  source: z.string().optional(),
  license: z.string().optional(),
});

export type OfficialRecord = z.infer<typeof officialRecord>;

type FieldProblem = Omit<DataProblem, "file" | "line">;

/** The checks of spec §2.3 that need more than one field: types, ranges, set sizes, distinct options. */
export function checkRecord(record: OfficialRecord): FieldProblem[] {
  return [...checkTypes(record), ...checkLocations(record), ...checkSolutions(record)];
}

function checkTypes(record: OfficialRecord): FieldProblem[] {
  const all = new Set([record.type_correct, ...record.type_wrong]);
  if (all.size === 3) return [];
  return [
    {
      field: "type_wrong",
      expected: `the two other change types than "${record.type_correct}"`,
      found: showValue(record.type_wrong),
    },
  ];
}

const LOCATIONS = ["loc_wrong_easy", "loc_wrong_hard"] as const;
const SOLUTIONS = ["solution_wrong_easy", "solution_wrong_hard"] as const;

function checkLocations(record: OfficialRecord): FieldProblem[] {
  const lowest = record.type_correct === "add_only" ? 0 : 1;
  const highest = record.old.split("\n").length;
  const problems: FieldProblem[] = [];
  const checkOne = (field: string, location: readonly number[]) => {
    const outside = location.find((line) => line < lowest || line > highest);
    if (outside !== undefined) {
      problems.push({ field, expected: `line numbers from ${lowest} to ${highest}`, found: String(outside) });
    }
    if (new Set(location).size < location.length) {
      problems.push({ field, expected: "each line number once", found: showValue(location) });
    }
    if (location.length !== record.loc_correct.length) {
      problems.push({
        field,
        expected: `as many line numbers as loc_correct (${record.loc_correct.length})`,
        found: showValue(location),
      });
    }
  };
  checkOne("loc_correct", record.loc_correct);
  for (const field of LOCATIONS) {
    const wrong = record[field];
    wrong?.forEach((location, i) => {
      checkOne(`${field}[${i}]`, location);
    });
    problems.push(...checkDistinct(field, "loc_correct", record.loc_correct, wrong ?? [], setKey));
  }
  return [...problems, ...checkPresence(record, "CL", LOCATIONS)];
}

function setKey(location: readonly number[]): string {
  return location.toSorted((a, b) => a - b).join(",");
}

function checkSolutions(record: OfficialRecord): FieldProblem[] {
  if (record.type_correct === "remove_only") return [];
  const right = record.solution_correct;
  const problems: FieldProblem[] = [];
  if (right === undefined) problems.push(missing("solution_correct", `type_correct is "${record.type_correct}"`));
  for (const field of SOLUTIONS) {
    const wrong = record[field] ?? [];
    if (right !== undefined) problems.push(...checkDistinct(field, "solution_correct", right, wrong, normaliseText));
  }
  return [...problems, ...checkPresence(record, "SI", SOLUTIONS)];
}

/** A question has the wrong options of both difficulties, or a note why it could not be built and none. */
function checkPresence(
  record: OfficialRecord,
  task: "CL" | "SI",
  fields: readonly (keyof OfficialRecord)[],
): FieldProblem[] {
  const reason = record.not_built?.[task];
  if (reason === undefined) {
    return fields
      .filter((field) => record[field] === undefined)
      .map((field) =>
        missing(field, `type_correct is "${record.type_correct}" and not_built gives no reason for ${task}`),
      );
  }
  return fields
    .filter((field) => record[field] !== undefined)
    .map((field) => ({
      field,
      expected: `nothing, since not_built.${task} is given`,
      found: showValue(record[field]),
    }));
}

function missing(field: string, reason: string): FieldProblem {
  return { field, expected: `a value, since ${reason}`, found: "nothing" };
}

/** All of one question's options differ, as the prompt shows them. */
function checkDistinct<T>(
  field: string,
  rightField: string,
  right: T,
  wrong: readonly T[],
  key: (option: T) => string,
): FieldProblem[] {
  const seen = new Map([[key(right), rightField]]);
  const problems: FieldProblem[] = [];
  wrong.forEach((option, i) => {
    const same = seen.get(key(option));
    if (same !== undefined) {
      problems.push({ field: `${field}[${i}]`, expected: "an option unlike the others", found: `the same as ${same}` });
    }
    seen.set(key(option), `${field}[${i}]`);
  });
  return problems;
}

const CHANGE_TYPE: Readonly<Record<OfficialRecord["type_correct"], ChangeType>> = {
  add_only: "add",
  remove_only: "delete",
  modify: "modify",
};

/** The checked record as an example: normalised text, no marker columns, an id. */
export function toExample(record: OfficialRecord): Example {
  const { solution_correct: solution, solution_wrong_easy: easy, solution_wrong_hard: hard } = record;
  const changeType = CHANGE_TYPE[record.type_correct];
  const hasSolution = changeType !== "delete" && solution !== undefined && easy !== undefined && hard !== undefined;
  const { loc_wrong_easy: easyLocations, loc_wrong_hard: hardLocations } = record;
  return {
    id: record.id ?? recordId(record),
    language: record.lang,
    preReviewLines: withoutMarkers(record.old),
    postReviewLines: withoutMarkers(record.new),
    review: normaliseText(record.review),
    changeType,
    changeTypeDistractors: record.type_wrong.map((type) => CHANGE_TYPE[type]),
    location: record.loc_correct,
    ...(easyLocations !== undefined &&
      hardLocations !== undefined && { locationDistractors: { easy: easyLocations, hard: hardLocations } }),
    ...(record.not_asked !== undefined && { notAsked: Object.keys(record.not_asked) }),
    ...(isHunkOfTask(record.id ?? "", record.source ?? "") && { isHunkOfTask: true }),
    ...(hasSolution && {
      solution: normaliseText(solution),
      solutionDistractors: { easy: easy.map(normaliseText), hard: hard.map(normaliseText) },
    }),
  };
}

/** Empty text has no lines. */
function withoutMarkers(hunk: string): string[] {
  const lines = hunk === "" ? [] : normaliseText(hunk).split("\n");
  return lines.map((line) => line.slice(1));
}

/** First 12 hex digits of the SHA-256 of the record as JSON with sorted keys, but for `id` (spec §2.1). */
export function recordId(record: OfficialRecord): string {
  const entries = Object.entries(record).filter(([key, value]) => key !== "id" && value !== undefined);
  return sha256(JSON.stringify(Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1))))).slice(0, 12);
}
