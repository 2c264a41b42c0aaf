import Table from "cli-table3";
import { columnsOf, type Table as TableOf } from "../../../../store/table.js";
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

/** The file that `--csv` names, and what `--json` prints: tidy, one row a statistic. */
export const STATS: TableOf<Statistic> = {
  file: "stats.csv",
  title: "One row a statistic (paper, Table 5).",
  primaryKey: ["statistic", "change_type"],
  columns: columnsOf<Statistic>([
    [
      "statistic",
      "string",
      "comment_length (words), code_edit_distance (characters), change_locations (lines), code_element_ratio (0–1) " +
        "or specification_ratio (characters a word).",
      ({ statistic }) => statistic,
    ],
    [
      "change_type",
      "string",
      "add, delete or modify for change_locations; else empty.",
      ({ changeType }) => changeType,
    ],
    ["n", "integer", "Examples it is taken over.", ({ n }) => n],
    ["min", "number", "Smallest; this and the rest are empty where n is 0.", ({ min }) => min],
    ["max", "number", "Largest.", ({ max }) => max],
    ["mean", "number", "Arithmetic mean.", ({ mean }) => mean],
    ["sd", "number", "Sample standard deviation (n − 1); empty where n is below 2.", ({ sd }) => sd],
    ["q1", "number", "First quartile, linearly interpolated (type 7).", ({ q1 }) => q1],
    ["median", "number", "Likewise the median.", ({ median }) => median],
    ["q3", "number", "Likewise the third quartile.", ({ q3 }) => q3],
  ]),
};
