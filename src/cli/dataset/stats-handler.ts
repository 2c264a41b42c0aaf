import { type Console, EXIT, type ExitCode, jsonText } from "../../console/console.js";
import { requireWritable } from "../../console/output-file.js";
import {
  describeReviews,
  type ReviewDescription,
  type Statistic,
  type StatisticName,
} from "../../dataset/curate/review-statistics.js";
import { datasetFile, inspectDataset, readExamples } from "../../dataset/dataset-file.js";
import { DIFFICULTIES, type Example } from "../../dataset/example.js";
import { recordedWarning } from "../../distractors/build-files.js";
import { loadProbes } from "../../question/probes.js";
import { probeForms } from "../../question/question-build.js";
import type { Block, Column } from "../../report/block.js";
import {
  type ColumnOf,
  numberCell,
  numberColumn,
  rightColumn,
  sentence,
  tableOf,
  textColumn,
} from "../../report/make-block.js";
import { showBlocks } from "../../report/terminal.js";
import { writeTable } from "../../store/csv.js";
import { columnsOf, entryOf, type Table } from "../../store/table.js";
import { type FormNeeds, needsOfForms } from "../../suites/codereviewqa/ask/form-needs.js";
import { needsBlocks } from "../../suites/codereviewqa/report/preview-blocks.js";
import type { StatsValues } from "./dataset-options.js";
import { reviewLines } from "./review-lines.js";

/** `probe dataset stats`: the paper's Table 5 of any file of reviews. */
export async function handleStats(values: StatsValues, console: Console): Promise<ExitCode> {
  const { csv, language, overwrite, skipInvalid, json } = values;
  const file = datasetFile(values.file);
  await requireWritable([{ option: "csv", path: csv }], { inputs: [file], overwrite });
  const warn = (message: string) => console.err(`${message}\n`);
  const warning = await recordedWarning(file);
  const description = await describeReviews(reviewLines(file, { skip: skipInvalid, warn }), language);
  const needs = await needsOfFile(file, language);
  if (csv !== null) await writeTable(csv, STATS, description.statistics);
  if (json) console.out(jsonText({ ...toDocument(file, warning, description), needs }));
  else showBlocks(console, [...statsBlocks(description), ...needsBlocks(needs)]);
  if (warning !== null) warn(warning);
  if (csv !== null) console.err(`The same as a table: ${csv}\n`);
  return EXIT.done;
}

/** Knowledge that questions about the examples take for a verdict; none of a file without questions. */
async function needsOfFile(file: string, languages: StatsValues["language"]): Promise<FormNeeds[]> {
  const { lines } = await inspectDataset(file);
  if (lines.length === 0) return [];
  const forms = probeForms([...(await loadProbes()).values()], DIFFICULTIES);
  return needsOfForms(wantedExamples(readExamples(file, new Set(lines)), languages), forms);
}

async function* wantedExamples(
  examples: AsyncIterable<Example>,
  languages: StatsValues["language"],
): AsyncGenerator<Example> {
  for await (const example of examples) {
    if (languages.length === 0 || languages.includes(example.language)) yield example;
  }
}

function toDocument(
  file: string,
  warning: string | null,
  { examples, leftOut, statistics }: ReviewDescription,
): object {
  return {
    file,
    warning,
    examples,
    left_out: leftOut,
    statistics: statistics.map((row) => entryOf(STATS.columns, row)),
  };
}

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
  textColumn("statistic", "statistic", (row) => nameOf(row)),
  numberColumn("n", "n", "count", ({ n }) => n),
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
  return rightColumn(label, label, (row) => numberCell(of(row), format(row)), { importance });
}

function nameOf({ statistic, changeType }: Statistic): string {
  return changeType === null ? NAMES[statistic] : `${NAMES[statistic]}: ${changeType}`;
}

/** The file that `--csv` names, and what `--json` prints: tidy, one row a statistic. */
export const STATS: Table<Statistic> = {
  file: "stats.csv",
  title: "One row a statistic (paper, Table 5).",
  primaryKey: ["statistic", "change_type"],
  columns: columnsOf<Statistic>([
    [
      "statistic",
      "string",
      "comment_length (words), code_edit_distance (characters; of changes up to about 65,000), change_locations (lines), code_element_ratio (0–1) " +
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
    ["median", "number", "Median, linearly interpolated.", ({ median }) => median],
    ["q3", "number", "Third quartile, linearly interpolated.", ({ q3 }) => q3],
  ]),
};
