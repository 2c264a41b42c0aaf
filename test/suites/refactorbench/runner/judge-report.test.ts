import { describe, expect, it } from "vitest";
import type { RunnerReport } from "../../../../src/suites/refactorbench/runner/runner-report.js";
import { judgeReport } from "../../../../src/suites/refactorbench/runner/runner-report.js";

type File = RunnerReport["test"];
type Test = File["tests"][number];

const passed: Test = { name: "a", state: "passed", errors: [] };
const failed = (name: string, message: string): Test => ({ name: "b", state: "failed", errors: [{ name, message }] });

function judge(test: Partial<File>, more: Partial<RunnerReport> = {}) {
  const report: RunnerReport = {
    test: { tests: [passed], errors: [], ...test },
    unhandled: [],
    mocked: [],
    missingPackages: [],
    ...more,
  };
  return judgeReport(report, 5);
}

describe("judgeReport", () => {
  it("passes where every test does, skipped ones aside", () => {
    expect(judge({ tests: [passed, { ...passed, state: "skipped" }] })).toEqual({
      passes: true,
      isTampered: false,
      lineUp: null,
      testsPassed: 1,
      testsFailed: 0,
      failureKind: null,
      message: "",
      missingPackages: [],
      durationMs: 5,
    });
  });

  it.each<[string, Partial<File>, Partial<RunnerReport>, string]>([
    [
      "a file that did not load",
      { tests: [], errors: [{ name: "SyntaxError", message: "x" }] },
      {},
      "load:SyntaxError",
    ],
    [
      "a file without tests",
      { tests: [], errors: [{ name: "Error", message: "No test suite found in file /a" }] },
      {},
      "no_tests",
    ],
    ["no test that ran", { tests: [{ ...passed, state: "skipped" }] }, {}, "no_tests"],
    ["a test that failed", { tests: [passed, failed("TypeError", "x is not a function")] }, {}, "TypeError"],
    ["a test that took too long", { tests: [failed("Error", "Test timed out in 10000ms.")] }, {}, "timeout"],
    ["an error outside tests", {}, { unhandled: [{ name: "RangeError", message: "late" }] }, "unhandled:RangeError"],
    ["a test that never ended", { tests: [{ ...passed, state: "pending" }] }, {}, "unknown"],
  ])("fails %s, by its structure", (_, test, more, kind) => {
    expect(judge(test, more)).toMatchObject({ passes: false, failureKind: kind, isTampered: false });
  });

  it("takes no word of any length for a class: who is tested names it", () => {
    const named = judge({ tests: [], errors: [{ name: "A".repeat(9_000_000), message: "x" }] });
    // 100 letters, `load:` among them, and how many there were.
    expect(named.failureKind).toBe(`load:${"A".repeat(95)}… (9000005 characters)`);
  });

  it("says what failed, each with the class of its error", () => {
    const tests = [failed("TypeError", "x is not a function"), failed("Error", "Error: twice")];
    expect(judge({ tests }).message).toBe("TypeError: x is not a function\n\nError: twice");
  });
});
