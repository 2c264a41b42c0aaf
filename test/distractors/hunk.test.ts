import { describe, expect, it } from "vitest";
import { hunkOf } from "../../src/distractors/build-record.js";
import { tripleWith } from "../fixtures/triple.js";

describe("hunkOf", () => {
  it("compares the two versions of a triple that can become a record", () => {
    const result = hunkOf(tripleWith({ preReviewLines: ["a", "b"], postReviewLines: ["a", "c"] }));
    expect(result).toMatchObject({
      status: "changed",
      diff: { changeType: "modify", location: [2], old: " a\n-b", new: " a\n+c", solution: "2 - b\n2 + c" },
    });
  });

  it.each([
    ["no review", { review: " \n" }],
    ["no pre-review code", { preReviewLines: [] }],
    ["no post-review code", { postReviewLines: [] }],
    ["no change", { preReviewLines: ["a", "b"], postReviewLines: ["a", "b"] }],
    ["only whitespace changes", { preReviewLines: ["if (a)", "{"], postReviewLines: ["if (a) {"] }],
    ["over 1000 lines", { postReviewLines: Array.from({ length: 1001 }, (_, i) => `${i}`) }],
    ["a line over 20000 characters", { postReviewLines: ["x".repeat(20_000)] }],
  ])("drops a triple with the reason: %s", (reason, changes) => {
    expect(hunkOf(tripleWith(changes))).toEqual({ status: "dropped", reason });
  });
});
