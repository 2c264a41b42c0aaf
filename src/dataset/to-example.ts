import { sha256 } from "../base/sha256.js";
import { normaliseText } from "../base/text.js";
import { isHunkOfTask } from "../verdict/probe-task.js";
import type { ChangeType, Example } from "./example.js";
import type { OfficialRecord } from "./record.js";

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

function withoutMarkers(hunk: string): string[] {
  return normaliseText(hunk)
    .split("\n")
    .map((line) => line.slice(1));
}

/** First 12 hex digits of the SHA-256 of the record as JSON with sorted keys, but for `id` (spec §2.1). */
export function recordId(record: OfficialRecord): string {
  const entries = Object.entries(record).filter(([key, value]) => key !== "id" && value !== undefined);
  return sha256(JSON.stringify(Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1))))).slice(0, 12);
}
