import { expect, it } from "vitest";
import { kindRows } from "../../src/judge/rating-kinds.js";
import type { RatingRecord } from "../../src/judge/rating-records.js";
import { rubricKind } from "../../src/suites/swe-atlas/atlas-suite.js";
import { makeRating } from "../fixtures/rating-record.js";

it("are told by number: pooled, where every rubric counts, and by task", () => {
  const rating = (task_id: string, title: string, score: number | null, more: Partial<RatingRecord> = {}) =>
    makeRating({ task_id, title, criterion_id: `${task_id} ${title}`, condition: "rf", score, ...more });
  const rows = kindRows(
    [
      rating("a", "1.1: x", 1),
      rating("a", "1.2: y", 1),
      rating("a", "1.3: z", 0),
      rating("b", "1.1: x", 0),
      rating("b", "1.2: y", null),
      rating("b", "4.1: fault", 1, { polarity: "negative" }),
      rating("b", "no number", 1),
    ],
    rubricKind,
  );
  // Pooled: 2 of 4; by task: the mean of 2/3 and 0.
  expect(
    rows.map(({ kind, pooled, byTask, tasks, read, unread }) => [kind, pooled, byTask, tasks, read, unread]),
  ).toEqual([
    ["1 Code Maintainability", 2 / 4, 1 / 3, 2, 4, 1],
    ["4 Negative Rubrics", 1, 1, 1, 1, 0],
  ]);
});

it.each([
  ["qa", "2.10: a", "2 Negative Rubrics"],
  ["tw", "3.1: a", "3 Test Suite Conventions"],
  ["rf", "1: a", "1 Code Maintainability"],
  ["qa", "3.1: a", null],
  ["qa", "10 things", null],
  ["other", "1.1: a", null],
])("of %s, %j is of kind %s", (condition, title, kind) => {
  expect(rubricKind({ title }, condition)).toBe(kind);
});
