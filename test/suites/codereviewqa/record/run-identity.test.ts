import { expect, it } from "vitest";
import { casesOf } from "../../../../src/suites/codereviewqa/record/run-identity.js";

const dataset = { source: "s", sha256: "d", selection_sha256: "i", examples: 3, selected: 3, invalid: 0 };

it("takes examples for cases of their own, whatever their ids look like", () => {
  expect(casesOf({ dataset })).toBeNull();
});

it("takes hunks of a task for one case where the examples are such", () => {
  const caseOf = casesOf({ dataset: { ...dataset, hunks_of_tasks: true } });
  expect(["a/b#1", "a/b#2", "a/c#1", "alone"].map((id) => caseOf?.(id))).toEqual(["a/b", "a/b", "a/c", "alone"]);
});
