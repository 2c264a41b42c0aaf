import { describe, expect, it } from "vitest";
import { parseFailUnder } from "../../../../src/suites/codereviewqa/cli/fail-under.js";

describe("parseFailUnder", () => {
  it("takes a difference from -1 to 1", () => {
    expect(["-0.02", "0", "1", "-1", ".5"].map(parseFailUnder)).toEqual([-0.02, 0, 1, -1, 0.5]);
    expect(parseFailUnder(undefined)).toBeUndefined();
  });

  it.each([["2"], ["-1.01"], ["two"], [""], ["NaN"], ["5%"]])("refuses %j", (text) => {
    expect(() => parseFailUnder(text)).toThrow(/Expected a difference from -1 to 1 for --fail-under/);
  });

  it("refuses two thresholds", () => {
    expect(() => parseFailUnder(["0", "0.1"])).toThrow(/Expected one value for --fail-under, found 2/);
  });
});
