import { expect, it } from "vitest";
import { commentedRegion, isOnOldSide } from "../../../../src/dataset/import/forge/github.js";
import type { InlineComment } from "../../../../src/dataset/import/forge/github-replies.js";
import { hunk, VALUES } from "../../../fixtures/github-replay-world.js";

function comment(fields: Partial<InlineComment>): InlineComment {
  return {
    id: 1,
    path: "values.js",
    created_at: "2025-03-03T10:00:00Z",
    html_url: "",
    original_commit_id: "a",
    diff_hunk: "",
    ...fields,
  };
}

it("takes the whole new side of a short hunk, though the hunk is shown to the commented line only", () => {
  // Lines 3 to 9, shown to line 5.
  const region = commentedRegion(comment({ diff_hunk: hunk(VALUES, 3, 9, 5), original_line: 5 }), VALUES);
  expect(region).toEqual({ first: 3, last: 9 });
});

it("keeps ten lines on either side of the commented ones in a long hunk", () => {
  const diff_hunk = hunk(VALUES, 1, 40, 20);
  expect(commentedRegion(comment({ diff_hunk, original_line: 20 }), VALUES)).toEqual({ first: 10, last: 30 });
  const several = comment({ diff_hunk, original_line: 20, original_start_line: 15 });
  expect(commentedRegion(several, VALUES)).toEqual({ first: 5, last: 30 });
});

it("finds the line by the hunk when the comment does not tell it", () => {
  expect(commentedRegion(comment({ diff_hunk: hunk(VALUES, 1, 40, 20) }), VALUES)).toEqual({ first: 10, last: 30 });
});

it("does not count deleted lines and the note on a missing line end", () => {
  // New side: 1, 2, 3; the third is commented.
  const diff_hunk =
    "@@ -1,4 +1,3 @@\n var v1 = 1\n-old\n var v2 = 2\n-older\n+var v3 = 3\n\\ No newline at end of file";
  const region = commentedRegion(comment({ diff_hunk }), VALUES.slice(0, 3));
  expect(region).toEqual({ first: 1, last: 3 });
});

it("reads the header of a new file and of a single line", () => {
  const diff_hunk = "@@ -0,0 +1 @@\n+var v1 = 1";
  expect(commentedRegion(comment({ diff_hunk, original_line: 1 }), VALUES.slice(0, 1))).toEqual({ first: 1, last: 1 });
});

it.each([
  ["another text than the file's", hunk(VALUES, 1, 9, 5), 6],
  ["a line behind the file's end", hunk(VALUES, 1, 9, 5), 400],
  ["no header", "var v5 = 5", 5],
  ["no lines", "@@ -1,3 +1,3 @@", 5],
])("gives no region for a hunk with %s", (_, diff_hunk, original_line) => {
  expect(commentedRegion(comment({ diff_hunk, original_line }), VALUES)).toBeNull();
});

it("leaves an end of the range aside that stands on the old side", () => {
  const fields = { diff_hunk: hunk(VALUES, 1, 40, 20), original_line: 20, original_start_line: 3 };
  expect(commentedRegion(comment({ ...fields, start_side: "LEFT" }), VALUES)).toEqual({ first: 10, last: 30 });
});

it("knows a comment on a deleted line by its side, or by its hunk's last line where no side is told", () => {
  expect(isOnOldSide(comment({ side: "LEFT" }))).toBe(true);
  expect(isOnOldSide(comment({ diff_hunk: "@@ -1,2 +1 @@\n a\n-b" }))).toBe(true);
  expect(isOnOldSide(comment({ side: "RIGHT", diff_hunk: "@@ -1,2 +1,2 @@\n-b\n+c" }))).toBe(false);
});
