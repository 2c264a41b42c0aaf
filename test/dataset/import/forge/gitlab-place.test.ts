import { describe, expect, it } from "vitest";
import type { FileAtCommit } from "../../../../src/dataset/import/forge/forge.js";
import { DROP } from "../../../../src/dataset/import/forge/forge.js";
import { locateNote } from "../../../../src/dataset/import/forge/gitlab.js";
import type { Position, Version } from "../../../../src/dataset/import/forge/gitlab-replies.js";
import { VALUES, withLines } from "../../../fixtures/github-replay-world.js";

const at = (hour: number) => `2025-03-03T${String(hour).padStart(2, "0")}:00:00Z`;
const version = (head: string, hour: number): Version => {
  return { head_commit_sha: head, base_commit_sha: "base", created_at: at(hour) };
};

/** Pushes at nine and at noon. */
const VERSIONS = [version("v1", 9), version("v2", 12)];
/** The second push put two lines before all others and changed line 30. */
const PUSHED = ["// new", "// newer", ...withLines(VALUES, { 30: "answer" })];

const FILES: Readonly<Record<string, readonly string[] | null>> = {
  // The request changed line 20 of what there was.
  "base:a.js": withLines(VALUES, { 20: "before" }),
  "v1:a.js": VALUES,
  "v2:a.js": PUSHED,
  "v2:renamed.js": PUSHED,
  "v1:bytes.js": null,
};

async function readFile(path: string, commit: string): Promise<FileAtCommit> {
  const lines = FILES[`${commit}:${path}`];
  if (lines === undefined) return { status: "missing" };
  return lines === null ? { status: "unreadable" } : { status: "text", lines };
}

function locate(position: Position, hour: number, versions: readonly Version[] = VERSIONS) {
  const whole = { base_sha: "base", old_path: position.new_path, ...position };
  return locateNote(whole, Date.parse(at(hour)), versions, readFile);
}

const ON_V1 = { head_sha: "v1", new_path: "a.js" };
const ON_V2 = { head_sha: "v2", new_path: "a.js" };

describe("the commit and the line", () => {
  it("are those of the version that was there, where GitLab has moved the place on", async () => {
    // Written at ten on line 20 of the first push; the second one has it as line 22.
    const found = await locate({ ...ON_V2, new_line: 22 }, 10);
    expect(found).toMatchObject({ status: "found", commit: "v1", region: { first: 17, last: 23 } });
  });

  it("are as they are told where the place was not moved, or the version is not listed", async () => {
    expect(await locate({ ...ON_V2, new_line: 22 }, 13)).toMatchObject({ commit: "v2" });
    expect(await locate({ ...ON_V1, new_line: 20 }, 13)).toMatchObject({ commit: "v1" });
    expect(await locate({ ...ON_V2, new_line: 22 }, 10, [])).toMatchObject({ commit: "v2" });
    // Before the first push there was nothing to comment: a clock is wrong.
    expect(await locate({ ...ON_V2, new_line: 22 }, 8)).toMatchObject({ commit: "v2" });
  });
});

describe("the region", () => {
  it("is the new side of the hunk that the line stands in: three lines around the change of line 20", async () => {
    expect(await locate({ ...ON_V1, new_line: 18 }, 10)).toMatchObject({ region: { first: 17, last: 23 } });
  });

  it("is three lines around a comment that stands in no hunk", async () => {
    expect(await locate({ ...ON_V1, new_line: 2 }, 10)).toMatchObject({ region: { first: 1, last: 5 } });
    expect(await locate({ ...ON_V1, new_line: 39 }, 10)).toMatchObject({ region: { first: 36, last: 40 } });
  });

  it("is ten lines around the comment in a new file", async () => {
    const found = await locate({ ...ON_V1, new_line: 20, base_sha: "none" }, 10, []);
    expect(found).toMatchObject({ region: { first: 10, last: 30 } });
  });

  it("begins before the first of several lines, whether the range tells numbers or codes", async () => {
    // Lines 15 to 20: ten before the first, ten behind the last.
    const range = (start: object, end: object): Position => {
      return { ...ON_V1, new_line: 20, base_sha: "none", line_range: { start, end } };
    };
    const region = { region: { first: 5, last: 30 } };
    expect(await locate(range({ type: "new", new_line: 15 }, { type: "new", new_line: 20 }), 10, [])).toMatchObject(
      region,
    );
    expect(await locate(range({ line_code: "0a_1_15" }, { line_code: "0a_1_20" }), 10, [])).toMatchObject(region);
    const fromOld = range({ type: "old", line_code: "0a_15_0" }, { type: "new", new_line: 20 });
    expect(await locate(fromOld, 10, [])).toMatchObject({ region: { first: 10, last: 30 } });
  });

  it("keeps the length of a range whose last line was moved on with the place", async () => {
    // Lines 18 to 20 of the first push; told as line 22 of the second, but the range as it was.
    const line_range = { start: { type: "new", new_line: 18 }, end: { type: "new", new_line: 20 } };
    const found = await locate({ ...ON_V2, new_line: 22, line_range }, 10);
    expect(found).toMatchObject({ commit: "v1", region: { first: 17, last: 23 } });
  });
});

it.each([
  ["no place at all", {}, DROP.lost],
  ["no line of the new side", { ...ON_V1, old_line: 3 }, DROP.lost],
  ["a line behind the end of the file", { ...ON_V1, new_line: 41 }, DROP.lost],
  ["a line that the version did not have", { ...ON_V2, new_line: 1 }, DROP.lost],
  ["a commit that is gone", { head_sha: "gone", new_path: "a.js", new_line: 3 }, DROP.gone],
  ["a file that had another name then", { head_sha: "v2", new_path: "renamed.js", new_line: 22 }, DROP.deleted],
  ["a file that is no text", { head_sha: "v1", new_path: "bytes.js", new_line: 1 }, DROP.unreadable],
])("gives none for %s", async (_, position, reason) => {
  expect(await locate(position, 10)).toEqual({ status: "none", reason });
});
