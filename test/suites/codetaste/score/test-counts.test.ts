import { describe, expect, it } from "vitest";
import { passBand, passes, testCounts } from "../../../../src/suites/codetaste/score/test-counts.js";

const record = '{"passed": 10, "failed": 2, "total": 12}';
const counts = { passed: 10, failed: 2, skipped: 0, total: 12 };

describe("the counts that a test command prints", () => {
  it.each([
    ["on the last line", `log\n${record}`, counts],
    ["with blanks behind", `${record}\n\n\n`, counts],
    ["nine lines above the end", `${record}${"\nx".repeat(9)}`, counts],
    ["ten lines above the end: too far", `${record}${"\nx".repeat(10)}`, null],
    [
      "twice: the last",
      `${record}\n{"passed": 1, "failed": 0, "total": 1}`,
      { passed: 1, failed: 0, skipped: 0, total: 1 },
    ],
    ["before one that lacks a number", `${record}\n{"passed": 1}`, counts],
    ["before what is no object", `${record}\n3`, counts],
    ["with more in it", '{"passed": 10, "failed": 2, "total": 12, "other": 3}', counts],
    ["as texts", '{"passed": "10", "failed": " 2 ", "total": "1_2.0"}', counts],
    ["as truths and numbers with a point", '{"passed": 10.0, "failed": 2, "total": 12, "skipped": false}', counts],
    ["beside what JSON has not", '{"passed": 10, "failed": 2, "total": 12, "rate": NaN}', counts],
    ["not as other texts", '{"passed": "1e1", "failed": 2, "total": 12}', null],
    ["not as parts of numbers", '{"passed": 10.5, "failed": 2, "total": 12}', null],
    ["not with an error that is no text", '{"passed": 10, "failed": 2, "total": 12, "error": 1}', null],
    ["nowhere", "ok\nok", null],
    ["of nothing", "", null],
  ])("are found %s", (_, output, expected) => {
    expect(testCounts(output)).toEqual(expected);
  });
});

describe("a pass", () => {
  // Least passed of 100, 98, 101; most failed of 3, 5, 2.
  const band = passBand([
    { passed: 100, failed: 3, skipped: 0, total: 103 },
    { passed: 98, failed: 5, skipped: 0, total: 103 },
    { passed: 101, failed: 2, skipped: 0, total: 103 },
  ]);

  it.each([
    [98, 5, true],
    [97, 5, false],
    [98, 6, false],
    [120, 0, true],
    [120, 6, false],
  ])("with %i passed and %i failed is %s", (passed, failed, expected) => {
    expect(band).toEqual({ minPassed: 98, maxFailed: 5 });
    expect(passes({ passed, failed, skipped: 0, total: passed + failed }, band)).toBe(expected);
  });

  it("is a failure where the tests crashed, which released reports write as -1 failures of none", () => {
    const crashed = testCounts('{"passed": 0, "failed": -1, "total": 0}');
    expect(crashed).toMatchObject({ passed: 0, failed: -1 });
    expect(passes(crashed, { minPassed: 1, maxFailed: 0 })).toBe(false);
  });

  it("is a failure where the report is lost, and not known without a baseline", () => {
    expect(passes(null, band)).toBe(false);
    expect(passBand([])).toBeNull();
    expect(passes(counts, null)).toBeNull();
    expect(passes(null, null)).toBeNull();
  });
});
