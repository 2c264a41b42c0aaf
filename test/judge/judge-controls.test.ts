import { describe, expect, it } from "vitest";
import {
  type JudgeControl,
  judgeControl,
  judgeDoubt,
  judgeReality,
  selfAgreement,
  uncontrolled,
} from "../../src/judge/judge-controls.js";
import type { RatingRecord } from "../../src/judge/rating-records.js";
import { makeRating, UNREADABLE } from "../fixtures/rating-record.js";

type Score = 0 | 1 | null;

/** Verdicts on positive rubrics of a right solution and of an empty one. */
function controls(gold: readonly Score[], empty: readonly Score[]) {
  const of = (agent: string, scores: readonly Score[]) =>
    scores.map((score, i) =>
      makeRating({ agent, criterion_id: `r${i}`, ...(score === null ? UNREADABLE : { score, verdict: "x" }) }),
    );
  return judgeControl("m", [...of("scripted:gold", gold), ...of("scripted:noop", empty)])!;
}

const times = (n: number, score: Score) => Array.from({ length: n }, () => score);

describe("the controls of a judge", () => {
  // Six rubrics apart: p = 2 × 2^−6 = .03125.
  it("tell one that finds rubrics in right solutions alone", () => {
    const found = controls(times(6, 1), times(6, 0));
    expect(found).toMatchObject({ state: "tells", pairs: 6, rightOnly: 6, emptyOnly: 0, pValue: 0.03125 });
    expect(found.text).toBe(
      "The judge m tells right from wrong: it finds 100.0 % of the rubrics met by right solutions, 0.0 % by empty ones.",
    );
    expect(found.ceiling?.value).toBe(1);
    expect(found.floor?.value).toBe(0);
  });

  it.each([
    ["says yes to all", times(6, 1), times(6, 1), "so it does not tell one from the other"],
    ["says no to all", times(6, 0), times(6, 0), "so it does not tell one from the other"],
    ["says the contrary", times(6, 0), times(6, 1), "so it does not tell one from the other"],
    // Nine apart, six of them the right way: p = 2 × (1 + 9 + 36 + 84) / 2^9 = .51.
    ["guesses", [...times(6, 1), ...times(3, 0)], [...times(6, 0), ...times(3, 1)], "no more apart than by chance"],
    [
      "cannot be read",
      times(6, null),
      times(6, null),
      "12 of its 12 replies about right and empty solutions cannot be read",
    ],
  ])("call one useless that %s", (_, gold, empty, why) => {
    const found = controls(gold, empty);
    expect(found.state).toBe("useless");
    expect(found.text).toContain("The judge m is useless: ");
    expect(found.text).toContain(why);
  });

  it("tell nothing by few rubrics, few that are apart, or by one side alone", () => {
    expect(controls(times(5, 1), times(5, 0))).toMatchObject({ state: "unknown" });
    // Five apart, all the right way, and a tie: p = 2 × 2^−5 = .0625, and five could show nothing.
    expect(controls([...times(5, 1), 0], times(6, 0))).toMatchObject({
      state: "unknown",
      pValue: 0.0625,
      text: expect.stringContaining("; 5 of 6 rubrics apart are too few to tell."),
    });
    expect(controls(times(5, 1), []).text).toContain("no rubric was read both of a right solution and of an empty one");
    expect(judgeControl("m", [makeRating()])).toBeNull();
  });

  it("leave out faults, which an empty solution has not either", () => {
    const faults = ["scripted:gold", "scripted:noop"].map((agent) => makeRating({ agent, polarity: "negative" }));
    expect(judgeControl("m", faults)).toMatchObject({ pairs: 0, ceiling: null, floor: null });
  });

  it("tell one that gives right solutions more points, each task by the mean of its marks", () => {
    const marks = (agent: string, ...scores: readonly number[]) =>
      Array.from({ length: 6 }, (_, task) =>
        scores.map((score, i) =>
          makeRating({
            agent,
            task_id: `t${task}`,
            criterion_id: `d${i}`,
            scale: "points",
            score,
            score_published: score,
          }),
        ),
      ).flat();
    // Six tasks of two marks: means .75 and .25, apart in each. p = 2 × 2^−6.
    const found = judgeControl("m", [...marks("scripted:gold", 1, 0.5), ...marks("scripted:noop", 0, 0.5)]);
    expect(found).toMatchObject({ state: "tells", pairs: 6, rightOnly: 6, emptyOnly: 0, pValue: 0.03125 });
    expect(found?.text).toBe(
      "The judge m tells right from wrong: it gives right solutions 75.0 % of the points on average, empty ones 25.0 %.",
    );
    const same = judgeControl("m", [...marks("scripted:gold", 0.5, 0.5), ...marks("scripted:noop", 1, 0)]);
    expect(same).toMatchObject({ state: "useless", rightOnly: 0, emptyOnly: 0 });
  });
});

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
    // What it would not reply about twice, it did not judge alike.
    const refused = [0, 1].map((place) => ({ ...vote("d", place, 0), status: "refused" as const }));
    expect(selfAgreement([...votes, ...refused])).toMatchObject({ n: 2, excluded: 2, share: { value: 0.5 } });
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
const agreement = { share: { value: 1, low: 0.51, high: 1 }, n: 4, excluded: 0 };

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

  it("stays where the votes on the same are as a coin's", () => {
    // Two votes that differ on all of twelve rubrics, and ones that agree on half of them.
    for (const share of [{ value: 0, low: 0, high: 0.24 }, half]) {
      const differing = { share, n: 12, excluded: 0 };
      expect(judgeReality("m", control(), differing)[2]).toMatchObject({
        title: "judge, asked again",
        state: "doubtful",
      });
      expect(judgeDoubt(control(), differing)).toMatchObject({
        mark: { text: "judge?" },
        why: expect.stringContaining("not shown to agree more often than a coin's"),
      });
    }
    expect(judgeReality("m", control(), agreement)[2]).toMatchObject({ state: "good" });
  });

  it("says that too little was measured, or that the judge is useless", () => {
    expect(judgeDoubt(control({ state: "unknown" }), agreement)?.why).toContain("on too little to tell");
    expect(judgeDoubt(control({ state: "useless" }), null)?.mark).toEqual({ text: "useless judge", tone: "bad" });
  });
});
