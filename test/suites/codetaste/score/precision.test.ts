import { describe, expect, it } from "vitest";
import type { ScanResult } from "../../../../src/suites/codetaste/rules/taste-rule.js";
import { precision, precisionCounts, publishedPrecision } from "../../../../src/suites/codetaste/score/precision.js";

type Spans = readonly (readonly [path: string, first: number, last: number])[];

const scan = (spans: Spans, notRun: readonly string[] = []): ScanResult => ({
  status: "scanned",
  // Every span by a rule of its own.
  matches: new Map(spans.map(([path, first, last], i) => [`r${i}`, [{ path, first, last }]])),
  notRun: notRun.map((rule) => ({ rule, why: "made of pattern" })),
  errors: 0,
});
const at = (path: string, ...lines: number[]) => lines.map((line) => ({ path, line }));

describe("the precision of a patch", () => {
  it("counts each line once, in its own file, on its own side", () => {
    const lines = { added: at("a.js", 1, 2, 3, 4), removed: at("a.js", 7, 8) };
    const counts = precisionCounts(lines, {
      // Lines 1 and 2 twice, and 4 of another file.
      additiveOnTree: scan([
        ["a.js", 1, 2],
        ["a.js", 2, 2],
        ["b.js", 4, 4],
      ]),
      // 7 goes; 3 is no line that was removed.
      reductiveOnBase: scan([["a.js", 3, 7]]),
    });
    expect(counts).toEqual({ added: 4, removed: 2, relevantAdded: 2, relevantRemoved: 1 });
    // 2/4, 1/2, 3/6.
    expect(precision(counts)).toEqual({ added: 0.5, removed: 0.5, overall: 0.5 });
    expect(publishedPrecision(counts)).toEqual({ added: 0.5, removed: 0.5, overall: 0.5 });
  });

  it("is null on a side without lines, where the released code has 0", () => {
    const none = { added: 0, removed: 0, relevantAdded: 0, relevantRemoved: 0 };
    expect(precision(none)).toEqual({ added: null, removed: null, overall: null });
    expect(publishedPrecision(none)).toEqual({ added: 0, removed: 0, overall: 0 });
    const added = { added: 3, removed: 0, relevantAdded: 1, relevantRemoved: 0 };
    expect(precision(added)).toEqual({ added: 1 / 3, removed: null, overall: 1 / 3 });
    expect(publishedPrecision(added)).toEqual({ added: 1 / 3, removed: 0, overall: 1 / 3 });
  });

  it("is null where a rule was not run or there are no results: lines may be wanted that nobody looked for", () => {
    const lines = { added: at("a.js", 1), removed: at("a.js", 1) };
    const counts = precisionCounts(lines, {
      additiveOnTree: scan([["a.js", 1, 1]], ["other"]),
      reductiveOnBase: { status: "missing", detail: "there is no SARIF file" },
    });
    expect(counts).toEqual({ added: 1, removed: 1, relevantAdded: null, relevantRemoved: null });
    expect(precision(counts)).toEqual({ added: null, removed: null, overall: null });
  });

  it("needs no results of a side that has no lines", () => {
    const lines = { added: at("a.js", 1), removed: [] };
    const missing: ScanResult = { status: "missing", detail: "there is no SARIF file" };
    const counts = precisionCounts(lines, { additiveOnTree: scan([["a.js", 1, 1]]), reductiveOnBase: missing });
    expect(precision(counts)).toEqual({ added: 1, removed: null, overall: 1 });
  });
});
