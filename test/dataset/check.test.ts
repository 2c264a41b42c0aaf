import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkRecord } from "../../src/dataset/official-record.js";
import { recordWith } from "../fixtures/official-record.js";

const ADDITION = recordWith({ type_correct: "add_only", type_wrong: ["modify", "remove_only"] });
const { solution_correct: _, solution_wrong_easy: __, solution_wrong_hard: ___, ...UNSOLVED } = recordWith();

describe("change types", () => {
  it("may stand in either order", () => {
    expect(checkRecord(recordWith({ type_wrong: ["remove_only", "add_only"] }))).toEqual([]);
  });

  it.each([
    ["the right type again", ["add_only", "modify"], '["add_only","modify"]'],
    ["one wrong type twice", ["add_only", "add_only"], '["add_only","add_only"]'],
  ] as const)("are not %s", (_name, types, found) => {
    expect(checkRecord(recordWith({ type_wrong: [...types] }))).toEqual([
      { field: "type_wrong", expected: 'the two other change types than "modify"', found },
    ]);
  });
});

describe("locations", () => {
  it("may name the first and the last line", () => {
    expect(
      checkRecord(
        recordWith({
          loc_correct: [1, 2],
          loc_wrong_hard: [
            [2, 3],
            [2, 6],
            [1, 6],
          ],
        }),
      ),
    ).toEqual([]);
  });

  it.each(["modify", "remove_only"] as const)("may not name line 0 for %s", (type) => {
    const other = type === "modify" ? "remove_only" : "modify";
    const record = recordWith({
      type_correct: type,
      type_wrong: ["add_only", other],
      loc_wrong_easy: [
        [1, 3],
        [0, 6],
        [1, 6],
      ],
    });
    expect(checkRecord(record)).toEqual([
      { field: "loc_wrong_easy[1]", expected: "line numbers from 1 to 6", found: "0" },
    ]);
  });

  it("may name line 0 where code is added, for it is added before the first", () => {
    expect(checkRecord({ ...ADDITION, loc_correct: [0, 6] })).toEqual([]);
  });

  it.each([recordWith(), ADDITION])("may not name a line after the last", (record) => {
    const lowest = record.type_correct === "add_only" ? 0 : 1;
    expect(checkRecord({ ...record, loc_correct: [2, 7] })).toEqual([
      { field: "loc_correct", expected: `line numbers from ${lowest} to 6`, found: "7" },
    ]);
  });

  it("name each line once", () => {
    expect(
      checkRecord(
        recordWith({
          loc_wrong_hard: [
            [2, 3],
            [5, 5],
            [4, 5],
          ],
        }),
      ),
    ).toEqual([{ field: "loc_wrong_hard[1]", expected: "each line number once", found: "[5,5]" }]);
  });

  it("are of equal size", () => {
    expect(checkRecord(recordWith({ loc_wrong_easy: [[1, 3], [5], [1, 3, 6]] }))).toEqual([
      { field: "loc_wrong_easy[1]", expected: "as many line numbers as loc_correct (2)", found: "[5]" },
      { field: "loc_wrong_easy[2]", expected: "as many line numbers as loc_correct (2)", found: "[1,3,6]" },
    ]);
  });

  it("differ from the right one, in whatever order their lines stand", () => {
    expect(
      checkRecord(
        recordWith({
          loc_wrong_hard: [
            [2, 3],
            [4, 2],
            [4, 5],
          ],
        }),
      ),
    ).toEqual([
      { field: "loc_wrong_hard[1]", expected: "an option unlike the others", found: "the same as loc_correct" },
    ]);
  });

  it("differ from each other, in whatever order their lines stand", () => {
    expect(
      checkRecord(
        recordWith({
          loc_wrong_easy: [
            [1, 3],
            [5, 6],
            [3, 1],
          ],
        }),
      ),
    ).toEqual([
      { field: "loc_wrong_easy[2]", expected: "an option unlike the others", found: "the same as loc_wrong_easy[0]" },
    ]);
  });

  it("that join to the same digits are not the same", () => {
    // Joined without a separator, [1, 12] and [11, 2] would both read 112.
    const old = Array.from({ length: 12 }, () => " x").join("\n");
    expect(
      checkRecord(
        recordWith({
          old,
          loc_correct: [1, 12],
          loc_wrong_hard: [
            [11, 2],
            [1, 2],
            [2, 12],
          ],
        }),
      ),
    ).toEqual([]);
  });

  it("may be the same in the two difficulties, which are two questions", () => {
    const { loc_wrong_easy } = recordWith();
    expect(checkRecord(recordWith({ loc_wrong_hard: loc_wrong_easy }))).toEqual([]);
  });

  it("that reorder the right one are always found", () => {
    const orders = fc.shuffledSubarray([1, 2, 3, 4, 5], { minLength: 5 });
    fc.assert(
      fc.property(orders, orders, (right, wrong) => {
        const others = [
          [1, 2, 3, 4, 6],
          [1, 2, 3, 5, 6],
        ];
        const record = recordWith({ loc_correct: right, loc_wrong_easy: [wrong, ...others] });
        expect(checkRecord({ ...record, loc_wrong_hard: [...others, [2, 3, 4, 5, 6]] })).toEqual([
          { field: "loc_wrong_easy[0]", expected: "an option unlike the others", found: "the same as loc_correct" },
        ]);
      }),
      { seed: 1 },
    );
  });
});

describe("solutions", () => {
  it("are not needed where lines are only deleted", () => {
    expect(checkRecord({ ...UNSOLVED, type_correct: "remove_only", type_wrong: ["modify", "add_only"] })).toEqual([]);
  });

  it.each([
    ["modify", ["add_only", "remove_only"]],
    ["add_only", ["modify", "remove_only"]],
  ] as const)("are needed for %s", (type, others) => {
    const expected = `a value, since type_correct is "${type}"`;
    const unlessExplained = `${expected} and not_built gives no reason for SI`;
    expect(checkRecord({ ...UNSOLVED, type_correct: type, type_wrong: [...others] })).toEqual([
      { field: "solution_correct", expected, found: "nothing" },
      { field: "solution_wrong_easy", expected: unlessExplained, found: "nothing" },
      { field: "solution_wrong_hard", expected: unlessExplained, found: "nothing" },
    ]);
  });

  it.each([
    ["differ from the right one", "2 - a\n2 + b"],
    ["that differ from the right one in line ends alone are the same", "2 - a\r\n2 + b"],
  ])("%s", (_name, wrong) => {
    const record = recordWith({ solution_correct: "2 - a\n2 + b", solution_wrong_easy: ["x", wrong, "y"] });
    expect(checkRecord(record)).toEqual([
      {
        field: "solution_wrong_easy[1]",
        expected: "an option unlike the others",
        found: "the same as solution_correct",
      },
    ]);
  });

  it("that differ from each other in lone surrogates alone are the same", () => {
    // Both are shown as U+FFFD.
    expect(checkRecord(recordWith({ solution_wrong_hard: ["x\ud800", "y", "x\udfff"] }))).toEqual([
      {
        field: "solution_wrong_hard[2]",
        expected: "an option unlike the others",
        found: "the same as solution_wrong_hard[0]",
      },
    ]);
  });

  it("that differ in a space are not the same", () => {
    expect(checkRecord(recordWith({ solution_wrong_hard: ["x", "x ", " x"] }))).toEqual([]);
  });
});

describe("questions that could not be built", () => {
  it("have no wrong options, and a note that says why", () => {
    const { loc_wrong_easy: _easy, loc_wrong_hard: _hard, ...record } = recordWith({});
    expect(checkRecord({ ...record, not_built: { CL: "too few lines" } })).toEqual([]);
    const expected = `a value, since type_correct is "${record.type_correct}" and not_built gives no reason for CL`;
    expect(checkRecord(record)).toEqual([
      { field: "loc_wrong_easy", expected, found: "nothing" },
      { field: "loc_wrong_hard", expected, found: "nothing" },
    ]);
  });

  it("cannot have wrong options and such a note", () => {
    const problems = checkRecord({ ...recordWith({}), not_built: { CL: "too few lines" } });
    expect(problems.map(({ field, expected }) => `${field}: ${expected}`)).toEqual([
      "loc_wrong_easy: nothing, since not_built.CL is given",
      "loc_wrong_hard: nothing, since not_built.CL is given",
    ]);
  });
});
