import type { TestReport } from "./test-report.js";

/** What a test was on the unmodified code, and what it is now; skipped counts as missing. */
export type Transition = `${"pass" | "fail" | "missing"}_to_${"pass" | "fail" | "missing"}`;

/** What the tests of a refactoring came to. */
export interface RefactoringTests {
  /** How many relevant tests went each way; those that were never there are none. */
  readonly transitions: Readonly<Partial<Record<Transition, number>>>;
  /** Listed names that no test has afterwards. */
  readonly unseen: readonly string[];
  /** Nothing relevant broke, nothing relevant is gone, all that is listed ran, and something did. */
  readonly reward: boolean;
  /** By the released rule, which a patch passes after which nothing runs. */
  readonly rewardPublished: boolean;
}

/** @param listed names of tests that have to hold */
export function compareRuns(before: TestReport, after: TestReport, listed: readonly string[]): RefactoringTests {
  const names = [...new Set([...before.keys(), ...after.keys()])].filter((name) => isRelevant(name, listed));
  const transitions: Partial<Record<Transition, number>> = {};
  for (const name of names) {
    const transition: Transition = `${stateOf(before, name)}_to_${stateOf(after, name)}`;
    if (transition !== "missing_to_missing") transitions[transition] = (transitions[transition] ?? 0) + 1;
  }
  const seen = [...after].filter(([, state]) => state !== "other").map(([name]) => name);
  const unseen = listed.filter((each) => !seen.some((name) => isRelevant(name, [each])));
  const has = (transition: Transition) => (transitions[transition] ?? 0) > 0;
  const rewardPublished = !has("pass_to_fail") && !has("missing_to_fail");
  const isWhole = !has("pass_to_missing") && unseen.length === 0 && seen.length > 0;
  return { transitions, unseen, reward: rewardPublished && isWhole, rewardPublished };
}

function stateOf(report: TestReport, name: string): "pass" | "fail" | "missing" {
  const state = report.get(name);
  return state === "passed" ? "pass" : state === "failed" ? "fail" : "missing";
}

/**
 * Whether a test is one of those listed: its name equals, holds or is held by a listed one, or its last part behind
 * ` | ` ends one, its last part behind `::` or its first before `/` equals one. Letters of either case are not the same.
 */
export function isRelevant(name: string, listed: readonly string[]): boolean {
  const afterBar = lastPart(name, " | ");
  const afterColons = lastPart(name, "::");
  const [beforeSlash] = name.split("/");
  return listed.some(
    (each) =>
      name.includes(each) ||
      each.includes(name) ||
      (name.includes(" | ") && each.endsWith(afterBar)) ||
      (name.includes("::") && each === afterColons) ||
      (name.includes("/") && each === beforeSlash),
  );
}

function lastPart(name: string, separator: string): string {
  return name.split(separator).at(-1) ?? name;
}
