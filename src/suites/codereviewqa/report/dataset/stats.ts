import type { Block, Column } from "../../../../report/block.js";
import { type ColumnOf, numberCell, sentence, tableOf, textCell } from "../../../../report/make-block.js";
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
export function statsBlocks({ examples, leftOut, statistics }: ReviewDescription): Block[] {
  const left = [
    [leftOut.unchanged, "without a change in the code"],
    [leftOut.other_language, "in other languages than asked for"],
    [leftOut.unsupported_language, "in a language that no probe knows"],
    [leftOut.invalid, "invalid"],
  ].flatMap(([count, why]) => (count === 0 ? [] : [`${count} ${why}`]));
  const rest = left.length === 0 ? "" : `; left out: ${left.join(", ")}`;
  return [tableOf(null, TABLE_COLUMNS, statistics), sentence(`${examples} example${examples === 1 ? "" : "s"}${rest}`)];
}

const TABLE_COLUMNS: readonly ColumnOf<Statistic>[] = [
  { id: "statistic", label: "statistic", align: "left", importance: 1, cell: (row) => textCell(nameOf(row)) },
  { id: "n", label: "n", align: "right", importance: 1, cell: ({ n }) => numberCell(n, "count") },
  value("min", 3, ({ min }) => min),
  value("max", 3, ({ max }) => max),
  value("mean", 1, ({ mean }) => mean),
  value("SD", 1, ({ sd }) => sd),
  value("Q1", 2, ({ q1 }) => q1),
  value("median", 1, ({ median }) => median),
  value("Q3", 2, ({ q3 }) => q3),
];

/** Counts with at most one decimal, ratios with two; a dash for what is not defined. */
function value(
  label: string,
  importance: Column["importance"],
  of: (row: Statistic) => number | null,
): ColumnOf<Statistic> {
  const format = ({ statistic }: Statistic) => (statistic.endsWith("_ratio") ? "ratio" : "short");
  return { id: label, label, align: "right", importance, cell: (row) => numberCell(of(row), format(row)) };
}

function nameOf({ statistic, changeType }: Statistic): string {
  return changeType === null ? NAMES[statistic] : `${NAMES[statistic]}: ${changeType}`;
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
