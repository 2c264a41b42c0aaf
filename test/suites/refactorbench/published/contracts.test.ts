import { describe, expect, it } from "vitest";
import {
  categoryOf,
  contractsOf,
  dataFacts,
  makeupOf,
} from "../../../../src/suites/refactorbench/published/contracts.js";
import { OWN_FIXTURES } from "../../../../src/suites/refactorbench/read-fixtures.js";

describe("contractsOf", () => {
  it.each([
    ["getByText", ["Initial render and visible copy"]],
    ["it shows the home view by default", ["Initial render and visible copy"]],
    ["prerendered", []],
    ["a table", ["Navigation and view switching"]],
    ["in capital letters", ["API, auth, and external side effects"]],
    ["a contract(", ["Async behavior and timers"]],
    ["maxKB", ["Computed domain state"]],
    ["nothing", []],
  ])("finds the families of %j by parts of words, as the published rule does", (text, families) => {
    expect(contractsOf(text)).toEqual(families);
  });
});

it("counts tests with a literal name, expectations, interactions, waits", () => {
  const text = `it("a", () => { expect(1).toBe(1); fireEvent.click(b); }); test(name, f); await waitFor(() => expect(2)); contact(1)`;
  expect(makeupOf(text)).toEqual({ test_count: 1, assertion_count: 2, interaction_count: 1, async_wait_count: 1 });
});

describe("a category", () => {
  it.each([
    ["a", "src/screens/a.js", "", "Mobile / React Native"],
    ["a", "a.jsx", "", "React web UI"],
    ["a", "lib/a.js", "await fetch(url)", "Utility/API"],
    ["sort_numbers", "lib/sort.js", "const a = 1;", "Algorithm/data"],
    ["late", "lib/a.js", `${" ".repeat(4000)}fetch(`, "Algorithm/data"],
  ])("of %s at %s is told by the first words that match", (name, target, code, category) => {
    expect(categoryOf(name, target, code)).toBe(category);
  });

  it("is told of our own fixtures, with what their tests are made of", async () => {
    const facts = await dataFacts(OWN_FIXTURES);
    expect([...facts].map(([name, { category }]) => [name, category])).toEqual([
      ["broken_example", "Algorithm/data"],
      ["csv_report", "Utility/API"],
      ["draft_hook", "React web UI"],
      ["habit_mobile", "Mobile / React Native"],
      ["interval_set", "Algorithm/data"],
      ["task_board", "React web UI"],
    ]);
    // Pieces between line ends: one more than its 151 lines.
    expect(facts.get("interval_set")).toMatchObject({ lines: 152, makeup: { test_count: 20, interaction_count: 0 } });
  });
});
