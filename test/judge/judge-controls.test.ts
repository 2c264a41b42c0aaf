import { describe, expect, it } from "vitest";
import { judgeControl } from "../../src/judge/judge-controls.js";
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
    // Two apart of eight: p = 2 × 2^−2 = .5.
    ["guesses", [...times(2, 1), ...times(6, 0)] as Score[], times(8, 0), "no more apart than by chance"],
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

  it("tell nothing by few rubrics, or by one side alone", () => {
    expect(controls(times(5, 1), times(5, 0))).toMatchObject({ state: "unknown" });
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
