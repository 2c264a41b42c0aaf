import { expect, it } from "vitest";
import { groupBy } from "../../src/base/grouping.js";

it("groups items by key, groups and items in the order in which they come", () => {
  const groups = groupBy(["bee", "ant", "bat", "auk"], (word) => word[0]);
  expect([...groups]).toEqual([
    ["b", ["bee", "bat"]],
    ["a", ["ant", "auk"]],
  ]);
});
