import { z } from "zod";
import { LANGUAGES } from "../base/language.js";

/** Longest line of code or review that is accepted, in characters. */
export const MAX_LINE_CHARACTERS = 20_000;

const text = z
  .string()
  .min(1)
  .refine((value) => longestLine(value) <= MAX_LINE_CHARACTERS, {
    error: (issue) =>
      `expected lines of at most ${MAX_LINE_CHARACTERS} characters, found one of ${longestLine(String(issue.input))}`,
  });

function longestLine(value: string): number {
  return value.split("\n").reduce((longest, line) => Math.max(longest, line.length), 0);
}

/** A hunk: every line starts with its marker column; an empty line may be without. */
export const hunk = text.superRefine((value, context) => {
  const bad = value.split("\n").findIndex((line) => !/^([ +\-\\]|\r?$)/.test(line));
  if (bad !== -1) {
    context.addIssue({
      code: "custom",
      message: `expected every line to start with a marker column (' ', '-' or '+'), found line ${bad + 1} without`,
    });
  }
});

/** Of which a record holds the options, by name. */
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
  old: hunk,
  new: hunk,
  review: text,
  type_correct: changeType,
  type_wrong: z.array(changeType).length(2),
  loc_correct: location,
  loc_wrong_easy: optional(three(location)),
  loc_wrong_hard: optional(three(location)),
  solution_correct: optional(text),
  solution_wrong_easy: optional(three(text)),
  solution_wrong_hard: optional(three(text)),
  /** Why a question could not be built, by task: its wrong options are then absent. */
  not_built: z.partialRecord(z.enum(["CL", "SI"]), z.string().min(1)).optional(),
  /** Why a question is not asked though it could be, by form (`CTR`, `CL hard` …): dropped by hand (`dataset apply`). */
  not_asked: z.partialRecord(z.enum(QUESTION_FORMS), z.string().min(1)).optional(),
  repo: z.string().optional(),
  source: z.string().optional(),
  license: z.string().optional(),
});

export type OfficialRecord = z.infer<typeof officialRecord>;
