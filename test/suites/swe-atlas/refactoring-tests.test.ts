import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isRelevant, readLists, type TestReport, type TestState } from "../../../src/suites/swe-atlas/run-tests.js";
import { compareRuns } from "../../../src/suites/swe-atlas/test-outcomes.js";

interface Row {
  readonly baseline: string;
  readonly mutation: string;
  readonly bucket: string | null;
  readonly tests_reward_if_relevant: number;
  readonly tests_reward_if_not_relevant: number;
}

const PUBLISHED = JSON.parse(
  readFileSync(join(import.meta.dirname, "../../fixtures/suites/swe-atlas/published.json"), "utf8"),
).rf;

const STATES: Readonly<Record<string, TestState | null>> = {
  pass: "passed",
  fail: "failed",
  skip: "other",
  missing: null,
};

/** A run in which `alpha` ends so, and another test that no list names passes. */
function runOf(state: string): TestReport {
  const found = STATES[state] ?? null;
  return new Map([["beta", "passed" as const], ...(found === null ? [] : [["alpha", found] as const])]);
}

describe("tests of a refactoring", () => {
  it.each(PUBLISHED.transitions as Row[])("go from $baseline to $mutation as the released rule has it", (row) => {
    const found = compareRuns(runOf(row.baseline), runOf(row.mutation), ["alpha"]);
    expect(Number(found.rewardPublished)).toBe(row.tests_reward_if_relevant);
    expect(found.transitions).toEqual(row.bucket === null ? {} : { [row.bucket]: 1 });
    const other = compareRuns(runOf(row.baseline), runOf(row.mutation), ["gamma"]);
    expect(Number(other.rewardPublished)).toBe(row.tests_reward_if_not_relevant);
  });

  // Strict: it has to be seen afterwards, and must not fail unless it failed before.
  it.each([
    ["pass", "pass", true, true],
    ["pass", "fail", false, false],
    ["pass", "missing", false, true],
    ["fail", "pass", true, true],
    ["fail", "fail", true, true],
    ["fail", "missing", false, true],
    ["missing", "pass", true, true],
    ["missing", "fail", false, false],
    ["missing", "missing", false, true],
  ])("from %s to %s are worth %s, by the released rule %s", (before, after, strict, published) => {
    expect(compareRuns(runOf(before), runOf(after), ["alpha"])).toMatchObject({
      reward: strict,
      rewardPublished: published,
    });
  });

  it("are worth nothing after a patch behind which nothing runs, and all by the released rule", () => {
    const names = Array.from({ length: 20 }, (_, i) => `test ${i}`);
    const before: TestReport = new Map(names.map((name) => [name, "passed"]));
    expect(compareRuns(before, new Map(), names)).toEqual({
      transitions: { pass_to_missing: 20 },
      unseen: names,
      reward: false,
      rewardPublished: true,
    });
  });

  it("are worth nothing where no list names any and nothing runs", () => {
    expect(compareRuns(new Map(), new Map(), [])).toMatchObject({ reward: false, rewardPublished: true });
    expect(Number(compareRuns(new Map(), new Map(), []).rewardPublished)).toBe(PUBLISHED.no_tests_at_all.tests_reward);
  });

  it("have passed where a report has their name in both lists", () => {
    const report = readLists('{"passed_tests": [{"name": "t"}], "failed_tests": [{"name": "t"}]}');
    expect(report).toEqual(new Map([["t", "passed"]]));
    expect(compareRuns(report!, report!, ["t"]).transitions).toEqual({ pass_to_pass: 1 });
  });

  it("have no report in a text that is none", () => {
    expect(readLists("Segmentation fault")).toBeNull();
    expect(readLists("[]")).toBeNull();
  });

  it.each(PUBLISHED.relevance as { test: string; relevant_name: string; relevant: boolean }[])(
    "$test is one of $relevant_name: $relevant",
    ({ test, relevant_name, relevant }) => {
      expect(isRelevant(test, [relevant_name])).toBe(relevant);
    },
  );
});
