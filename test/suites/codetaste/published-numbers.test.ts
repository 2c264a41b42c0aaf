import { describe, expect, it } from "vitest";
import { tInterval } from "../../../src/stats/interval.js";
import { following } from "../../../src/suites/codetaste/score/following.js";

describe("numbers that the paper prints", () => {
  it.each([
    // Rules followed, rules, percent as printed (Appendix C): gqlgen, mockito, aws-cli.
    [84, 90, "93.3"],
    [57, 90, "63.3"],
    [71, 90, "78.9"],
    [87, 90, "96.7"],
    [1, 102, "0.98"],
    [5, 102, "4.9"],
    [23, 102, "22.5"],
    [101, 102, "99.0"],
    [2, 64, "3.1"],
    [10, 64, "15.6"],
    [39, 64, "60.9"],
    [52, 64, "81.3"],
  ])("%i of %i rules followed are %s %%", (followed, rules, printed) => {
    // All of them reductive: those that are not followed still match.
    const reductive = { rules, run: rules, matched: rules - followed, isScanned: true, errors: 0 };
    const additive = { rules: 0, run: 0, matched: 0, isScanned: true, errors: 0 };
    const { ifr } = following({ additive, reductive });
    expect(((ifr ?? Number.NaN) * 100).toFixed(printed.split(".")[1]!.length)).toBe(printed);
  });

  it.each([
    [76, 8.5],
    [47, 10],
    [43, 9.9],
    [30, 9.1],
    [87, 6.7],
    [58, 9.8],
    [35, 9.5],
    [50, 10],
  ])("%i passes of 100 are known to %d points", (passed, half) => {
    const estimate = tInterval(Array.from({ length: 100 }, (_, i) => (i < passed ? 1 : 0)))!;
    expect(((estimate.high! - estimate.value) * 100).toFixed(1)).toBe(half.toFixed(1));
  });
});
