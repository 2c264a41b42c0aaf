import { expect, it } from "vitest";
import { revisionsOf } from "../../../../src/dataset/import/forge/github.js";

const commit = (sha: string, parents: number) => ({
  sha,
  commit: { committer: { date: "2025-03-03T09:00:00Z" } },
  parents: Array.from({ length: parents }, () => ({})),
});
const NINE = Date.parse("2025-03-03T09:00:00Z");

it("knows merges by their parents", () => {
  expect(revisionsOf([commit("a", 1), commit("b", 2)], "b")).toEqual([
    { sha: "a", committedAt: NINE, isMerge: false },
    { sha: "b", committedAt: NINE, isMerge: true },
  ]);
});

it("adds the merged head where GitHub's list ends before it", () => {
  expect(revisionsOf([commit("a", 1)], "h")).toMatchObject([{ sha: "a" }, { sha: "h", committedAt: null }]);
});
