import { describe, expect, it } from "vitest";
import { chainSteps, type RightShare } from "../../../../src/suites/codereviewqa/failures/chain.js";
import { makeOutcome } from "../../../fixtures/example-outcome.js";

const shown = (share: RightShare | null) => (share === null ? null : [share.right, share.n]);

describe("chainSteps", () => {
  it("conditions each step on all earlier ones", () => {
    const examples = [
      makeOutcome("0", "rrrrr"),
      makeOutcome("1", "rrrrr", { match: false }),
      makeOutcome("2", "rrrrw", { match: false }),
      makeOutcome("3", "rrwrr"),
      makeOutcome("4", "wrrrr", { match: false }),
      makeOutcome("5", "wwwww", { match: false }),
    ];
    expect(
      chainSteps(examples).map(({ step, overall, afterRight, afterWrong }) => [
        step,
        ...[overall, afterRight, afterWrong].map(shown),
      ]),
    ).toEqual([
      // Right: 0-3.
      ["CTR", [4, 6], null, null],
      // Right at both difficulties: 0, 1, 2, 4. Of 0-3: 0, 1, 2. Of 4, 5: 4.
      ["CL", [4, 6], [3, 4], [1, 2]],
      // Right: 0, 1, 3, 4. Of 0, 1, 2: 0, 1. Of 3, 4, 5: 3, 4.
      ["SI", [4, 6], [2, 3], [2, 3]],
      // Matches: 0, 3. Of 0, 1: 0. Of 2-5: 3.
      ["ACR", [2, 6], [1, 2], [1, 4]],
    ]);
  });

  it("passes over the steps that an example has no question for", () => {
    // A deletion with too few lines for CL: no CL, no SI.
    const steps = chainSteps([makeOutcome("a", "r----"), makeOutcome("b", "rrr--", { match: false })]);
    expect(steps.map(({ afterRight }) => shown(afterRight))).toEqual([null, [1, 1], [0, 0], [1, 2]]);
    expect(steps[2]!.overall.estimate).toBeNull();
  });
});
