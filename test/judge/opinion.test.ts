import { describe, expect, it } from "vitest";
import { majority, opinionsOf } from "../../src/judge/rating-records.js";
import { makeRating, UNREADABLE } from "../fixtures/rating-record.js";

describe("the opinion of several votes", () => {
  it.each([
    [[1, 1, 0], 1],
    [[0, null, null], 0],
    [[1, 0], null],
    [[1, 0, null, 0], 0],
    [[null], null],
    [[], null],
  ])("of %j is %s", (scores, expected) => {
    expect(majority(scores)).toBe(expected);
  });

  it("is one a criterion, with the justification of a vote that says so", () => {
    const votes = [
      makeRating({ vote: 0, verdict: "NO", score: 0, justification: "It does not." }),
      makeRating({ vote: 1, justification: "Line 3." }),
      makeRating({ vote: 2, justification: "Line 4." }),
      makeRating({ criterion_id: "r2", ...UNREADABLE, justification: null }),
    ];
    expect(opinionsOf(votes)).toMatchObject([
      { criterion: "r1", score: 1, justification: "Line 3.", votes: votes.slice(0, 3) },
      { criterion: "r2", score: null, justification: null },
    ]);
  });

  it("of marks is their mean, of those that can be read", () => {
    const mark = (vote: number, score: number | null) =>
      makeRating({ vote, scale: "points", ...(score === null ? UNREADABLE : { score, score_published: score }) });
    // (.5 + .75) / 2 = .625; two different marks are no tie.
    expect(opinionsOf([mark(0, 0.5), mark(1, null), mark(2, 0.75)])).toMatchObject([{ score: 0.625, scale: "points" }]);
    expect(opinionsOf([mark(0, null)])).toMatchObject([{ score: null }]);
  });
});
