import { describe, expect, it } from "vitest";
import { probe } from "../../probes/ctr.js";
import { CHANGE_TYPES } from "../../src/dataset/example.js";
import { DELETION, exampleWith } from "../fixtures/example.js";

describe("CTR", () => {
  it("has three options and one form, and is asked of every example", () => {
    expect(probe).toMatchObject({ task: "CTR", optionCount: 3, difficulties: [] });
    expect([probe.isEligible(exampleWith()), probe.isEligible(DELETION)]).toEqual([true, true]);
  });

  it("offers the true type first, then the two others", () => {
    expect(probe.options(DELETION, null)).toEqual([
      "only delete existing lines of code",
      "only add new lines of code",
      "modify the code",
    ]);
  });

  it("does not tell the change type in its stem", () => {
    expect(Object.keys(probe.stem(exampleWith())).toSorted()).toEqual(["code_review", "code_snippet", "lang"]);
  });

  it("has the change types as its answer classes", () => {
    expect(CHANGE_TYPES.map((changeType) => probe.answerClass({ changeType }))).toEqual(["add", "delete", "modify"]);
  });
});
