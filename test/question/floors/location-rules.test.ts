import { describe, expect, it } from "vitest";
import { LOCATION_RULES, type LocationView, runsOf, shownLines } from "../../../src/question/floors/location-rules.js";

const LINES = ["int a;", "", "call(first, second);", "}", "// why", "return a;"];

function view(locations: readonly (readonly number[])[], changes: Partial<LocationView> = {}): LocationView {
  return { locations, lines: LINES, review: "", changeType: "modify", ...changes };
}

function scores(name: string, of: LocationView): readonly number[] {
  const rule = LOCATION_RULES.find((each) => each.name === name);
  if (rule === undefined) throw new Error(`no rule ${name}`);
  return rule.score(of);
}

describe("LOCATION_RULES", () => {
  it.each([
    // Means 2, 3.5, 4.
    [
      "lowest_lines",
      [
        [1, 3],
        [2, 5],
        [3, 5],
      ],
      [-2, -3.5, -4],
    ],
    [
      "highest_lines",
      [
        [1, 3],
        [2, 5],
        [3, 5],
      ],
      [2, 3.5, 4],
    ],
    // The middle of six lines is 3.5.
    [
      "nearest_middle",
      [
        [1, 3],
        [2, 5],
        [3, 5],
      ],
      [-1.5, -0, -0.5],
    ],
    [
      "smallest_span",
      [
        [1, 3],
        [2, 5],
        [5, 4],
      ],
      [-2, -3, -1],
    ],
    [
      "fewest_runs",
      [
        [1, 3, 5],
        [1, 2, 3],
        [4, 5, 1],
      ],
      [-3, -1, -2],
    ],
    // {1,2} shares a line with each other: 1/3 + 1/3; the others share none with each other.
    [
      "medoid",
      [
        [1, 2],
        [2, 3],
        [1, 4],
      ],
      [0.666666667, 0.333333333, 0.333333333],
    ],
    // {1,2} first; of the two that are alike, {2,3} has one run and {1,4} two.
    [
      "medoid_fewest_runs",
      [
        [1, 2],
        [2, 3],
        [1, 4],
      ],
      [2, 1, 0],
    ],
    // 6 and 0 characters; 20 and 1.
    [
      "longest_lines",
      [
        [1, 2],
        [3, 4],
      ],
      [3, 10.5],
    ],
    [
      "fewest_blank_lines",
      [
        [1, 2],
        [2, 4],
        [3, 6],
      ],
      [-0.5, -1, 0],
    ],
  ])("scores %s", (name, locations, expected) => {
    const found = scores(name, view(locations as number[][]));
    found.forEach((score, i) => {
      expect(score).toBeCloseTo((expected as number[])[i]!, 8);
    });
  });

  it("shows an insertion by its neighbours, and none outside the hunk", () => {
    const add = { lines: LINES, changeType: "add" } as const;
    expect(shownLines([2], add)).toEqual(["", "call(first, second);"]);
    expect(shownLines([0], add)).toEqual(["int a;"]);
    expect(shownLines([6], add)).toEqual(["return a;"]);
    expect(shownLines([2, 3], add)).toEqual(["", "call(first, second);", "}"]);
    // The gaps 0 to 6 have 3 as their middle.
    expect(scores("nearest_middle", view([[3], [0]], { changeType: "add" }))).toEqual([-0, -3]);
  });

  it("counts the different words of the review that stand on an option's lines", () => {
    const review = "Call `second` twice: second, then Return.";
    expect(scores("review_overlap", view([[3], [6], [5]], { review }))).toEqual([2, 1, 0]);
  });

  it("picks the same option in whatever order the options stand", () => {
    const locations = [
      [1, 2, 4],
      [2, 3, 4],
      [1, 5, 6],
      [3, 4, 6],
    ];
    for (const { name, score } of LOCATION_RULES) {
      const there = score(view(locations, { review: "first return" }));
      const back = score(view(locations.toReversed(), { review: "first return" }));
      expect([name, back.toReversed()]).toEqual([name, [...there]]);
    }
  });
});

describe("runsOf", () => {
  it("counts runs of consecutive numbers in any order", () => {
    expect([runsOf([7, 2, 3]), runsOf([1]), runsOf([4, 3, 2])]).toEqual([2, 1, 1]);
  });

  it("measure how near to an edge the whole set lies", () => {
    // Six lines: {1, 2} lies in the first two, {2, 5} in five from either edge, {6} in the last.
    expect(scores("densest_edge", view([[1, 2], [2, 5], [6]]))).toEqual([-2, -5, -1]);
  });

  it("measure indentation without blank lines, a tab as four columns", () => {
    const lines = ["a", "\tb", "  c", ""];
    expect(scores("indentation", view([[1], [2], [2, 3], [3, 4]], { lines }))).toEqual([0, 4, 3, 2]);
  });

  it("count words of the review line by line, names split", () => {
    const lines = ["openFile(path)", "close_file(path)", "done"];
    const review = "Close the file before opening another file.";
    // file; close and file; the mean of both.
    expect(scores("review_words_per_line", view([[1], [2], [1, 2], [3]], { lines, review }))).toEqual([1, 2, 1.5, 0]);
  });

  it("count names that the review quotes, or writes as code", () => {
    const lines = ["int a = first;", "use(second_one)", "call(x)", "plain words"];
    const quoted = { lines, review: "Why `first` here, and second_one, and call()? The plain words are none." };
    expect(scores("names_quoted", view([[1], [2], [3], [4]], quoted))).toEqual([1, 1, 1, 0]);
  });

  it("look for names in a long review in no time", () => {
    const review = "a".repeat(200_000);
    const found = scores("names_quoted", view([[1], [3]], { review }));
    expect(found).toEqual([0, 0]);
  });
});
