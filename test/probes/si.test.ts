import { describe, expect, it } from "vitest";
import { probe } from "../../probes/si.js";
import { DELETION, exampleWith } from "../fixtures/example.js";

describe("SI", () => {
  it("has four options and two difficulties", () => {
    expect(probe).toMatchObject({ task: "SI", optionCount: 4, difficulties: ["easy", "hard"] });
  });

  it("is asked of additions and modifications, not of deletions", () => {
    expect(probe.isEligible(exampleWith())).toBe(true);
    expect(probe.isEligible(exampleWith({ changeType: "add" }))).toBe(true);
    expect(probe.isEligible(DELETION)).toBe(false);
  });

  it("offers the right revision first, then the distractors of the difficulty", () => {
    expect(probe.options(exampleWith(), "easy")).toEqual([
      "2 - two\n2 + TWO",
      "2 - two\n2 + 1",
      "2 - two\n2 + 2",
      "2 - two\n2 + 3",
    ]);
    expect(probe.options(exampleWith(), "hard")).toEqual([
      "2 - two\n2 + TWO",
      "2 - two\n2 + Two",
      "2 - two\n2 + tWo",
      "2 - two\n2 + twO",
    ]);
  });

  it("does not tell the change type in its stem", () => {
    expect(Object.keys(probe.stem(exampleWith())).toSorted()).toEqual(["code_review", "code_snippet", "lang"]);
  });

  it("has no answer classes", () => {
    expect(probe.answerClass(exampleWith())).toBeNull();
  });
});
