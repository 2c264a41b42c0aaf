import fc from "fast-check";
import { expect, it } from "vitest";
import { followRegion, MOST_WIDENED } from "../../../../src/dataset/import/forge/region.js";
import { VALUES, withLines } from "../../../fixtures/github-replay-world.js";

const MIDDLE = { first: 18, last: 22 };

it("finds lines unchanged that only moved", () => {
  const after = ["// new", "// newer", ...VALUES];
  expect(followRegion(VALUES, after, MIDDLE)).toEqual({ status: "unchanged" });
});

it("finds lines unchanged beside changes", () => {
  expect(followRegion(VALUES, withLines(VALUES, { 17: "other", 23: null }), MIDDLE)).toEqual({ status: "unchanged" });
});

it("gives both versions from end to end", () => {
  const after = ["// new", ...withLines(VALUES, { 20: "one\ntwo" })];
  expect(followRegion(VALUES, after, MIDDLE)).toEqual({
    status: "changed",
    before: VALUES.slice(17, 22),
    after: [VALUES[17], VALUES[18], "one", "two", VALUES[20], VALUES[21]],
  });
});

it("sees an insertion between lines that all stayed", () => {
  const after = VALUES.toSpliced(20, 0, "inserted");
  expect(followRegion(VALUES, after, MIDDLE)).toEqual({
    status: "changed",
    before: VALUES.slice(17, 22),
    after: VALUES.slice(17, 22).toSpliced(3, 0, "inserted"),
  });
});

it("moves an end that changed outwards to a line that did not", () => {
  // 22, 23 and 24 changed: line 25 is the first to go by.
  const after = withLines(VALUES, { 22: "a", 23: "b", 24: "c" });
  expect(followRegion(VALUES, after, MIDDLE)).toEqual({
    status: "changed",
    before: VALUES.slice(17, 25),
    after: [...VALUES.slice(17, 21), "a", "b", "c", VALUES[24]],
  });
});

it("takes the file's edges for lines that did not change", () => {
  const after = withLines(VALUES, { 1: "first", 40: null });
  expect(followRegion(VALUES, after, { first: 1, last: 2 })).toEqual({
    status: "changed",
    before: VALUES.slice(0, 2),
    after: ["first", VALUES[1]],
  });
  expect(followRegion(VALUES, after, { first: 39, last: 40 })).toEqual({
    status: "changed",
    before: VALUES.slice(38),
    after: [VALUES[38]],
  });
});

it("loses a region with no line to go by within reach", () => {
  // Lines 9 to 40 changed. Upwards from 18, line 8 is ten lines away; from 19 it is out of reach.
  const after = VALUES.map((line, i) => (i < 8 ? line : `${line};`));
  expect(MOST_WIDENED).toBe(10);
  expect(followRegion(VALUES, after, { first: 19, last: 40 })).toEqual({ status: "lost" });
  expect(followRegion(VALUES, after, { first: 18, last: 40 }).status).toBe("changed");
});

it("leaves blank lines off that both versions begin and end with, but not those that changed", () => {
  const before = ["", "", "a", "b", ""];
  expect(followRegion(before, ["", "", "a", "c", ""], { first: 1, last: 5 })).toEqual({
    status: "changed",
    before: ["a", "b"],
    after: ["a", "c"],
  });
  expect(followRegion(["a", "", "b"], ["a", "b"], { first: 1, last: 3 })).toMatchObject({ after: ["a", "b"] });
});

it("gives up on versions that have too little in common", () => {
  const before = Array.from({ length: 20_000 }, (_, i) => `line ${i}`);
  const after = before.map((line, i) => (i % 5 === 0 ? line : `${line}!`));
  // With a diff to its end, the lines around the region would be found: every fifth is the same.
  expect(followRegion(before, after, { first: 5, last: 9 })).toEqual({ status: "lost" });
});

it("gives pieces of the two versions that differ, whatever changed", () => {
  const lines = fc.array(fc.constantFrom("a", "b", "c", ""), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(lines, lines, fc.nat(11), fc.nat(11), (before, after, a, b) => {
      const [first, last] = [Math.min(a, b), Math.max(a, b)].map((n) => 1 + (n % before.length)) as [number, number];
      if (first > last) return;
      const followed = followRegion(before, after, { first, last });
      if (followed.status !== "changed") return;
      expect(followed.before).not.toEqual(followed.after);
      expect(before.join("\n")).toContain(followed.before.join("\n"));
      expect(after.join("\n")).toContain(followed.after.join("\n"));
    }),
    { seed: 1 },
  );
});
