import { describe, expect, it } from "vitest";
import { findIssue } from "../../../src/dataset/curate/review-filter.js";

describe("findIssue", () => {
  it.each([
    // Fewer than 10 characters: 9, and what white space hides.
    ["Fix this.", "unclear comment", "Fix this."],
    ["", "unclear comment", ""],
    ["  nit       \n", "unclear comment", "nit"],
    // 9 characters, of 18 UTF-16 units.
    ["😀😀😀😀😀😀😀😀😀", "unclear comment", "😀😀😀😀😀😀😀😀😀"],
    ["Like so: ```x = 1```", "intended code revision included", "```"],
    ["Wrong indentation here", "code formatting", "indentation"],
    ["Mind the Spacing!", "code formatting", "Spacing"],
    ["please run lint", "code formatting", "lint"],
    ["eslint complains", "code formatting", "eslint"],
    ["no-lint, no party", "code formatting", "lint"],
    ["use namespacing here", "code formatting", "namespacing"],
    ["Please REVERT this", "not self-contained", "REVERT"],
    ["this was reverted before", "not self-contained", "reverted"],
    ["same as above", "not self-contained", "as above"],
    ["same as\nabove", "not self-contained", "as\nabove"],
    ["and ditto here", "not self-contained", "ditto"],
  ])("finds in %j: %s (%j)", (review, issue, matched) => {
    expect(findIssue(review)).toEqual({ issue, matched });
  });

  it.each([
    // 10 characters.
    "Fix these.",
    "`code` and ``more code`` are fine",
    "Indent this with spaces, on one line",
    "the assertion above is the same",
    "Silent returns are hard to inspect",
  ])("finds nothing in %j", (review) => {
    expect(findIssue(review)).toBeNull();
  });

  it("names the first issue in the paper's order", () => {
    expect(findIssue("ditto")?.issue).toBe("unclear comment");
    expect(findIssue("revert to ```a```, fix spacing")?.issue).toBe("intended code revision included");
    expect(findIssue("revert the spacing")).toEqual({ issue: "code formatting", matched: "spacing" });
  });
});
