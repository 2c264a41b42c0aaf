import { describe, expect, it } from "vitest";
import { traceOfAnswer } from "../../../../src/suites/codereviewqa/metric/trace-score.js";

/** Points of 10 tokens each. */
const points = (...options: (number | null)[]) =>
  options.map((option, i) => ({ tokens: (i + 1) * 10, symbol: option === null ? null : "DCBA"[option]!, option }));

describe("the answer along the thoughts", () => {
  it("settles at the first point from which on it stays", () => {
    // 1 0 0 0: settled after 20 of 40 tokens; one change.
    expect(traceOfAnswer(points(1, 0, 0, 0), 40)).toEqual({
      settledAt: 0.5,
      switches: 1,
      leftRightFor: null,
      isRight: [false, true, true, true],
    });
    expect(traceOfAnswer(points(0, 0), 20)).toMatchObject({ settledAt: 0.5, switches: 0 });
    expect(traceOfAnswer(points(0, 1, 2), 30)).toMatchObject({ settledAt: 1, switches: 2 });
  });

  it("leaves the right option where it had it and ends with another, for the letter of that", () => {
    expect(traceOfAnswer(points(0, 3), 20).leftRightFor).toBe("A");
    expect(traceOfAnswer(points(0, 3, 0), 30).leftRightFor).toBeNull();
    expect(traceOfAnswer(points(1, 2), 20).leftRightFor).toBeNull();
    // Undecided in the end is for no letter.
    expect(traceOfAnswer(points(0, null), 20).leftRightFor).toBeNull();
  });

  it("skips points without an answer when it counts changes", () => {
    expect(traceOfAnswer(points(1, null, 1, 0), null)).toMatchObject({ switches: 1, settledAt: 1 });
  });
});
