import { describe, expect, it } from "vitest";
import { selectedPlan } from "../../../src/suites/codetaste/plans.js";

describe("the plan that a judge chooses", () => {
  it.each([
    ["is named as asked for", "Plan 1 is short.\nSELECTED: 3", 3],
    ["may be named in small letters", "selected:4", 4],
    ["is else the first that is called a plan", "I like plan 2 more than Plan 0.", 2],
    ["is else a number that stands alone near the end", "It is\n1\nclearly", 1],
    ["is the last of these", "0\n2\nas said", 2],
    ["is none where the number stands too far up", "2\na\nb\nc", null],
    ["is none that there is not", "SELECTED: 5", null],
    ["is another where the named one is not there", "SELECTED: 9, that is Plan 1", 1],
    ["is none where nothing is said of one", "All of them are good.", null],
    ["is none of nothing", "", null],
  ])("%s", (_, reply, expected) => {
    expect(selectedPlan(reply, 5)).toBe(expected);
  });
});
