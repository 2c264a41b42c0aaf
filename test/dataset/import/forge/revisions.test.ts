import { expect, it } from "vitest";
import { commitShape } from "../../../../src/dataset/import/forge/github-replies.js";
import { withHead } from "../../../../src/dataset/import/forge/import-request.js";

const commit = (sha: string, parents: number) => ({
  sha,
  commit: { committer: { date: "2025-03-03T09:00:00Z" } },
  parents: Array.from({ length: parents }, () => ({})),
});
const NINE = Date.parse("2025-03-03T09:00:00Z");

it("knows merges by their parents", () => {
  expect([commit("a", 1), commit("b", 2)].map((reply) => commitShape.parse(reply))).toEqual([
    { sha: "a", committedAt: NINE, isMerge: false },
    { sha: "b", committedAt: NINE, isMerge: true },
  ]);
});

it("adds the merged head where GitHub's list ends before it", () => {
  expect(withHead([commitShape.parse(commit("a", 1))], "h")).toMatchObject([
    { sha: "a" },
    { sha: "h", committedAt: null },
  ]);
});
