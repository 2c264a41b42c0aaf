import { expect, it } from "vitest";
import type { Revision } from "../../../../src/dataset/import/forge/forge.js";
import { DROP } from "../../../../src/dataset/import/forge/forge.js";
import { findChange } from "../../../../src/dataset/import/forge/import-request.js";
import { VALUES, withLines } from "../../../fixtures/github-replay-world.js";

const REGION = { first: 18, last: 22 };
const CHANGED = withLines(VALUES, { 20: "answer" });

function revisions(count: number, merges: readonly number[] = []): Revision[] {
  return Array.from({ length: count }, (_, i) => ({ sha: String(i), committedAt: i, isMerge: merges.includes(i) }));
}

/** Reads versions: revision `i` has the `i`th; notes which were read. */
function reader(versions: readonly (readonly string[] | null)[]) {
  const read: string[] = [];
  const fileAt = async (sha: string) => {
    read.push(sha);
    const lines = versions[Number(sha)];
    return lines == null ? ({ status: "missing" } as const) : ({ status: "text", lines } as const);
  };
  const isMerge = async (revision: Revision) => revision.isMerge === true;
  return { read, fileAt, isMerge };
}

it("finds the first of many revisions that changed the region, reading few", async () => {
  // 64 revisions, changed from the 37th on: the last one, then 6 halvings.
  const { read, ...history } = reader(Array.from({ length: 64 }, (_, i) => (i < 37 ? VALUES : CHANGED)));
  const found = await findChange(VALUES, REGION, { missed: null, followed: revisions(64) }, history);
  expect(found).toMatchObject({ status: "found", before: VALUES.slice(17, 22), revision: { sha: "37" } });
  expect(read).toHaveLength(7);
});

it("shows the first answer, not what was made of it later", async () => {
  const later = withLines(CHANGED, { 20: "second thoughts" });
  const history = reader([CHANGED, later]);
  const found = await findChange(VALUES, REGION, { missed: null, followed: revisions(2) }, history);
  expect(found).toMatchObject({ after: CHANGED.slice(17, 22), revision: { sha: "0" } });
});

it.each([
  ["nothing followed", [], 0, [], DROP.unchanged],
  ["the merged state is as it was", [CHANGED, VALUES], 2, [], DROP.unchanged],
  ["a merge brought the change", [VALUES, CHANGED], 2, [1], DROP.merge],
  ["the file went away", [VALUES, null], 2, [], DROP.deleted],
  ["nothing is left to go by", [VALUES.map((line) => `${line};`)], 1, [], DROP.lost],
])("finds none when %s", async (_, versions, count, merges, reason) => {
  const history = reader(versions);
  const found = await findChange(VALUES, REGION, { missed: null, followed: revisions(count, merges) }, history);
  expect(found).toEqual({ status: "none", reason });
});

it("finds a comment outdated whose lines had changed before it was written", async () => {
  const [missed, next] = revisions(2);
  const timeline = { missed: missed!, followed: [next!] };
  const outdated = reader([CHANGED, CHANGED]);
  expect(await findChange(VALUES, REGION, timeline, outdated)).toEqual({
    status: "none",
    reason: DROP.outdated,
  });
  // Another line had changed: the comment still stood.
  const standing = reader([withLines(VALUES, { 2: "other" }), CHANGED]);
  expect(await findChange(VALUES, REGION, timeline, standing)).toMatchObject({ status: "found" });
});

it("finds none in a version that cannot be read", async () => {
  const history = { ...reader([]), fileAt: async () => ({ status: "unreadable" }) as const };
  const found = await findChange(VALUES, REGION, { missed: null, followed: revisions(1) }, history);
  expect(found).toEqual({ status: "none", reason: DROP.unreadable });
});
