import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { recordId, toExample } from "../../src/dataset/official-record.js";
import { exampleWith } from "../fixtures/example.js";
import { recordWith } from "../fixtures/official-record.js";

describe("toExample", () => {
  it("takes the marker column off every line, and nothing else", () => {
    const { preReviewLines, postReviewLines } = toExample(
      recordWith({ old: " a\n-\tb\n\n-  - c \n+", new: " a\n+ +\n+" }),
    );
    expect(preReviewLines).toEqual(["a", "\tb", "", "  - c ", ""]);
    expect(postReviewLines).toEqual(["a", " +", ""]);
  });

  it("has no lines where the hunk is deleted whole", () => {
    expect(toExample(recordWith({ new: "" })).postReviewLines).toEqual([]);
  });

  it("reads Windows line ends as line ends", () => {
    expect(toExample(recordWith({ old: " a\r\n\r\n-b\r\n" })).preReviewLines).toEqual(["a", "", "b", ""]);
  });

  it("keeps a line of U+2028 whole", () => {
    expect(toExample(recordWith({ old: " a\u2028b\n-c" })).preReviewLines).toEqual(["a\u2028b", "c"]);
  });

  it("renames the change types", () => {
    expect(toExample(recordWith())).toMatchObject({
      changeType: "modify",
      changeTypeDistractors: ["add", "delete"],
    });
  });

  it("keeps locations and their distractors", () => {
    const { location, locationDistractors } = exampleWith();
    expect(toExample(recordWith())).toMatchObject({ location, locationDistractors });
  });

  it("normalises review and solutions", () => {
    const example = toExample(
      recordWith({
        review: "a\r\nb\ud800",
        solution_correct: "c\r\nd",
        solution_wrong_easy: ["e\r\nf", "\udc00", "g"],
      }),
    );
    expect(example).toMatchObject({
      review: "a\nb\ufffd",
      solution: "c\nd",
      solutionDistractors: { easy: ["e\nf", "\ufffd", "g"] },
    });
  });

  it("gives a deletion no solution, even if the record has one", () => {
    const example = toExample(recordWith({ type_correct: "remove_only", type_wrong: ["modify", "add_only"] }));
    expect(example.changeType).toBe("delete");
    expect(Object.keys(example)).not.toContain("solution");
    expect(Object.keys(example)).not.toContain("solutionDistractors");
  });

  it("takes the id of the record, or else makes one from its content", () => {
    expect(toExample(recordWith({ id: "mine" })).id).toBe("mine");
    expect(toExample(recordWith()).id).toBe(recordId(recordWith()));
  });
});

describe("recordId", () => {
  it("is the first 12 hex digits of the SHA-256 of the record with sorted keys", () => {
    // Computed apart in Python: sha256(json.dumps(record, sort_keys=True, separators=(",", ":"))).
    expect(recordId(recordWith())).toBe("aab52d3c9c6b");
  });

  it("does not depend on the order of the fields", () => {
    const record = recordWith();
    fc.assert(
      fc.property(fc.shuffledSubarray(Object.entries(record), { minLength: Object.keys(record).length }), (entries) => {
        expect(recordId(Object.assign(Object.fromEntries(entries), record))).toBe("aab52d3c9c6b");
      }),
      { seed: 1 },
    );
  });

  it("does not depend on the id, nor on a field that is absent", () => {
    expect(recordId(recordWith({ id: "mine", repo: undefined }))).toBe("aab52d3c9c6b");
  });

  it("depends on every other field", () => {
    const ids = [
      recordWith(),
      recordWith({ lang: "ruby" }),
      recordWith({ review: "?" }),
      recordWith({ repo: "a/b" }),
      recordWith({ loc_correct: [2, 5] }),
      recordWith({ old: " one\n two" }),
    ].map(recordId);
    expect(new Set(ids).size).toBe(6);
  });
});
