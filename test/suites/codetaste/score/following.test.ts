import { describe, expect, it } from "vitest";
import { parseRules } from "../../../../src/suites/codetaste/assets.js";
import type { ScanResult } from "../../../../src/suites/codetaste/rules/taste-rule.js";
import {
  aligned,
  following,
  precision,
  precisionCounts,
  publishedFollowing,
  publishedPrecision,
  type RuleTally,
  tally,
} from "../../../../src/suites/codetaste/score/following.js";

const side = (rules: number, matched: number, more: Partial<RuleTally> = {}): RuleTally => {
  return { rules, run: rules, matched, isScanned: true, errors: 0, ...more };
};

describe("the instruction following rate", () => {
  it.each([
    // [additive, matched], [reductive, matched]: followed = matched additive + unmatched reductive.
    [85, 0, 52, 52, 0, 0, 0],
    [85, 85, 52, 0, 1, 1, 1],
    // 52 of 137.
    [85, 0, 52, 0, 52 / 137, 0, 1],
    // 17 + 67 of 90.
    [17, 17, 73, 6, 84 / 90, 1, 67 / 73],
  ])("of %i rules with %i matches and %i with %i is %d", (more, came, less, stayed, ifr, additive, reductive) => {
    const tallies = { additive: side(more, came), reductive: side(less, stayed) };
    const expected = {
      ifr: expect.closeTo(ifr, 12),
      ifr_additive: additive,
      ifr_reductive: expect.closeTo(reductive, 12),
    };
    expect(following(tallies)).toEqual({
      ...expected,
      ifr_supported: expect.closeTo(ifr, 12),
      rules_supported: more + less,
    });
    expect(publishedFollowing(tallies)).toEqual(expected);
  });

  it("is null without rules, where the released code has 1", () => {
    const none = { additive: side(0, 0), reductive: side(0, 0) };
    expect(following(none)).toEqual({
      ifr: null,
      ifr_additive: null,
      ifr_reductive: null,
      ifr_supported: null,
      rules_supported: 0,
    });
    expect(publishedFollowing(none)).toEqual({ ifr: 1, ifr_additive: 1, ifr_reductive: 1 });
    // One of four reductive rules holds; of additive ones there is none.
    const one = { additive: side(0, 0), reductive: side(4, 3) };
    expect(following(one)).toMatchObject({ ifr: 0.25, ifr_additive: null, ifr_reductive: 0.25 });
    expect(publishedFollowing(one)).toEqual({ ifr: 0.25, ifr_additive: 1, ifr_reductive: 0.25 });
  });

  it("is null without results, where the released code takes every old pattern for gone", () => {
    const rules = parseRules("rules: [{id: a, pattern: x}, {id: b, pattern: y}]");
    const missing = tally(rules, { status: "missing", detail: "there is no SARIF file" });
    expect(missing).toEqual({ rules: 2, run: 0, matched: 0, isScanned: false, errors: 0 });
    const tallies = { additive: side(2, 2), reductive: missing };
    expect(following(tallies)).toEqual({
      ifr: null,
      ifr_additive: 1,
      ifr_reductive: null,
      ifr_supported: 1,
      rules_supported: 2,
    });
    expect(publishedFollowing(tallies)).toEqual({ ifr: 1, ifr_additive: 1, ifr_reductive: 1 });
    // Additive results that are missing: 0 of 2 additive, 2 of 2 reductive.
    expect(publishedFollowing({ additive: missing, reductive: side(2, 0) })).toMatchObject({
      ifr: 0.5,
      ifr_additive: 0,
    });
  });

  it("is told of the rules that were run where others were not", () => {
    // 3 of 4 ran, 2 of them matched; 1 of 6 ran and did not match: 3 of 4 followed.
    const tallies = { additive: side(4, 2, { run: 3 }), reductive: side(6, 0, { run: 1 }) };
    expect(following(tallies)).toEqual({
      ifr: null,
      ifr_additive: null,
      ifr_reductive: null,
      ifr_supported: 0.75,
      rules_supported: 4,
    });
    expect(publishedFollowing(tallies)).toEqual({ ifr: null, ifr_additive: null, ifr_reductive: null });
  });

  it("gives the alignment where the tests pass, 0 where they fail, and nothing where either is not known", () => {
    expect([aligned(true, 0.25), aligned(false, 0.25), aligned(null, 0.25), aligned(false, null)]).toEqual([
      0.25,
      0,
      null,
      null,
    ]);
  });
});

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
