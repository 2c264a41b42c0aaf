import { describe, expect, it } from "vitest";
import { type JudgeControl, judgeControl } from "../../src/judge/judge-controls.js";
import { judgeDoubt, judgeReality, selfAgreement, uncontrolled } from "../../src/judge/judge-worth.js";
import type { RatingRecord } from "../../src/judge/rating-records.js";
import { makeRating } from "../fixtures/rating-record.js";

const vote = (criterion_id: string, place: number, score: 0 | 1 | null): RatingRecord =>
  makeRating({ criterion_id, vote: place, score, status: score === null ? "unreadable" : "read" });

describe("whether a judge agrees with itself", () => {
  it("is the share of rubrics on which all its votes are the same", () => {
    const votes = [
      vote("a", 0, 1),
      vote("a", 1, 1),
      vote("b", 0, 1),
      vote("b", 1, 0),
      vote("c", 0, 0),
      vote("c", 1, null),
    ];
    // Of c one vote alone can be read.
    expect(selfAgreement(votes)).toMatchObject({ n: 2, excluded: 1, share: { value: 0.5 } });
  });

  it("is not known of one that was asked once", () => {
    expect(selfAgreement([vote("a", 0, 1), vote("b", 0, 0)])).toBeNull();
  });
});

describe("a judge that nobody measured", () => {
  it("is marked, and what is missing is said", () => {
    expect(uncontrolled("m", null)).toEqual([
      "whether the judge m tells right from wrong was not measured: add --controls",
    ]);
    expect(judgeReality("m", null, null).map(({ share, state, text }) => [share, state, text])).toEqual([
      [null, "unknown", "not measured: --controls"],
      [null, "unknown", "not measured: --controls"],
      [null, "unknown", "not measured: --judge-votes 2"],
    ]);
  });

  it("is not marked where right and empty solutions were judged", () => {
    const of = (agent: string, score: 0 | 1) =>
      Array.from({ length: 6 }, (_, i) => makeRating({ agent, task_id: `t${i}`, score }));
    const control = judgeControl("m", [...of("scripted:gold", 1), ...of("scripted:noop", 0)]);
    expect(uncontrolled("m", control)).toEqual([]);
    expect(judgeReality("m", control, null).map(({ share, state }) => [share?.value, state])).toEqual([
      [1, "good"],
      [0, "good"],
      [undefined, "unknown"],
    ]);
  });
});

const half = { value: 0.5, low: 0.2, high: 0.8 };
const control = (rest: Partial<JudgeControl> = {}): JudgeControl => ({
  ceiling: half,
  floor: half,
  pairs: 9,
  rightOnly: 9,
  emptyOnly: 0,
  pValue: 0.004,
  asked: 18,
  unreadable: 0,
  state: "tells",
  text: "",
  ...rest,
});
const agreement = { share: half, n: 4, excluded: 0 };

describe("the mark of a score that a judge has a part in", () => {
  it("is none where floor, ceiling and self-agreement were measured and the judge tells right from wrong", () => {
    expect(judgeDoubt(control(), agreement)).toBeNull();
  });

  it("says what was not measured, and by which option it is", () => {
    expect(judgeDoubt(null, null)?.why).toBe(
      "a judge has a part in these scores whose floor, ceiling, and self-agreement were not measured: add --controls and --judge-votes 2.",
    );
    expect(judgeDoubt(control(), null)).toEqual({
      mark: { text: "judge?", tone: "warning" },
      why: "a judge has a part in these scores whose self-agreement was not measured: add --judge-votes 2.",
    });
    expect(judgeDoubt(control({ floor: null, state: "unknown" }), agreement)?.why).toContain("whose floor was not");
  });

  it("says that too little was measured, or that the judge is useless", () => {
    expect(judgeDoubt(control({ state: "unknown" }), agreement)?.why).toContain("on too little to tell");
    expect(judgeDoubt(control({ state: "useless" }), null)?.mark).toEqual({ text: "useless judge", tone: "bad" });
  });
});
