import { normaliseText } from "../base/text.js";
import type { DataProblem } from "./problem.js";
import { showValue } from "./problem.js";
import type { OfficialRecord } from "./record.js";

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
