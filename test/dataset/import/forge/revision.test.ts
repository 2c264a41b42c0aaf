import { describe, expect, it } from "vitest";
import type { Revision } from "../../../../src/dataset/import/forge/forge.js";
import { timelineOf, withHead } from "../../../../src/dataset/import/forge/import-request.js";

const at = (hour: number) => Date.parse(`2025-03-03T${String(hour).padStart(2, "0")}:00:00Z`);

function revision(sha: string, hour: number | null): Revision {
  return { sha, committedAt: hour === null ? null : at(hour), isMerge: false };
}

const A = revision("a", 9);
const B = revision("b", 11);
const C = revision("c", 13);

describe("timelineOf", () => {
  it("takes what was committed after the comment for what followed", () => {
    expect(timelineOf([A, B, C], "a", at(10))).toEqual({ missed: null, followed: [B, C] });
  });

  it("tells the newest revision that was there when an old one was commented", () => {
    expect(timelineOf([A, B, C], "a", at(12))).toEqual({ missed: B, followed: [C] });
    expect(timelineOf([A, B, C], "a", at(14))).toEqual({ missed: C, followed: [] });
  });

  it("has nothing after a comment on the last revision", () => {
    expect(timelineOf([A, B, C], "c", at(14))).toEqual({ missed: null, followed: [] });
  });

  it("takes the merged state alone for what followed a commit that was replaced", () => {
    expect(timelineOf([A, B, C], "gone", at(12))).toEqual({ missed: null, followed: [C] });
    expect(timelineOf([A, B, C], "gone", at(14))).toEqual({ missed: C, followed: [] });
  });

  it("takes a revision of unknown time for one that followed", () => {
    const unknown = revision("h", null);
    expect(timelineOf([A, unknown], "a", at(10))).toEqual({ missed: null, followed: [unknown] });
    expect(timelineOf([A, unknown], "gone", at(10))).toEqual({ missed: null, followed: [unknown] });
  });
});

describe("withHead", () => {
  it("adds the merged head where the list ends before it", () => {
    expect(withHead([A, B], "b")).toEqual([A, B]);
    expect(withHead([A], "h")).toEqual([A, { ...revision("h", null) }]);
    expect(withHead([A], null)).toEqual([A]);
  });
});
