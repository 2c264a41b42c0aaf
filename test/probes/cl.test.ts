import { describe, expect, it } from "vitest";
import { probe } from "../../probes/cl.js";
import { DELETION, exampleWith } from "../fixtures/example.js";

describe("CL", () => {
  it("has four options and two difficulties, and is asked of every example", () => {
    expect(probe).toMatchObject({ task: "CL", optionCount: 4, difficulties: ["easy", "hard"] });
    expect([probe.isEligible(exampleWith()), probe.isEligible(DELETION)]).toEqual([true, true]);
  });

  it("offers the true line numbers first, then the distractors of the difficulty", () => {
    // Spec §3: `line numbers 5,6,8`.
    expect(probe.options(exampleWith(), "easy")).toEqual([
      "line numbers 2,4",
      "line numbers 1,3",
      "line numbers 5,6",
      "line numbers 1,6",
    ]);
    expect(probe.options(exampleWith(), "hard")).toEqual([
      "line numbers 2,4",
      "line numbers 2,3",
      "line numbers 1,4",
      "line numbers 4,5",
    ]);
  });

  it.each([
    ["add", "only add new lines of code"],
    ["delete", "only delete existing lines of code"],
    ["modify", "modify the code"],
  ] as const)("tells the change type %s in its stem", (changeType, phrase) => {
    expect(probe.stem(exampleWith({ changeType }))["change_type"]).toBe(phrase);
  });

  it("has no answer classes", () => {
    expect(probe.answerClass(exampleWith())).toBeNull();
  });
});
