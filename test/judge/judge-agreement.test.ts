import { describe, expect, it } from "vitest";
import { type JudgedFolder, judgeAgreement } from "../../src/judge/judge-agreement.js";
import type { RatingRecord } from "../../src/judge/rating-records.js";
import { makeRating, UNREADABLE } from "../fixtures/rating-record.js";

function folderOf(folder: string, ratings: readonly RatingRecord[], votes = 1): JudgedFolder {
  const judge = { label: folder, identity: {}, price: null, votes };
  return { folder, run: { judge } as JudgedFolder["run"], ratings };
}

const scores = (values: readonly (0 | 1 | null)[], more: Partial<RatingRecord> = {}) =>
  values.map((score, i) =>
    makeRating({ criterion_id: `r${i}`, ...(score === null ? UNREADABLE : { score }), ...more }),
  );

const repeated = (n: number, value: 0 | 1) => Array.from({ length: n }, () => value);

describe("the agreement of two judges", () => {
  // The table [[14, 1], [5, 10]]: 24 of 30 alike, kappa (.8 − .5)/(1 − .5) = .6, F1 28/34 and 20/26.
  it("has kappa, macro-F1 and unanimity of all criteria that both judged", () => {
    const first = folderOf("a", scores([...repeated(15, 1), ...repeated(15, 0)]));
    const second = folderOf("b", scores([...repeated(14, 1), 0, ...repeated(5, 1), ...repeated(10, 0)]));
    const found = judgeAgreement(first, second);
    expect(found.counts).toEqual([
      [14, 1],
      [5, 10],
    ]);
    expect(found.kappa.kappa).toBeCloseTo(0.6, 12);
    expect(found.macroF1).toBeCloseTo((28 / 34 + 20 / 26) / 2, 12);
    expect(found.unanimity.share?.value).toBe(0.8);
  });

  it("leaves out what one cannot be read on, and what was handed in otherwise", () => {
    const first = folderOf("a", scores([1, null, 0]));
    const other = scores([1, 1, 0]).map((record, i) => (i === 2 ? { ...record, submission_sha256: "other" } : record));
    expect(judgeAgreement(first, folderOf("b", other))).toMatchObject({ unread: 1, differing: 1, kappa: { n: 1 } });
  });

  it("leaves out what one would not reply about, which has failed and is no opinion", () => {
    const refused = scores([0], { status: "refused" });
    const first = folderOf("a", [...scores([1]), ...refused.map((each) => ({ ...each, criterion_id: "r9" }))]);
    const other = folderOf("b", [...scores([1]), ...scores([0]).map((each) => ({ ...each, criterion_id: "r9" }))]);
    for (const pair of [[first, other] as const, [other, first] as const])
      expect(judgeAgreement(...pair)).toMatchObject({ unread: 1, kappa: { n: 1 } });
  });

  it("leaves out criteria that nobody was asked about", () => {
    const unasked = scores([null, 1]).map((record, i) => (i === 0 ? { ...record, submission_sha256: null } : record));
    expect(judgeAgreement(folderOf("a", unasked), folderOf("b", unasked))).toMatchObject({
      unread: 0,
      kappa: { n: 1 },
    });
  });

  it("is of one judge with itself by its first two votes", () => {
    const votes = [...scores([1, 0], { vote: 0 }), ...scores([1, 1], { vote: 1 })];
    const twice = folderOf("a", votes, 2);
    expect(judgeAgreement(twice, twice).counts).toEqual([
      [1, 0],
      [1, 0],
    ]);
    const once = folderOf("a", scores([1]));
    expect(() => judgeAgreement(once, once)).toThrow("or one with --judge-votes 2 or more");
  });

  it("is refused where the runs have nothing in common", () => {
    const other = folderOf("b", scores([1], { task_id: "task-2" }));
    expect(() => judgeAgreement(folderOf("a", scores([1])), other)).toThrow("found none in common");
  });
});
