import { describe, expect, it } from "vitest";
import { failureBucket, type Outcome } from "../../../src/suites/refactorbench/failure-buckets.js";

const FAILED: Outcome = {
  passesTests: false,
  reportedSuccess: true,
  isNonTrivial: true,
  testMessage: "",
  compileMessage: "",
};

describe("failureBucket", () => {
  it("asks for the flags first, in their order", () => {
    const text = { testMessage: "SyntaxError" };
    expect(failureBucket({ ...FAILED, ...text, passesTests: true, reportedSuccess: false })).toBe("Passed");
    expect(failureBucket({ ...FAILED, ...text, reportedSuccess: false, isNonTrivial: false })).toBe(
      "Reported non-success",
    );
    expect(failureBucket({ ...FAILED, ...text, reportedSuccess: null })).toBe("Reported non-success");
    expect(failureBucket({ ...FAILED, ...text, isNonTrivial: false })).toBe("Non-triviality failure");
  });

  it.each([
    ["Unterminated string", "Syntax or parse failure"],
    ['Expected "}" but found "x"', "Syntax or parse failure"],
    ["Expected a\nand but found b", "Other hidden-test failure"],
    ["Failed to resolve import './x'", "Module import/export failure"],
    ["export 'total' was not found in './x'", "Module import/export failure"],
    ["Unable to find an element", "DOM/query/UI mismatch"],
    ["ReferenceError: x is not defined", "Runtime reference/type error"],
    ["Cannot access 'x' before initialization", "Runtime reference/type error"],
    ["expected 1 to be 2", "Assertion-level behavior mismatch"],
    ["Test timed out in 10000ms.", "Other hidden-test failure"],
  ])("reads %j as %s", (testMessage, bucket) => {
    expect(failureBucket({ ...FAILED, testMessage })).toBe(bucket);
  });

  it("takes the first class that matches, of both texts together", () => {
    expect(failureBucket({ ...FAILED, testMessage: "TypeError: x", compileMessage: "cannot find module ./y" })).toBe(
      "Module import/export failure",
    );
    // As released: "role" stands in "roles" too, which tells nothing of a page.
    expect(failureBucket({ ...FAILED, testMessage: "TypeError: user.roles is undefined" })).toBe(
      "DOM/query/UI mismatch",
    );
  });

  it("takes the time of a text's length, however often a message begins anew", () => {
    const testMessage = "expected ".repeat(200_000);
    expect(failureBucket({ ...FAILED, testMessage })).toBe("Other hidden-test failure");
    expect(failureBucket({ ...FAILED, testMessage: `${testMessage}1 to be 2` })).toBe(
      "Assertion-level behavior mismatch",
    );
  });
});
