import { describe, expect, it } from "vitest";
import { findDrop } from "../../../src/dataset/curate/review-filter.js";
import { invalidLine, unsupportedLine, validLine } from "../../fixtures/triple-line.js";

describe("findDrop", () => {
  it("keeps a review without an issue", () => {
    expect(findDrop(validLine({ review: "Sum the prices." }))).toBeNull();
  });

  it("says where an issue was found, and what shows it", () => {
    expect(findDrop(validLine({ id: "x", language: "go", review: "Mind the spacing." }, 7))).toEqual({
      line: 7,
      id: "x",
      language: "go",
      reason: "code formatting",
      matched: "spacing",
    });
  });

  it("says which language no probe knows", () => {
    const drop = { line: 3, id: null, language: null, reason: "unsupported language", matched: "cobol" };
    expect(findDrop(unsupportedLine("cobol", 3))).toEqual(drop);
  });

  it("has nothing to show of a line that was not understood", () => {
    const drop = { line: 4, id: null, language: null, reason: "invalid record", matched: null };
    expect(findDrop(invalidLine(4))).toEqual(drop);
  });
});
