import Table from "cli-table3";
import type { Cell } from "../../../../store/csv.js";
import type { TableDefinition } from "../../../../store/table.js";
import type { ReviewDescription } from "../../describe/describe-reviews.js";
import type { Statistic, StatisticName } from "../../describe/statistics.js";

const NAMES: Readonly<Record<StatisticName, string>> = {
  comment_length: "comment length (words)",
  code_edit_distance: "code edit distance (characters)",
  change_locations: "change locations (lines)",
  code_element_ratio: "code element ratio",
  specification_ratio: "specification ratio",
};

/** The statistics as a table like the paper's Table 5, and what they were taken over. */
export function statsText({ examples, leftOut, statistics }: ReviewDescription): string {
  const table = new Table({
    head: ["statistic", "n", "min", "max", "mean", "SD", "Q1", "median", "Q3"],
    colAligns: ["left", ...Array.from({ length: 8 }, () => "right" as const)],
    style: { head: [], border: [], compact: true },
  });
  for (const row of statistics) table.push([nameOf(row), String(row.n), ...cells(row)]);
  const left = [
    [leftOut.unchanged, "without a change in the code"],
    [leftOut.other_language, "in other languages than asked for"],
    [leftOut.unsupported_language, "in a language that no probe knows"],
    [leftOut.invalid, "invalid"],
  ].flatMap(([count, why]) => (count === 0 ? [] : [`${count} ${why}`]));
  return `${table.toString()}\n${examples} example${examples === 1 ? "" : "s"}${left.length === 0 ? "" : `; left out: ${left.join(", ")}`}\n`;
}

function nameOf({ statistic, changeType }: Statistic): string {
  return changeType === null ? NAMES[statistic] : `${NAMES[statistic]}: ${changeType}`;
}

/** Counts with at most one decimal, ratios with two; a dash for what is not defined. */
function cells({ statistic, min, max, mean, sd, q1, median, q3 }: Statistic): string[] {
  const decimals = statistic.endsWith("_ratio") ? 2 : 1;
  return [min, max, mean, sd, q1, median, q3].map((value) => {
    if (value === null) return "–";
    return decimals === 1 && Number.isInteger(value) ? String(value) : value.toFixed(decimals);
  });
}

/** The file that `--csv` names: tidy, one row a statistic. */
export const STATS: TableDefinition = {
  file: "stats.csv",
  title: "One row a statistic (paper, Table 5).",
  primaryKey: ["statistic", "change_type"],
  columns: [
    {
      name: "statistic",
      type: "string",
      description:
        "comment_length (words), code_edit_distance (characters), change_locations (lines), code_element_ratio (0–1) " +
        "or specification_ratio (characters a word).",
    },
    { name: "change_type", type: "string", description: "add, delete or modify for change_locations; else empty." },
    { name: "n", type: "integer", description: "Examples it is taken over." },
    { name: "min", type: "number", description: "Smallest; this and the rest are empty where n is 0." },
    { name: "max", type: "number", description: "Largest." },
    { name: "mean", type: "number", description: "Arithmetic mean." },
    { name: "sd", type: "number", description: "Sample standard deviation (n − 1); empty where n is below 2." },
    { name: "q1", type: "number", description: "First quartile, linearly interpolated (type 7)." },
    { name: "median", type: "number", description: "Likewise the median." },
    { name: "q3", type: "number", description: "Likewise the third quartile." },
  ],
};

/** The rows of `STATS`. */
export function statsRows(statistics: readonly Statistic[]): Cell[][] {
  return statistics.map(({ statistic, changeType, n, min, max, mean, sd, q1, median, q3 }) => [
    statistic,
    changeType,
    n,
    min,
    max,
    mean,
    sd,
    q1,
    median,
    q3,
  ]);
}
