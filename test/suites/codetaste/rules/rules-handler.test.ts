import { describe, expect, it } from "vitest";
import { checkRules } from "../../../../src/suites/codetaste/rules/rules-handler.js";
import type { LineSpan, RuleSide, ScanResult } from "../../../../src/suites/codetaste/rules/taste-rule.js";

const at = (first: number, last = first): LineSpan => ({ path: "a.js", first, last });
const scan = (matches: Record<string, readonly LineSpan[]>): ScanResult => ({
  status: "scanned",
  matches: new Map(Object.entries(matches)),
  notRun: [{ rule: "odd", why: "made of pattern" }],
  errors: 0,
});
const set = (side: RuleSide, ...ids: readonly string[]) => ({
  side,
  path: "",
  rules: ids.map((id) => ({
    id,
    kind: "pattern-regex",
    languages: [],
    paths: { include: [], exclude: [] },
    expressions: null,
  })),
});

describe("rules held against both trees", () => {
  it("are valid where they match what they are about alone", () => {
    const scans = {
      base: scan({ new: [], both: [at(1)], none: [], old: [at(9)] }),
      gold: scan({ new: [at(1), at(5)], both: [at(2)], none: [], old: [] }),
    };
    const words = (side: RuleSide) =>
      checkRules(set(side, "new", "both", "none", "old", "odd"), scans).map(({ valid, why }) => [valid, why]);
    expect(words("additive")).toEqual([
      [true, null],
      [false, "matches the unmodified code too"],
      [false, "matches nothing of the right solution"],
      [false, "matches nothing of the right solution"],
      [null, "made of pattern"],
    ]);
    expect(words("reductive").slice(0, 4)).toEqual([
      [false, "matches nothing of the unmodified code"],
      [false, "matches the right solution too"],
      [false, "matches nothing of the unmodified code"],
      [true, null],
    ]);
  });

  it("are no doubles of a valid one before: lines alike by more than .95", () => {
    // first: lines 1 to 40; second 1 to 39: 39/40 = .975; third 1 to 38: 38/40 = .95, which may be; then its own double.
    const gold = scan({ first: [at(1, 40)], second: [at(1, 39)], third: [at(1, 38)], fourth: [at(1, 38)] });
    const base = scan({ first: [], second: [], third: [], fourth: [] });
    const found = checkRules(set("additive", "first", "second", "third", "fourth"), { base, gold });
    expect(found.map(({ valid, likest, jaccard }) => [valid, likest, jaccard])).toEqual([
      [true, null, null],
      [false, "first", 0.975],
      [true, "first", 0.95],
      [false, "third", 1],
    ]);
    // One that is not valid is no rule that another can double.
    const alone = checkRules(set("additive", "first", "second"), { base: scan({ first: [at(1)], second: [] }), gold });
    expect(alone.map(({ valid }) => valid)).toEqual([false, true]);
    const twice = checkRules(set("additive", "first", "first"), { base, gold });
    expect(twice[1]).toMatchObject({ valid: false, why: "another rule has the same id" });
  });

  it("have a witness where they are all but right: more than ten times as many matches", () => {
    const lines = Array.from({ length: 21 }, (_, i) => at(i + 1));
    const found = (wanted: readonly LineSpan[]) =>
      checkRules(set("additive", "new"), { base: scan({ new: [at(7), at(8)] }), gold: scan({ new: wanted }) })[0];
    expect(found(lines)).toMatchObject({ valid: false, base: 2, gold: 21, witness: "a.js:7" });
    expect(found(lines.slice(1))?.witness).toBeNull();
  });

  it("are not known where a tree was not scanned", () => {
    const missing: ScanResult = { status: "missing", detail: "semgrep ended with exit code 2" };
    const found = checkRules(set("reductive", "old"), { base: scan({ old: [at(1)] }), gold: missing });
    expect(found[0]).toMatchObject({ base: 1, gold: null, valid: null, why: "semgrep ended with exit code 2" });
  });
});
