import { describe, expect, it } from "vitest";
import { failureGroups } from "../../../../src/suites/codereviewqa/failures/groups.js";
import { makeOutcome } from "../../../fixtures/example-outcome.js";

const examples = [
  makeOutcome("a", "rrrrr", { language: "ruby", changeType: "add" }),
  makeOutcome("b", "wrrrr", { language: "go", match: false }),
  makeOutcome("c", "rrrrr", { language: "ruby", match: false }),
];

describe("failureGroups", () => {
  it("has all examples together alone unless groups are asked for", () => {
    expect(failureGroups(examples, null).map(({ group, examples: n }) => [group, n])).toEqual([["all", 3]]);
  });

  it.each([
    ["language", ["go", 1, 1], ["ruby", 2, 1]],
    ["change_type", ["add", 1, 0], ["modify", 2, 2]],
  ] as const)("goes on with each %s, in alphabetical order", (by, ...expected) => {
    const groups = failureGroups(examples, by).slice(1);
    // Examples, and non-matches among them.
    expect(groups.map(({ group, examples: n, rows }) => [group, n, rows[0]!.n])).toEqual(expected);
    expect(groups.every(({ groupBy }) => groupBy === by)).toBe(true);
  });
});
