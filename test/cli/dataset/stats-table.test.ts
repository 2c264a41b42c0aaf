import { describe, expect, it } from "vitest";
import { STATS, statsBlocks } from "../../../src/cli/dataset/stats-handler.js";
import type { ReviewDescription } from "../../../src/dataset/curate/review-statistics.js";
import { plainText } from "../../../src/report/terminal.js";
import { distributionOf } from "../../../src/stats/distribution.js";
import { cellsOf as tableCells } from "../../../src/store/table.js";
import { cellRows } from "../../fixtures/table-cells.js";

const NONE = { unchanged: 0, other_language: 0, unsupported_language: 0, invalid: 0 };

const DESCRIPTION: ReviewDescription = {
  examples: 4,
  leftOut: NONE,
  statistics: [
    { statistic: "comment_length", changeType: null, ...distributionOf([1, 2, 4, 9]) },
    { statistic: "change_locations", changeType: "add", ...distributionOf([]) },
    { statistic: "change_locations", changeType: "delete", ...distributionOf([3]) },
    { statistic: "specification_ratio", changeType: null, ...distributionOf([0.5, 1]) },
  ],
};

/** Cells of the table's row that begins with this name. */
const cellsOf = (text: string, name: string) => cellRows(text, name)[0];

const statsText = (description: ReviewDescription) => plainText(statsBlocks(description));

describe("statsBlocks", () => {
  const text = statsText(DESCRIPTION);

  it("has the columns of Table 5, with n", () => {
    expect(cellsOf(text, "statistic")?.slice(1)).toEqual(["n", "min", "max", "mean", "SD", "Q1", "median", "Q3"]);
  });

  it("shows counts with at most one decimal, ratios with two", () => {
    // SD: sqrt(38 / 3) = 3.56; quartiles 1.75, 3, 5.25. Ratios: SD sqrt(0.125) = 0.354; quartiles 0.625, 0.75, 0.875.
    expect(cellsOf(text, "comment length (words)")).toEqual([
      "comment length (words)",
      "4",
      "1",
      "9",
      "4",
      "3.6",
      "1.8",
      "3",
      "5.3",
    ]);
    expect(cellsOf(text, "specification ratio")?.slice(1)).toEqual([
      "2",
      "0.50",
      "1.00",
      "0.75",
      "0.35",
      "0.63",
      "0.75",
      "0.88",
    ]);
  });

  it("shows a dash, not a number, for what is not defined", () => {
    expect(cellsOf(text, "change locations (lines): add")?.slice(1)).toEqual(["0", "–", "–", "–", "–", "–", "–", "–"]);
    expect(cellsOf(text, "change locations (lines): delete")?.[5]).toBe("–");
    expect(text).not.toMatch(/NaN|null|undefined/);
  });

  it("says what was left out, and nothing where nothing was", () => {
    expect(text).toMatch(/\n4 examples\n$/);
    const some = statsText({ ...DESCRIPTION, leftOut: { ...NONE, unchanged: 2, invalid: 1 } });
    expect(some).toMatch(/\n4 examples; left out: 2 without a change in the code, 1 invalid\n$/);
  });
});

describe("STATS", () => {
  it("has a cell a column, in full precision, and null for what is not defined", () => {
    const [first, second] = DESCRIPTION.statistics.map((row) => tableCells(STATS.columns, row));
    expect(first).toEqual(["comment_length", null, 4, 1, 9, 4, Math.sqrt(38 / 3), 1.75, 3, 5.25]);
    expect(second).toEqual(["change_locations", "add", 0, null, null, null, null, null, null, null]);
  });
});
