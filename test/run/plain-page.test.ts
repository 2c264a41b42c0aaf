import { expect, it } from "vitest";
import { ruleBlocks } from "../../src/run/plain-page.js";
import { makeRunVerdicts } from "../fixtures/verdicts.js";

const run = (runId: string, suite: string, ...rules: string[]) =>
  makeRunVerdicts({ runId, model: runId, suite, ...(rules.length > 0 && { rules }) });

it("warns of scores by different rules beside each other, also within one run that went on after the change", () => {
  const told = [{ kind: "text", tone: "warning", parts: [expect.stringContaining("old: lenient; new: strict")] }];
  expect(ruleBlocks([run("old", "a", "lenient"), run("new", "a", "strict")])).toEqual(told);
  expect(ruleBlocks([run("both", "a", "lenient", "strict")])).toHaveLength(1);
});

it("says nothing of one rule, of suites that have had but one, and of rules of different suites", () => {
  expect(ruleBlocks([run("x", "a", "strict"), run("y", "a", "strict"), run("z", "b"), run("u", "c", "other")])).toEqual(
    [],
  );
});
